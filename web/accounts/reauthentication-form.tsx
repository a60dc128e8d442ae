import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loginSchema } from '#contract/accounts.ts';
import { isSignOnRequired } from '#contract/campus.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { hasPassword } from '#web/lib/session.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeStep } from './code-step.tsx';
import { codeAlreadySentMessage, describeResendFailure } from './failure-messages.ts';
import { PasskeyProofButton } from './passkey-proof-button.tsx';
import { supportsPasskeyProof } from './passkey-support.ts';
import { describeTwoStepFailure, submitReauthentication } from './second-factor-actions.ts';
import { sendOTP } from './session-actions.ts';
import { SignOnChoice } from './sign-on-choice.tsx';

const lateText = 'You logged in a while ago. Before this change, please show that it is you.';
const passwordSchema = loginSchema.pick({ password: true });

interface ReauthenticationFormProps {
  email: string;
  onProved: () => void;
}

/** Returns whether the account has passkeys that this browser can use here. */
const useHasPasskeys = (ownId: string | undefined): boolean => {
  const { data } = useQuery(
    {
      queryKey: ['passkeys', ownId],
      queryFn: async () => {
        const { fetchPasskeys } = await importLazyScript(() => import('./passkey-actions.ts'));
        return fetchPasskeys();
      },
      enabled: supportsPasskeyProof(),
    },
    queryClient,
  );
  return data !== undefined && data.length > 0;
};

/**
 * Asks the person to prove their identity with their password, a passkey or an emailed code. The server requires this
 * for sensitive changes unless the person has logged in recently.
 */
export function ReauthenticationForm({ email, onProved }: ReauthenticationFormProps) {
  const [isCodeSent, setIsCodeSent] = useState(false);
  const [resendAfter, setResendAfter] = useState<number>();
  const [isSending, setIsSending] = useState(false);
  const { user } = useSession();
  const mayEnterPassword = hasPassword(user);
  const hasPasskeys = useHasPasskeys(user?.id);
  const campus = useCampus();

  const sendCode = async (): Promise<void> => {
    setIsSending(true);
    const { error } = await sendOTP(email);
    setIsSending(false);
    if (error && error.resendAfter === undefined) {
      toast.error(describeResendFailure(error));
      return;
    }
    if (error) toast.message(codeAlreadySentMessage);
    setResendAfter(error?.resendAfter);
    setIsCodeSent(true);
  };

  // A log-in by the university's sign-on is a proof, and leads back to this screen.
  if (isSignOnRequired(campus, email)) {
    return (
      <>
        <p className="mb-5 text-ink-muted text-sm">{lateText}</p>
        <SignOnChoice from={`${window.location.pathname}${window.location.search}`} isAlone isProof />
      </>
    );
  }
  if (isCodeSent) {
    return (
      <CodeStep
        email={email}
        resendAfter={resendAfter}
        submitLabel="Continue"
        backLabel={mayEnterPassword ? 'Use your password' : 'Back'}
        onBack={() => setIsCodeSent(false)}
        onVerify={async (code) => {
          const result = await submitReauthentication({ code });
          if (!result.error) onProved();
          return result;
        }}
        onResend={() => sendOTP(email)}
      />
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-muted text-sm">{lateText}</p>
      {mayEnterPassword && <CurrentPasswordForm email={email} onProved={onProved} />}
      {hasPasskeys && <PasskeyProofButton onProved={onProved} />}
      <Button
        variant={mayEnterPassword ? 'link' : 'primary'}
        size={mayEnterPassword ? 'sm' : 'md'}
        loading={isSending}
        onClick={() => void sendCode()}
      >
        Email me a code
      </Button>
    </div>
  );
}

function CurrentPasswordForm({ email, onProved }: ReauthenticationFormProps) {
  const { register, handleSubmit, formState, showFieldErrors, submitButton } = useContractForm({
    schema: passwordSchema,
    defaultValues: { password: '' },
    editing: 'clears',
  });
  const submit = handleSubmit(async ({ password }) => {
    const { error } = await submitReauthentication({ password });
    if (!error) return onProved();
    showFieldErrors(error.fields ?? { password: describeTwoStepFailure(error) });
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      {/* Tells password managers which account this password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" error={formState.errors.password?.message} required>
        <PasswordInput autoComplete="current-password" autoFocus {...register('password')} />
      </Field>
      <Button {...submitButton} wide>
        Continue
      </Button>
    </form>
  );
}
