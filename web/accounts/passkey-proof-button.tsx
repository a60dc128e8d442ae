import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { signOutThisBrowser } from '#web/lib/session.ts';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';

/**
 * The button that uses a passkey of the account in the open session, as its second step or to show that it is the person.
 * `onProved` is called afterwards.
 */
export function PasskeyProofButton({ onProved }: { onProved?: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  const cancel = useRef<() => void>(undefined);
  useEffect(() => () => cancel.current?.(), []);

  const prove = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const actions = await importLazyScript(() => import('./passkey-actions.ts'));
      cancel.current = actions.cancelPasskeyRequest;
      const { error } = await actions.proveWithPasskey();
      if (!error) onProved?.();
      else if (!actions.isReplaced(error)) toast.error(error.message);
      if (error?.code === 'session_not_found') await signOutThisBrowser();
    } catch (error) {
      toast.error((error as Error).message);
    }
    setIsBusy(false);
  };
  return (
    <OnlineOnlyButton
      variant="secondary"
      wide
      loading={isBusy}
      icon={<KeyRound aria-hidden="true" className="size-5" />}
      onClick={() => void prove()}
    >
      Use a passkey
    </OnlineOnlyButton>
  );
}
