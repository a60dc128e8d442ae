import { Navigate } from 'react-router';
import { PageSpinner } from '#web/ui/spinner.tsx';

/** Leads elsewhere; until the other screen is there, a spinner stands where this one would be. */
export function Redirect({ to }: { to: string }) {
  return (
    <>
      <Navigate replace to={to} />
      <PageSpinner />
    </>
  );
}
