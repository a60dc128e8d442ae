import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { getCurrencySign, isCurrencyFirst } from '#contract/price-fields.ts';
import { getPriceDecimals } from '#contract/prices.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Input } from './input.tsx';

/**
 * An input for a price in the currency of the campus. It is not a number input, because those report an empty value if
 * they cannot parse the typed text.
 */
export function PriceInput({ className, ...rest }: ComponentProps<'input'>) {
  const campus = useCampus();
  return (
    <Input
      {...{ [isCurrencyFirst(campus) ? 'leading' : 'trailing']: getCurrencySign(campus) }}
      inputMode={getPriceDecimals(campus) === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      className={clsx('figures', className)}
      {...rest}
    />
  );
}
