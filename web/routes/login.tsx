import { useEffect, useState } from 'react';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { CodeStep } from '#web/accounts/code-step.tsx';
import { type EnteredCredentials, LogInForm } from '#web/accounts/log-in-form.tsx';
import { PasskeyLogIn, usePasskeyOffer } from '#web/accounts/passkey-log-in.tsx';
import { sendOTP, verifyOTP } from '#web/accounts/public.ts';
import { SignOnFirst } from '#web/accounts/sign-on-choice.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { toProfileSetupPath, toSignupPath, useReturnPath } from '#web/lib/return-path.ts';
import { preloadAuthClient } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';

const SecondFactorStep = lazyComponent(
  async () => (await import('#web/accounts/second-factor-step.tsx')).SecondFactorStep,
  { placeholder: Spinner },
);

export const meta = createScreenMeta('Log In');

export default function Login() {
  const { isAuthenticated, awaitsSecondFactor, user } = useSession();
  const from = useReturnPath();
  const [{ email, password, resendAfter }, setEntered] = useState<EnteredCredentials>({ email: '' });
  const [step, setStep] = useState<'form' | 'code'>('form');
  useEffect(preloadAuthClient, []);
  usePasskeyOffer();

  if (isAuthenticated) {
    // An emailed code can confirm a sign-up that was started in another browser. The server then discards
    // the name and password that were entered there, so the name is missing.
    const isNameMissing = step === 'code' && !user?.user_metadata.full_name;
    return <Redirect to={isNameMissing ? toProfileSetupPath(from) : (from ?? links.home)} />;
  }
  if (awaitsSecondFactor) {
    return (
      <AccountFormCard title="Two-step verification">
        <SecondFactorStep />
      </AccountFormCard>
    );
  }
  const footer = (
    <p>
      New here? <StandaloneLink to={toSignupPath(from)}>Create an account</StandaloneLink>
    </p>
  );
  if (step === 'code') {
    return (
      <AccountFormCard title="Check your email" footer={footer}>
        <CodeStep
          email={email}
          resendAfter={resendAfter}
          submitLabel="Log In"
          backLabel="Back to Log In"
          onBack={() => setStep('form')}
          onVerify={(code) => verifyOTP({ email, code, password })}
          onResend={() => sendOTP(email)}
        />
      </AccountFormCard>
    );
  }
  return (
    <AccountFormCard title="Log In" subtitle="Welcome back." footer={footer}>
      <SignOnFirst from={from} isOpen={email !== ''}>
        <LogInForm
          email={email}
          forgotTo={links.forgotPassword}
          onCodeSent={(entered) => {
            setEntered(entered);
            setStep('code');
          }}
        />
        <PasskeyLogIn />
      </SignOnFirst>
    </AccountFormCard>
  );
}
