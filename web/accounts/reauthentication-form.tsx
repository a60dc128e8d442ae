import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loginSchema } from '#contract/accounts.ts';
import { isSignOnRequired } from '#contract/campus.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { hasPassword } from '#web/lib/session.ts';
import { goToProveBySignOn, goToSignOn } from '#web/lib/sign-on.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { useIsSignOnConnected } from '#web/lib/use-is-sign-on-connected.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeStep } from './code-step.tsx';
import { codeAlreadySentMessage, describeResendFailure } from './failure-messages.ts';
import type { NeededProof } from './needed-proof.ts';
import { PasskeyProofButton } from './passkey-proof-button.tsx';
import { supportsPasskeyProof } from './passkey-support.ts';
import { describeTwoStepFailure, submitReauthentication } from './second-factor-actions.ts';
import { sendOTP } from './session-actions.ts';
import { SignOnChoice } from './sign-on-choice.tsx';

const leadText = 'Before this change, please show that it is you.';
const passkeyLeadText =
  'You have a role in the console, so this change needs your passkey, as the second step of your log-in.';
const passwordSchema = loginSchema.pick({ password: true });

interface ProofFormProps {
  email: string;
  onProved: () => void;
  /** What the person should know before they leave the page for the university's sign-on. */
  leavingHint?: string | undefined;
}

interface ReauthenticationFormProps extends ProofFormProps {
  /** What the server has asked for. By default, any proof of identity. */
  needed?: NeededProof;
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
 * Asks the person to prove their identity with their password, a passkey, an emailed code or the university's sign-on, or for the
 * second step. The server requires this for sensitive changes unless the person has logged in recently.
 */
export function ReauthenticationForm({ needed, ...props }: ReauthenticationFormProps) {
  return needed === 'second factor' ? (
    <PasskeyProof onProved={props.onProved} />
  ) : (
    <IdentityProof {...props} />
  );
}

/** Only somebody with a role in the console who has passkeys lacks the second factor in an open session. */
function PasskeyProof({ onProved }: Pick<ProofFormProps, 'onProved'>) {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-muted text-sm">{passkeyLeadText}</p>
      {supportsPasskeyProof() ? (
        <PasskeyProofButton onProved={onProved} />
      ) : (
        <Alert tone="notice">This browser cannot use passkeys here. Please use another one.</Alert>
      )}
    </div>
  );
}

function IdentityProof({ email, onProved, leavingHint }: ProofFormProps) {
  const [isCodeSent, setIsCodeSent] = useState(false);
  const [resendAfter, setResendAfter] = useState<number>();
  const [isSending, setIsSending] = useState(false);
  const { user } = useSession();
  const mayEnterPassword = hasPassword(user);
  const hasPasskeys = useHasPasskeys(user?.id);
  const isSignOnConnected = useIsSignOnConnected();
  const isRequired = isSignOnRequired(useCampus(), email);

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
  const lead = <p className="text-ink-muted text-sm">{leadText}</p>;
  // A log-in by the university's sign-on is a proof, and leads back to this screen. One that is not connected yet asks for a code.
  const signOn = (
    <div className="flex flex-col gap-2">
      {leavingHint && <p className="text-ink-muted text-sm">{leavingHint}</p>}
      <SignOnChoice
        from={`${window.location.pathname}${window.location.search}`}
        isAlone={isRequired}
        goToProof={isSignOnConnected ? goToProveBySignOn : (from) => goToSignOn(from, true)}
      />
    </div>
  );
  if (isRequired) {
    return (
      <div className="flex flex-col gap-5">
        {lead}
        {signOn}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      {lead}
      {isSignOnConnected && signOn}
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

function CurrentPasswordForm({ email, onProved }: ProofFormProps) {
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
