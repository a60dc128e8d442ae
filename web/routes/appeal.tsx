import { useState } from 'react';
import { useParams } from 'react-router';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { AppealForm } from '#web/decisions/appeal-form.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { StandaloneLink } from '#web/ui/text-link.tsx';

export const meta = createScreenMeta('Appeal');

/** The page that emails to suspended people link to; it needs no log-in. */
export default function Appeal() {
  const { token = '' } = useParams();
  const [sentToken, setSentToken] = useState<string>();
  return (
    <AccountFormCard
      title="Appeal a decision"
      footer={<StandaloneLink to={links.guidelines}>Read the guidelines</StandaloneLink>}
    >
      {sentToken === token ? (
        <p role="status">Your appeal was sent. We will email you what a moderator decides.</p>
      ) : (
        <AppealForm key={token} about={{ token }} onSent={() => setSentToken(token)} />
      )}
    </AccountFormCard>
  );
}
