import { useEffect } from 'react';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { preloadAuthClient } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';

export const meta = createScreenMeta('Completing sign in');

export default function AuthCallback() {
  const { isAuthenticated } = useSession();
  useEffect(preloadAuthClient, []);

  if (isAuthenticated) return <Redirect to={links.home} />;
  return (
    <AccountFormCard
      title="Completing sign in..."
      footer={
        <p>
          Taking too long? <StandaloneLink to={links.login}>Log in again</StandaloneLink>
        </p>
      }
    >
      <div className="grid place-items-center py-6">
        <Spinner size="lg" label="Completing sign in..." />
      </div>
    </AccountFormCard>
  );
}
