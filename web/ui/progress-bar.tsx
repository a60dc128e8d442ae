import { clsx } from 'clsx';

export interface ProgressBarProps {
  /** Progress in percent, from 0 to 100. */
  value: number;
  /** Accessible name of the progress bar. */
  label: string;
  /** The color of the progress; `text` is that of the text around it. */
  tone?: keyof typeof toneClasses | undefined;
}

const toneClasses = { brand: 'bg-brand-text', positive: 'bg-lawn', text: 'bg-current' };

export function ProgressBar({ value, label, tone = 'brand' }: ProgressBarProps) {
  const percent = Math.round(Math.max(0, Math.min(100, value)));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={clsx(
        'h-2.5 w-full overflow-hidden rounded-full forced-colors:border',
        tone === 'text' ? 'bg-current/25' : 'bg-line',
      )}
    >
      <div
        className={clsx(
          'h-full rounded-full transition-[width] duration-300 forced-colors:bg-brand',
          toneClasses[tone],
        )}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
