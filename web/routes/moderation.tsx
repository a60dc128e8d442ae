import { type MetaFunction, useParams } from 'react-router';
import { SecondFactorNeeded } from '#web/accounts/second-factor-needed.tsx';
import { getConsoleSectionTitle, useConsoleAccess } from '#web/console/public.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageNotFound } from '#web/shell/page-not-found.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';

// Loaded only after the server has confirmed the role, so that nobody else loads the console.
const Console = lazyComponent(async () => (await import('#web/console/console.tsx')).Console, {
  placeholder: PageSpinner,
});

export const meta: MetaFunction = (args) =>
  createScreenMeta(getConsoleSectionTitle(args.params['*'] ?? ''))(args);

export default function Moderation() {
  const { user } = useSession();
  return user ? <ConsoleGuard key={user.id} ownId={user.id} /> : <PageSpinner />;
}

/** Shows the console to those who may use it, an explanation to those without a second factor, and a 404 page to all others. */
function ConsoleGuard({ ownId }: { ownId: string }) {
  const access = useConsoleAccess(ownId);
  const path = useParams()['*'] ?? '';
  if (access.state === 'loading') return <PageSpinner />;
  if (access.state === 'refused') return <PageNotFound />;
  if (access.state === 'needs_second_factor') {
    return (
      <PageBody width="reading">
        <SecondFactorNeeded onProved={access.retry} />
      </PageBody>
    );
  }
  if (access.state === 'failed') {
    return (
      <PageBody width="reading">
        <LoadFailed onRetry={access.retry}>Failed to open the console</LoadFailed>
      </PageBody>
    );
  }
  return <Console ownId={ownId} role={access.role} path={path} notFound={<PageNotFound />} />;
}
