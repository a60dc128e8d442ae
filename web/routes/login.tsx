import { lazy, useEffect, useState } from 'react';
import { AccountCard, TextLink } from '#web/accounts/account-card.tsx';
import { CodeStep } from '#web/accounts/code-step.tsx';
import { LogInForm } from '#web/accounts/log-in-form.tsx';
import { sendOTP, verifyOTP } from '#web/accounts/public.ts';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { profileSetupPath, signupPath, useReturnPath } from '#web/lib/return-path.ts';
import { preloadAccountClient } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { LazyPart } from '#web/ui/lazy-part.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const SecondFactorStep = lazy(async () => ({
  default: (await import('#web/accounts/second-factor-step.tsx')).SecondFactorStep,
}));

interface EnteredCredentials {
  email: string;
  /** The password, if the server accepted it and only the emailed code is missing. */
  password?: string | undefined;
}

export const meta = createScreenMeta('Log In');

export default function Login() {
  const { isAuthenticated, awaitsSecondFactor, user } = useSession();
  const from = useReturnPath();
  const [{ email, password }, setEntered] = useState<EnteredCredentials>({ email: '' });
  const [step, setStep] = useState<'form' | 'code'>('form');
  useEffect(preloadAccountClient, []);

  if (isAuthenticated) {
    // An emailed code can confirm a sign-up that was started in another browser. The server then discards
    // the name and password that were entered there, so the name is missing.
    const isNameMissing = step === 'code' && !user?.user_metadata.full_name;
    return <Redirect to={isNameMissing ? profileSetupPath(from) : (from ?? links.home)} />;
  }
  if (awaitsSecondFactor) {
    return (
      <AccountCard title="Two-step verification">
        <LazyPart fallback={<Spinner />}>
          <SecondFactorStep />
        </LazyPart>
      </AccountCard>
    );
  }
  const footer = (
    <p>
      New here? <TextLink to={signupPath(from)}>Create an account</TextLink>
    </p>
  );
  if (step === 'code') {
    return (
      <AccountCard title="Check your email" footer={footer}>
        <CodeStep
          email={email}
          submitLabel="Log In"
          backLabel="Back to Log In"
          onBack={() => setStep('form')}
          onVerify={(code) => verifyOTP({ email, code, password })}
          onResend={() => sendOTP(email)}
        />
      </AccountCard>
    );
  }
  return (
    <AccountCard title="Log In" subtitle="Welcome back." footer={footer}>
      <LogInForm
        email={email}
        forgotTo={links.forgotPassword}
        onCodeSent={(entered) => {
          setEntered(entered);
          setStep('code');
        }}
      />
    </AccountCard>
  );
}
