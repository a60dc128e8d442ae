import { clsx } from 'clsx';

const sizeClasses = { sm: 'size-4 border-2', md: 'size-7 border-[3px]', lg: 'size-11 border-4' };

export interface SpinnerProps {
  size?: keyof typeof sizeClasses | undefined;
  /** Accessible name of the spinner; `null` where the surrounding text already says what is loading. */
  label?: string | null | undefined;
  className?: string | undefined;
}

export function Spinner({ size = 'md', label = 'Loading…', className }: SpinnerProps) {
  const ring = (
    <span
      aria-hidden="true"
      className={clsx(
        'inline-block shrink-0 animate-spin rounded-full border-current border-t-transparent',
        sizeClasses[size],
        className,
      )}
    />
  );
  if (label === null) return ring;
  return (
    <span role="status" className="inline-flex items-center text-brand-text">
      {ring}
      <span className="sr-only">{label}</span>
    </span>
  );
}
