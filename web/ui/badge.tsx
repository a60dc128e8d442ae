import { clsx } from 'clsx';
import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';

const toneClasses = {
  neutral: 'bg-line text-ink',
  brand: 'bg-brand-soft text-brand-text',
  gold: 'bg-gold text-on-gold',
  positive: 'bg-lawn-soft text-lawn-text',
  solid: 'bg-brand text-on-brand',
};

export interface BadgeProps {
  tone?: keyof typeof toneClasses | undefined;
  icon?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full forced-colors:border px-2.5 py-0.5 font-semibold text-xs [&_svg]:size-3.5',
        toneClasses[tone],
        className,
      )}
    >
      {icon}
      <span>{children}</span>
    </span>
  );
}

/** The badge of a person with a confirmed campus address. `compact` shows only the check mark, for use after a name. */
export function VerifiedBadge({ compact = false }: { compact?: boolean }) {
  if (compact) {
    return (
      <span role="img" aria-label="Verified" title="Verified" className="inline-flex text-lawn-text">
        <BadgeCheck aria-hidden="true" className="size-[1.1em]" />
      </span>
    );
  }
  return (
    <Badge tone="positive" icon={<BadgeCheck aria-hidden="true" />}>
      Verified
    </Badge>
  );
}

/** A count in a pill, hidden at zero. The surrounding text must say what is counted. */
export function CountBadge({ count, className }: { count: number; className?: string }) {
  if (count <= 0) return null;
  return (
    <span
      className={clsx(
        'figures inline-grid h-5 min-w-5 place-items-center rounded-full bg-brand px-1.5 font-bold text-[calc(var(--spacing)*3)] text-on-brand leading-none forced-colors:border',
        className,
      )}
    >
      {count > 99 ? '99+' : count}
    </span>
  );
}
