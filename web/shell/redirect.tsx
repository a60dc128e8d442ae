import { Navigate } from 'react-router';
import { PageSpinner } from '#web/ui/spinner.tsx';

/** Navigates elsewhere and shows a spinner until the other screen is loaded. */
export function Redirect({ to }: { to: string }) {
  return (
    <>
      <Navigate replace to={to} />
      <PageSpinner />
    </>
  );
}
