import { Link, type MetaFunction, useParams } from 'react-router';
import { getConsoleSectionTitle, useConsoleAccess } from '#web/console/public.ts';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageNotFound } from '#web/shell/page-not-found.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';
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
  if (access.state === 'needs_second_factor') return <SecondFactorNeeded />;
  if (access.state === 'failed') {
    return (
      <PageBody width="reading">
        <LoadFailed onRetry={access.retry}>Failed to open the console</LoadFailed>
      </PageBody>
    );
  }
  return <Console ownId={ownId} role={access.role} path={path} notFound={<PageNotFound />} />;
}

function SecondFactorNeeded() {
  return (
    <PageBody width="reading">
      <PageEmptyState
        title="Two-step verification needed"
        text="You have a role in the console, but this session was not confirmed with a second factor. Turn on two-step verification in Settings. If it is already on, log out and log in again with a code."
        action={
          <Button asChild>
            <Link to={links.settings('security')}>Open Settings</Link>
          </Button>
        }
      />
    </PageBody>
  );
}
