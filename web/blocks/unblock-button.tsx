import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { type BlockablePerson, setBlocked } from './set-blocked.ts';

/** A button that unblocks a person without confirmation; the toast that follows offers Undo. */
export function UnblockButton({ person, ownId }: { person: BlockablePerson; ownId: string }) {
  const [isPending, setIsPending] = useState(false);
  const unblock = async (): Promise<void> => {
    setIsPending(true);
    // `setBlocked` has already shown the failure in a toast.
    await setBlocked(ownId, person, false).catch(() => undefined);
    setIsPending(false);
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      loading={isPending}
      aria-label={`Unblock ${person.name}`}
      onClick={() => void unblock()}
    >
      Unblock
    </Button>
  );
}
