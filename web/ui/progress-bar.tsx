import { clsx } from 'clsx';

export interface ProgressBarProps {
  /** Progress in percent, from 0 to 100. */
  value: number;
  /** Accessible name of the progress bar. */
  label: string;
  tone?: 'brand' | 'positive' | undefined;
}

export function ProgressBar({ value, label, tone = 'brand' }: ProgressBarProps) {
  const percent = Math.round(Math.max(0, Math.min(100, value)));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2.5 w-full overflow-hidden rounded-full bg-line forced-colors:border"
    >
      <div
        className={clsx(
          'h-full rounded-full transition-[width] duration-300',
          'forced-colors:bg-brand',
          tone === 'brand' ? 'bg-brand-text' : 'bg-lawn',
        )}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
