import { useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPath } from '#web/lib/return-path.ts';
import { useSession } from '#web/lib/use-session.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';

/** Around every private screen: those not logged in are sent to /login and led back afterwards. */
export default function Guarded() {
  const { loading, isAuthenticated } = useSession();
  const { pathname, search, hash } = useLocation();
  const wasInside = useRef(false);
  useEffect(() => {
    if (isAuthenticated) wasInside.current = true;
  }, [isAuthenticated]);

  if (loading) return <PageSpinner />;
  if (isAuthenticated) return <Outlet />;
  const lostWhileReading = wasInside.current && pathname === '/messages';
  return <Navigate replace to={lostWhileReading ? '/' : loginPath(`${pathname}${search}${hash}`)} />;
}
