import { clsx } from 'clsx';
import { Star } from 'lucide-react';
import { getNumberFormat } from '#contract/number-format.ts';
import { useCampus } from '#web/lib/use-campus.ts';

export interface RatingProps {
  /** The average number of stars. Without it, the component renders nothing. */
  value: number | null;
  count: number;
  /** Leaves out the number of reviews where there is little space. */
  compact?: boolean | undefined;
  className?: string | undefined;
}

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** The average rating of a person: a star, the average, and the number of reviews. */
export function Rating({ value, count, compact = false, className }: RatingProps) {
  const { locale } = useCampus();
  if (value === null || count === 0) return null;
  const average = getNumberFormat(locale, oneDecimal).format(value);
  return (
    <span
      role="img"
      aria-label={`Rated ${average} of 5 in ${count} ${count === 1 ? 'review' : 'reviews'}`}
      className={clsx('figures inline-flex shrink-0 items-center gap-1 whitespace-nowrap', className)}
    >
      <Star aria-hidden="true" className="size-[1.1em] fill-gold text-gold" />
      <span className="font-semibold text-ink">{average}</span>
      {!compact && <span className="text-ink-muted">{`(${count})`}</span>}
    </span>
  );
}

export function Stars({ value }: { value: number }) {
  return (
    <span role="img" aria-label={`${value} of 5 stars`} className="inline-flex gap-0.5 align-[-0.125em]">
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          aria-hidden="true"
          className={clsx('size-4', star <= value ? 'fill-gold text-gold' : 'text-line-strong')}
        />
      ))}
    </span>
  );
}
