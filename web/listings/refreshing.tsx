import type { ReactNode } from 'react';
import { useNavigation } from 'react-router';
import { Spinner } from '#web/ui/spinner.tsx';

/** Fades what is about to be replaced while another order or choice is fetched. */
export function Refreshing({ children }: { children: ReactNode }) {
  const { state } = useNavigation();
  return (
    <div
      aria-busy={state !== 'idle'}
      className="transition-opacity duration-200 aria-busy:opacity-60 aria-busy:delay-150"
    >
      {children}
    </div>
  );
}

/** How many there are, read aloud when it changes, with a spinner while that is being found out. */
export function CountLine({ children }: { children: ReactNode }) {
  const { state } = useNavigation();
  return (
    <span className="inline-flex items-center gap-2.5">
      <span role="status">{children}</span>
      {state !== 'idle' && <Spinner size="sm" label={null} className="text-brand-text" />}
    </span>
  );
}
