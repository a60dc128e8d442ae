import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { type BlockablePerson, setBlocked } from './set-blocked.ts';

/** Unblocks somebody at once; the toast offers Undo. */
export function UnblockButton({ person, ownId }: { person: BlockablePerson; ownId: string }) {
  const [isPending, setIsPending] = useState(false);
  const unblock = async (): Promise<void> => {
    setIsPending(true);
    // The failure was reported.
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
