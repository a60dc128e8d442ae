import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { resetLinkLifetimeSeconds } from '#contract/accounts.ts';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { ForgotPasswordForm } from '#web/accounts/forgot-password-form.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { StandaloneLink, TextLink } from '#web/ui/text-link.tsx';

export const meta = createScreenMeta('Forgot Password');

export default function ForgotPassword() {
  const campus = useCampus();
  const [sentTo, setSentTo] = useState<string>();
  const footer = <StandaloneLink to={links.login}>Back to Log In</StandaloneLink>;

  if (sentTo) {
    return (
      <AccountFormCard title="Check your email" footer={footer}>
        <MailCheck aria-hidden="true" className="mb-4 size-12 text-lawn-text" strokeWidth={1.5} />
        <p>{`If this ${campus.shortName} email exists, a reset link has been sent.`}</p>
        <p className="mt-3 text-ink-muted">
          We looked for <strong className="break-words text-ink">{sentTo}</strong>.
          <span>{` The link works for ${resetLinkLifetimeSeconds / 60} minutes.`}</span>
        </p>
      </AccountFormCard>
    );
  }
  return (
    <AccountFormCard
      title="Forgot your password?"
      subtitle="Enter your email and we will send you a link to choose a new one."
      footer={footer}
    >
      <ForgotPasswordForm campus={campus} onSent={setSentTo} />
      <p className="mt-5 text-ink-muted text-sm">
        You can also log in without a password, with any email address: choose “Email me a code” on the{' '}
        <TextLink to={links.login}>log-in page</TextLink>.
      </p>
    </AccountFormCard>
  );
}
