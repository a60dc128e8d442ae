import { useState } from 'react';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { parseAmount, toPriceRange, toTypedAmounts } from './filters.ts';

export interface PriceAmountsProps {
  /** The chosen price range, as in the URL. */
  range: string | undefined;
  onChoose: (range: string) => void;
}

const fields = [
  { end: 'min', label: 'Min price' },
  { end: 'max', label: 'Max price' },
] as const;

/** Two fields for a price range of one's own. It is chosen when a field is left or Enter is pressed. */
export function PriceAmounts({ range, onChoose }: PriceAmountsProps) {
  const [typed, setTyped] = useState({ range, ...toTypedAmounts(range) });
  if (typed.range !== range) setTyped({ range, ...toTypedAmounts(range) });
  const amounts = { min: parseAmount(typed.min), max: parseAmount(typed.max) };

  const commit = () => {
    const before = toTypedAmounts(range);
    const { min, max } = amounts;
    if (min === undefined || max === undefined || (min === before.min && max === before.max)) return;
    onChoose(toPriceRange(min, max));
  };
  return (
    <div className="two-columns items-start gap-2 md:w-52 md:grid-cols-2">
      {fields.map(({ end, label }) => (
        <Field
          key={end}
          label={label}
          error={amounts[end] === undefined ? 'Enter a number, such as 25' : undefined}
        >
          <Input
            name={`${end}_price`}
            inputMode="decimal"
            leading="$"
            value={typed[end]}
            onChange={(event) => setTyped({ ...typed, [end]: event.currentTarget.value })}
            onBlur={commit}
            onKeyDown={(event) => event.key === 'Enter' && commit()}
          />
        </Field>
      ))}
    </div>
  );
}
