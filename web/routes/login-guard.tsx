import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { hasMessagesOfLostSession } from '#web/conversations/public.ts';
import { links } from '#web/lib/links.ts';
import { toLoginPath } from '#web/lib/return-path.ts';
import { hasLoggedOut } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { sessionEndToastGroup, toast } from '#web/ui/toast.ts';

/**
 * The login guard of all private screens. Redirects signed-out visitors to /login, which returns to
 * the requested screen after logging in.
 */
export default function LoginGuard() {
  const { loading, isAuthenticated } = useSession();
  const { pathname, search, hash } = useLocation();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (isAuthenticated) wasSignedIn.current = true;
  }, [isAuthenticated]);

  const hasLostSession = !loading && !isAuthenticated && !hasLoggedOut() && pathname === links.messages;
  useEffect(() => {
    // The outbox has said so if there are messages to send.
    if (hasLostSession && wasSignedIn.current && !hasMessagesOfLostSession())
      toast.error(
        'You were logged out',
        'Log in again to see your messages.',
        undefined,
        sessionEndToastGroup,
      );
  }, [hasLostSession]);

  if (loading) return <PageSpinner />;
  if (isAuthenticated) return <Outlet />;
  // After a log-out, or if the session is lost on the messages screen, the person is redirected to the home
  // page. Until that navigation has ended, do not redirect to the log-in screen.
  const redirectsHome = wasSignedIn.current && (pathname === links.messages || hasLoggedOut());
  return <Redirect to={redirectsHome ? links.home : toLoginPath(`${pathname}${search}${hash}`)} />;
}
