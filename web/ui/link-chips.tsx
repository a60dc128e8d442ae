import { clsx } from 'clsx';
import { Link } from 'react-router';

export interface LinkChipsProps {
  chips: readonly { to: string; label: string }[];
  /** What they are together, where no heading says so. */
  label?: string | undefined;
  className?: string | undefined;
}

/** Ways on, side by side: a few words each. */
export function LinkChips({ chips, label, className }: LinkChipsProps) {
  return (
    <ul aria-label={label} className={clsx('flex flex-wrap gap-2', className)}>
      {chips.map((chip) => (
        <li key={chip.to}>
          <Link
            to={chip.to}
            className="inline-flex min-h-11 items-center rounded-full border border-line-strong bg-surface px-4 font-semibold text-ink text-sm transition-colors hover:bg-hover"
          >
            {chip.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
