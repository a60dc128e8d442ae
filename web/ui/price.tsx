import { clsx } from 'clsx';
import { formatExactPrice, formatPrice } from '#contract/prices.ts';
import { useCampus } from '#web/lib/use-campus.ts';

export interface PriceProps {
  amount: number;
  /** Unit shown after the amount, such as `/day`. */
  unit?: string | undefined;
  /** Whether the price always has all decimals of the currency. */
  exact?: boolean | undefined;
  className?: string | undefined;
}

export function Price({ amount, unit, exact, className }: PriceProps) {
  const campus = useCampus();
  return (
    <span className={clsx('figures font-extrabold', className)}>
      <span>{exact ? formatExactPrice(campus, amount) : formatPrice(campus, amount)}</span>
      {unit && amount > 0 && <span className="font-medium text-ink-muted text-[0.8em]">{unit}</span>}
    </span>
  );
}
