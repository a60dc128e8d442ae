import { useState } from 'react';
import { isSignOnRequired } from '#contract/campus.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useIsSignOnConnected } from '#web/lib/use-is-sign-on-connected.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { findNeededProof, type NeededProof } from './needed-proof.ts';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import type { ActionResult } from './session-actions.ts';
import { connectSignOn, disconnectSignOn } from './sign-on-actions.ts';

/** Connects the university's sign-on with the account, or disconnects it. */
export function SignOnSettings({ email }: { email: string }) {
  const campus = useCampus();
  const isConnected = useIsSignOnConnected();
  const [isBusy, setIsBusy] = useState(false);
  const [needed, setNeeded] = useState<NeededProof>();
  const name = campus.signOn?.name ?? '';

  const change = async (): Promise<void> => {
    setIsBusy(true);
    const work: () => Promise<ActionResult> = isConnected
      ? disconnectSignOn
      : () => connectSignOn(links.settings('security'));
    const { error } = await work();
    setIsBusy(false);
    const missing = findNeededProof(error);
    setNeeded(missing);
    if (missing) return;
    if (error) toast.error(error.message);
    else if (isConnected) toast.success(`${name} is disconnected`);
  };

  return (
    <div data-keeps-focus tabIndex={-1} className="outline-none">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-prose text-ink-muted text-sm">
          {isConnected ? `You can log in with ${name}.` : `Connect ${name} to log in with it.`}
        </p>
        {!(isConnected && isSignOnRequired(campus, email)) && (
          <OnlineOnlyButton variant="secondary" loading={isBusy} onClick={() => void change()}>
            {isConnected ? 'Disconnect' : 'Connect'}
          </OnlineOnlyButton>
        )}
      </div>
      {needed && (
        <Dialog open onOpenChange={() => setNeeded(undefined)} keepOpen title={name}>
          <ReauthenticationForm email={email} needed={needed} onProved={() => void change()} />
        </Dialog>
      )}
    </div>
  );
}
