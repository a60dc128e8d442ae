import { useEffect, useRef, useState } from 'react';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { CodeStep } from '#web/accounts/code-step.tsx';
import {
  type ActionResult,
  passwordNotSetMessage,
  resendSignupOTP,
  verifySignupOTP,
} from '#web/accounts/public.ts';
import { SignOnFirst } from '#web/accounts/sign-on-choice.tsx';
import { SignUpForm, type SignUpFormValues } from '#web/accounts/sign-up-form.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { toLoginPath, useReturnPath } from '#web/lib/return-path.ts';
import { preloadAuthClient } from '#web/lib/session.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useNavigateUnlessLeft } from '#web/lib/use-has-left.ts';
import { useSession } from '#web/lib/use-session.ts';
import { saveSignUpName } from '#web/profiles/public.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';
import { toast } from '#web/ui/toast.ts';

/** Delay in milliseconds before the redirect to the log-in screen if the account already exists (specification §9). */
const accountExistsRedirectDelayMs = 2000;

export const meta = createScreenMeta('Sign Up');

export default function Signup() {
  const { isAuthenticated } = useSession();
  const from = useReturnPath();
  const { signOn } = useCampus();
  const navigate = useNavigateUnlessLeft();
  const [details, setDetails] = useState<SignUpFormValues>();
  const [step, setStep] = useState<'form' | 'code'>('form');
  // The session exists before name and password are saved, so the redirect waits until both are.
  const [isVerifying, setIsVerifying] = useState(false);
  const redirectTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(preloadAuthClient, []);
  useEffect(() => () => clearTimeout(redirectTimer.current), []);

  if (isAuthenticated && !isVerifying) return <Redirect to={from ?? links.profile} />;

  const verify = async (code: string): Promise<ActionResult> => {
    if (!details) return {};
    setIsVerifying(true);
    const { email, password, fullName } = details;
    const result = await verifySignupOTP({ email, password, code });
    if (!result.error) await saveSignUpName(fullName);
    setIsVerifying(false);
    const isPasswordUnset = result.error?.code === 'password_not_set';
    if (!result.error || isPasswordUnset) toast.success('Account verified successfully!');
    if (!isPasswordUnset) return result;
    toast.error(passwordNotSetMessage);
    return {};
  };

  if (step === 'code' && details) {
    return (
      <AccountFormCard title="Verify your email">
        <CodeStep
          email={details.email}
          submitLabel="Verify"
          backLabel="Back to Sign Up"
          onBack={() => setStep('form')}
          onVerify={verify}
          onResend={() => resendSignupOTP(details.email)}
        />
      </AccountFormCard>
    );
  }
  return (
    <AccountFormCard
      title="Sign Up"
      subtitle="Buy, sell and trade with people on your campus."
      footer={
        <p>
          Already have an account? <StandaloneLink to={toLoginPath(from)}>Log In</StandaloneLink>
        </p>
      }
    >
      <SignOnFirst from={from} hasOtherWays={!signOn?.isOnlySignUp} isOpen={details !== undefined}>
        <SignUpForm
          details={details}
          onSubmit={() => clearTimeout(redirectTimer.current)}
          onCodeSent={(form) => {
            setDetails(form);
            setStep('code');
          }}
          onAccountExists={() => {
            redirectTimer.current = setTimeout(
              () => navigate(toLoginPath(from)),
              accountExistsRedirectDelayMs,
            );
          }}
        />
      </SignOnFirst>
    </AccountFormCard>
  );
}
