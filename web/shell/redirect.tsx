import { Navigate } from 'react-router';
import { PageSpinner } from '#web/ui/page-spinner.tsx';

/** Navigates to another screen and displays a spinner until that screen is loaded. */
export function Redirect({ to }: { to: string }) {
  return (
    <>
      <Navigate replace to={to} />
      <PageSpinner />
    </>
  );
}
