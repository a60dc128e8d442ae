import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { AccountCard, TextLink } from '#web/accounts/account-card.tsx';
import { CodeStep } from '#web/accounts/code-step.tsx';
import { type ActionResult, passwordNotSet, resendSignupOTP, verifySignupOTP } from '#web/accounts/public.ts';
import { type SignUpDetails, SignUpForm } from '#web/accounts/sign-up-form.tsx';
import { links } from '#web/lib/links.ts';
import { screenMeta } from '#web/lib/page-meta.ts';
import { loginPath, useReturnPath } from '#web/lib/return-path.ts';
import { prepareAccountClient } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { saveSignUpName } from '#web/profiles/public.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { toast } from '#web/ui/toast.ts';

/** Delay before the log-in screen when the account exists, in milliseconds (specification §9). */
const accountExistsMs = 2000;

export const meta = screenMeta('Sign Up');

export default function Signup() {
  const { isAuthenticated } = useSession();
  const from = useReturnPath();
  const navigate = useNavigate();
  const [details, setDetails] = useState<SignUpDetails>();
  const [step, setStep] = useState<'form' | 'code'>('form');
  // The session appears before name and password are written, so navigating waits for both.
  const [verifying, setVerifying] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(prepareAccountClient, []);
  useEffect(() => () => clearTimeout(leaving.current), []);

  if (isAuthenticated && !verifying) return <Redirect to={from ?? links.profile} />;

  const verify = async (code: string): Promise<ActionResult> => {
    if (!details) return {};
    setVerifying(true);
    const { email, password, fullName } = details;
    const result = await verifySignupOTP({ email, password, code });
    if (!result.error) await saveSignUpName(fullName);
    setVerifying(false);
    const withoutPassword = result.error?.code === 'password_not_set';
    if (!result.error || withoutPassword) toast.success('Account verified successfully!');
    if (!withoutPassword) return result;
    toast.error(passwordNotSet);
    return {};
  };

  if (step === 'code' && details) {
    return (
      <AccountCard title="Verify your email">
        <CodeStep
          email={details.email}
          submitLabel="Verify"
          backLabel="Back to Sign Up"
          onBack={() => setStep('form')}
          onVerify={verify}
          onResend={() => resendSignupOTP(details.email)}
        />
      </AccountCard>
    );
  }
  return (
    <AccountCard
      title="Sign Up"
      subtitle="Buy, sell and trade with people on your campus."
      footer={
        <p>
          Already have an account? <TextLink to={loginPath(from)}>Log In</TextLink>
        </p>
      }
    >
      <SignUpForm
        details={details}
        onCodeSent={(form) => {
          setDetails(form);
          setStep('code');
        }}
        onAccountExists={() => {
          leaving.current = setTimeout(() => void navigate(loginPath(from)), accountExistsMs);
        }}
      />
    </AccountCard>
  );
}
