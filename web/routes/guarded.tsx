import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { links } from '#web/lib/links.ts';
import { loginPath } from '#web/lib/return-path.ts';
import { hasLoggedOut } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.ts';

/** The login guard of every private screen: redirects to /login, which leads back afterwards. */
export default function Guarded() {
  const { loading, isAuthenticated } = useSession();
  const { pathname, search, hash } = useLocation();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (isAuthenticated) wasSignedIn.current = true;
  }, [isAuthenticated]);

  const hasLostSession = !loading && !isAuthenticated && !hasLoggedOut() && pathname === links.messages;
  useEffect(() => {
    if (hasLostSession && wasSignedIn.current)
      toast.error('You were logged out', 'Log in again to see your messages.');
  }, [hasLostSession]);

  if (loading) return <PageSpinner />;
  if (isAuthenticated) return <Outlet />;
  // Logging out leads home, and so does losing the session on the messages; a screen that is still being left when
  // its session ends must not lead to the log-in instead.
  const redirectsHome = wasSignedIn.current && (pathname === links.messages || hasLoggedOut());
  return <Redirect to={redirectsHome ? links.home : loginPath(`${pathname}${search}${hash}`)} />;
}
