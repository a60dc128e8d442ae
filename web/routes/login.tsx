import { useEffect, useState } from 'react';
import { AccountCard } from '#web/accounts/account-card.tsx';
import { CodeStep } from '#web/accounts/code-step.tsx';
import { LogInForm } from '#web/accounts/log-in-form.tsx';
import { TextLink } from '#web/accounts/text-link.tsx';
import { signupPath } from '#web/lib/return-path.ts';
import { screenMeta } from '#web/lib/screen-meta.ts';
import { prepareAccountClient } from '#web/lib/session.ts';
import { sendOTP, verifyOTP } from '#web/lib/session-actions.ts';
import { useReturnPath } from '#web/lib/use-return-path.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';

export const meta = screenMeta('Log In');

export default function Login() {
  const { isAuthenticated } = useSession();
  const from = useReturnPath();
  const [email, setEmail] = useState('');
  const [step, setStep] = useState<'form' | 'code'>('form');
  useEffect(prepareAccountClient, []);

  if (isAuthenticated) return <Redirect to={from ?? '/'} />;
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
          onVerify={(code) => verifyOTP({ email, code })}
          onResend={() => sendOTP(email)}
        />
      </AccountCard>
    );
  }
  return (
    <AccountCard title="Log In" subtitle="Welcome back." footer={footer}>
      <LogInForm
        email={email}
        forgotTo="/forgot-password"
        onCodeSent={(address) => {
          setEmail(address);
          setStep('code');
        }}
      />
    </AccountCard>
  );
}
