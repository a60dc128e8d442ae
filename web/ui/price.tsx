import { clsx } from 'clsx';
import { formatPrice } from '#contract/prices.ts';

export interface PriceProps {
  /** Price in dollars. */
  amount: number;
  /** Unit shown after the amount, such as `/day`. */
  unit?: string | undefined;
  className?: string | undefined;
}

export function Price({ amount, unit, className }: PriceProps) {
  return (
    <span className={clsx('figures font-extrabold', className)}>
      <span>{formatPrice(amount)}</span>
      {unit && amount > 0 && <span className="font-medium text-ink-muted text-[0.8em]">{unit}</span>}
    </span>
  );
}
