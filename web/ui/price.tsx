import { clsx } from 'clsx';

export interface PriceProps {
  amount: number | string;
  /** `raw`: as stored, `$45`; `exact`: with two decimals, `$45.00`. */
  format?: 'raw' | 'exact' | undefined;
  /** After the amount, such as `/day`. */
  unit?: string | undefined;
  className?: string | undefined;
}

export function Price({ amount, format = 'raw', unit, className }: PriceProps) {
  const value = Number(amount);
  return (
    <span className={clsx('figures font-extrabold', className)}>
      ${format === 'exact' ? value.toFixed(2) : String(value)}
      {unit && <span className="font-medium text-ink-muted text-[0.8em]">{unit}</span>}
    </span>
  );
}
