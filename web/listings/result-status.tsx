import type { ReactNode } from 'react';
import { useNavigation } from 'react-router';
import { Spinner } from '#web/ui/spinner.tsx';

/** Fades its content while results for another sort order or filter are loading. */
export function PendingResults({ children }: { children: ReactNode }) {
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

/**
 * Announces the number of results to screen readers, and shows a spinner while new results are loading. Its
 * width does not depend on the spinner, so that the elements beside it do not wrap or move.
 */
export function ResultCount({ children }: { children: ReactNode }) {
  const { state } = useNavigation();
  return (
    <span className="relative inline-flex max-w-full pe-6">
      <span role="status" className="wrap-anywhere min-w-0">
        {children}
      </span>
      {state !== 'idle' && (
        <span className="absolute inset-y-0 end-0 grid place-items-center">
          <Spinner size="sm" label={null} className="text-brand-text" />
        </span>
      )}
    </span>
  );
}
