import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { accountErrorMessages } from '#contract/accounts.ts';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { ResetPasswordForm } from '#web/accounts/reset-password-form.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { Alert } from '#web/ui/alert.tsx';
import { StandaloneLink, TextLink } from '#web/ui/text-link.tsx';

/** Delay in milliseconds between the success message and the redirect to the log-in screen (specification §9). */
const redirectDelayMs = 3000;

export const meta = createScreenMeta('Choose a New Password');

export default function ResetPassword() {
  const { token } = useParams();
  const navigate = useNavigate();
  const [isDone, setIsDone] = useState(false);

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate(links.login, { replace: true }), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);

  if (isDone) {
    return (
      <AccountFormCard
        title="Password updated"
        footer={<StandaloneLink to={links.login}>Log in now</StandaloneLink>}
      >
        <CircleCheck aria-hidden="true" className="mb-4 size-12 text-lawn-text" strokeWidth={1.5} />
        <p role="status">
          Password updated successfully! You can log in with it now; we are taking you there.
        </p>
      </AccountFormCard>
    );
  }
  return (
    <AccountFormCard
      title="Choose a new password"
      footer={<StandaloneLink to={links.login}>Back to Log In</StandaloneLink>}
    >
      {token ? (
        <ResetPasswordForm token={token} onDone={() => setIsDone(true)} />
      ) : (
        <Alert tone="error">
          <span>{`${accountErrorMessages.resetLink}. `}</span>
          <TextLink to={links.forgotPassword}>Request a new one</TextLink>
        </Alert>
      )}
    </AccountFormCard>
  );
}
