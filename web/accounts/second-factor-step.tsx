import { type ReactNode, useState } from 'react';
import { recoveryCodeSchema, verifyOtpSchema } from '#contract/accounts.ts';
import { parseStoredSession, signOutThisBrowser } from '#web/lib/session.ts';
import { readBrowserText } from '#web/lib/stored-values.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeField } from './code-field.tsx';
import { PasskeyProofButton } from './passkey-proof-button.tsx';
import { supportsPasskeyProof } from './passkey-support.ts';
import { describeTwoStepFailure, verifyAppCode, verifyRecoveryCode } from './second-factor-actions.ts';
import type { ActionResult } from './session-actions.ts';

/** Returns whether the account of the log-in that waits for its second step has passkeys. */
const hasStoredPasskeys = (): boolean =>
  parseStoredSession(readBrowserText('quad.session'))?.user.app_metadata?.has_passkeys === true;

export function SecondFactorStep() {
  const [uses, setUses] = useState<'app' | 'recovery code'>('app');
  const [hasPasskeys] = useState(() => supportsPasskeyProof() && hasStoredPasskeys());
  const footer = (
    <>
      {hasPasskeys && <PasskeyProofButton />}
      <div className="flex flex-wrap justify-between gap-x-4">
        <Button variant="link" size="sm" onClick={() => setUses(uses === 'app' ? 'recovery code' : 'app')}>
          {uses === 'app' ? 'Use a recovery code' : 'Use your authenticator app'}
        </Button>
        <Button variant="link" size="sm" onClick={() => void signOutThisBrowser()}>
          Back to Log In
        </Button>
      </div>
    </>
  );
  return uses === 'app' ? (
    <AuthenticatorCodeForm submitLabel="Log In" onVerify={verifyAppCode}>
      {footer}
    </AuthenticatorCodeForm>
  ) : (
    <RecoveryCodeForm>{footer}</RecoveryCodeForm>
  );
}

const appCodeSchema = verifyOtpSchema.pick({ code: true });

interface AuthenticatorCodeFormProps {
  submitLabel: string;
  /** Submits the code. This component shows a returned error; the parent handles success. */
  onVerify: (code: string) => Promise<ActionResult>;
  children?: ReactNode;
}

export function AuthenticatorCodeForm({ submitLabel, onVerify, children }: AuthenticatorCodeFormProps) {
  const form = useContractForm({ schema: appCodeSchema, defaultValues: { code: '' }, editing: 'clears' });
  const { handleSubmit, setValue, showFieldErrors, submitButton } = form;

  const verify = handleSubmit(async ({ code }) => {
    const { error } = await onVerify(code);
    if (!error) return;
    const sentence = describeTwoStepFailure(error);
    if (error.code === 'mfa_verification_failed') setValue('code', '');
    showFieldErrors({ code: sentence });
    toast.error(sentence);
  });

  return (
    <form onSubmit={verify} noValidate className="flex flex-col gap-5">
      <CodeField
        label="Enter the 6-digit code from your authenticator app"
        form={form}
        autoFocus
        onComplete={() => void verify()}
      />
      <Button {...submitButton} wide>
        {submitLabel}
      </Button>
      {children}
    </form>
  );
}

function RecoveryCodeForm({ children }: { children: ReactNode }) {
  const { register, handleSubmit, formState, showFieldErrors, submitButton } = useContractForm({
    schema: recoveryCodeSchema,
    defaultValues: { code: '' },
    editing: 'clears',
  });

  const verify = handleSubmit(async ({ code }) => {
    const { error } = await verifyRecoveryCode(code);
    if (!error) return;
    const sentence = describeTwoStepFailure(error);
    showFieldErrors({ code: sentence });
    toast.error(sentence);
  });

  return (
    <form onSubmit={verify} noValidate className="flex flex-col gap-5">
      <Field
        label="Recovery code"
        hint="One of the codes that you saved when you set up two-step verification. Each works once."
        error={formState.errors.code?.message}
        required
      >
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} autoFocus {...register('code')} />
      </Field>
      <Button {...submitButton} wide>
        Log In
      </Button>
      {children}
    </form>
  );
}
