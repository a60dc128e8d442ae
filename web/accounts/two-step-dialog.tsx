import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import { AuthenticatorForm } from './authenticator-form.tsx';
import { findNeededProof, type NeededProof } from './needed-proof.ts';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import {
  type AuthenticatorSetup,
  createRecoveryCodes,
  describeTwoStepFailure,
  startAuthenticatorSetup,
  turnOffTwoStepVerification,
} from './second-factor-actions.ts';
import type { ActionError } from './session-actions.ts';

/** What the dialog does: set up the app, create recovery codes, or turn two-step verification off. */
export type TwoStepTask =
  | { name: 'set up' }
  | { name: 'codes'; hasCodes: boolean }
  | { name: 'turn off'; factorId: string };

type View =
  | { name: 'question' | 'working' }
  | { name: 'reauthentication'; needed: NeededProof }
  | { name: 'failed'; message: string }
  | { name: 'setup'; setup: AuthenticatorSetup }
  | { name: 'codes'; codes: readonly string[] };

const titles: Record<TwoStepTask['name'], string> = {
  'set up': 'Set up two-step verification',
  codes: 'Recovery codes',
  'turn off': 'Turn off two-step verification?',
};

const questions = {
  codes: 'You get ten new codes. The earlier ones stop working at once.',
  'turn off': 'Your password or an emailed code is then enough to log in. Your recovery codes are deleted.',
} as const;

/** Performs a task and returns the next view of the dialog, or 'done' when the dialog can close. */
const perform = async (task: TwoStepTask): Promise<View | 'done'> => {
  if (task.name === 'set up') {
    const { value: setup, error } = await startAuthenticatorSetup();
    return setup ? { name: 'setup', setup } : toFailedView(error);
  }
  if (task.name === 'codes') {
    const { value: codes, error } = await createRecoveryCodes(task.hasCodes);
    if (codes) return { name: 'codes', codes };
    // Here, this error means that two-step verification was turned off meanwhile.
    return error.code === 'insufficient_aal' ? describeFailure(error) : toFailedView(error);
  }
  const { error } = await turnOffTwoStepVerification(task.factorId);
  return error ? toFailedView(error) : 'done';
};

const toFailedView = (error: ActionError): View => {
  const needed = findNeededProof(error);
  return needed ? { name: 'reauthentication', needed } : describeFailure(error);
};

const describeFailure = (error: ActionError): View => ({
  name: 'failed',
  message: describeTwoStepFailure(error),
});

export interface TwoStepDialogProps {
  task: TwoStepTask;
  email: string;
  /**
   * Called after every change to two-step verification, and after a failed request, because only its response
   * may have been lost.
   */
  onChanged: () => void;
  onClose: () => void;
}

/**
 * The dialog that changes two-step verification. It asks for the password unless the person has logged in
 * recently.
 */
export function TwoStepDialog({ task, email, onChanged, onClose }: TwoStepDialogProps) {
  const [view, setView] = useState<View>({
    name: task.name === 'set up' || (task.name === 'codes' && !task.hasCodes) ? 'working' : 'question',
  });

  // The task to run again after it failed or after the person has proved their identity.
  const [current, setCurrent] = useState(task);

  const isClosed = useRef(false);
  const close = () => {
    // Recovery codes are shown only once, so the dialog stays open until they are there.
    if (view.name === 'working' && current.name === 'codes') return;
    isClosed.current = true;
    onClose();
  };

  const run = async (next: TwoStepTask): Promise<void> => {
    if (isClosed.current) return;
    setCurrent(next);
    setView({ name: 'working' });
    const outcome = await perform(next);
    if (outcome === 'done') {
      toast.success('Two-step verification is off');
      onClose();
    } else setView(outcome);
    if (outcome === 'done' || outcome.name === 'codes' || outcome.name === 'failed') onChanged();
  };

  const startsAtOnce = view.name === 'working';
  const hasStarted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts once, when the dialog opens
  useEffect(() => {
    if (!startsAtOnce || hasStarted.current) return;
    hasStarted.current = true;
    void run(task);
  }, []);

  const finishAuthenticatorSetup = () => {
    toast.success('Two-step verification is on');
    onChanged();
    void run({ name: 'codes', hasCodes: false });
  };

  return (
    <Dialog
      open
      onOpenChange={close}
      keepOpen
      title={view.name === 'codes' ? 'Save your recovery codes' : titles[task.name]}
      actions={
        view.name === 'question' ? (
          <>
            <DialogClose>
              <Button variant="secondary">Cancel</Button>
            </DialogClose>
            <OnlineOnlyButton
              variant={task.name === 'turn off' ? 'danger' : 'primary'}
              onClick={() => void run(current)}
            >
              {task.name === 'turn off' ? 'Turn off' : 'Create new codes'}
            </OnlineOnlyButton>
          </>
        ) : (
          view.name === 'codes' && (
            <DialogClose>
              <Button>I saved them</Button>
            </DialogClose>
          )
        )
      }
    >
      {view.name === 'question' && task.name !== 'set up' && <p>{questions[task.name]}</p>}
      {view.name === 'working' && (
        <div className="grid min-h-40 place-items-center">
          <Spinner label="Please wait" />
        </div>
      )}
      {view.name === 'reauthentication' && (
        <ReauthenticationForm email={email} needed={view.needed} onProved={() => void run(current)} />
      )}
      {view.name === 'failed' && <LoadFailed onRetry={() => void run(current)}>{view.message}</LoadFailed>}
      {view.name === 'setup' && <AuthenticatorForm setup={view.setup} onDone={finishAuthenticatorSetup} />}
      {view.name === 'codes' && <RecoveryCodeList codes={view.codes} email={email} />}
    </Dialog>
  );
}
