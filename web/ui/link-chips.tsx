import { clsx } from 'clsx';
import { Link } from 'react-router';

export interface LinkChipsProps {
  chips: readonly { to: string; label: string }[];
  /** Accessible name of the group, where there is no heading. */
  label?: string | undefined;
  className?: string | undefined;
}

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
