import { LoadFailed } from './load-failed.tsx';
import { Skeleton } from './skeleton.tsx';

export interface LoadingOrFailedProps {
  /** What is loaded, as in "Loading your devices" and "Failed to load your devices". */
  what: string;
  isError: boolean;
  onRetry: () => void;
  /** The height of the placeholder, as a class name. */
  className: string;
}

/** Shown instead of a part of a screen until its data is loaded: a placeholder, or an error with a retry button. */
export function LoadingOrFailed({ what, isError, onRetry, className }: LoadingOrFailedProps) {
  if (isError) return <LoadFailed onRetry={onRetry}>{`Failed to load ${what}`}</LoadFailed>;
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">{`Loading ${what}`}</span>
      <Skeleton className={className} />
    </div>
  );
}
