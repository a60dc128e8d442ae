import { clsx } from 'clsx';
import { formatExactPrice, formatPrice } from '#contract/prices.ts';

export interface PriceProps {
  /** Price in dollars. */
  amount: number;
  /** Unit shown after the amount, such as `/day`. */
  unit?: string | undefined;
  /** Whether the price always has two decimals. */
  exact?: boolean | undefined;
  className?: string | undefined;
}

export function Price({ amount, unit, exact, className }: PriceProps) {
  return (
    <span className={clsx('figures font-extrabold', className)}>
      <span>{exact ? formatExactPrice(amount) : formatPrice(amount)}</span>
      {unit && amount > 0 && <span className="font-medium text-ink-muted text-[0.8em]">{unit}</span>}
    </span>
  );
}
