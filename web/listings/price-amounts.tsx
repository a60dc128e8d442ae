import { useState } from 'react';
import { formatPriceField } from '#contract/price-fields.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { toTypedAmounts } from './filters.ts';

export interface PriceAmountsProps {
  /** The chosen price range, as in the URL. */
  range: string | undefined;
  onChoose: (range: string) => void;
}

const fields = [
  { end: 'min', label: 'Min price' },
  { end: 'max', label: 'Max price' },
] as const;

type Amounts = Record<(typeof fields)[number]['end'], string>;

/** Two fields for a price range of one's own. It is chosen when a field is left or Enter is pressed. */
export function PriceAmounts({ range, onChoose }: PriceAmountsProps) {
  const campus = useCampus();
  const [typed, setTyped] = useState({ range, wrong: '', ...toTypedAmounts(range, campus) });
  if (typed.range !== range) setTyped({ range, wrong: '', ...toTypedAmounts(range, campus) });

  /** Reads what is typed with a script that few people need, and says which field is wrong. */
  const read = async ({ min, max }: Amounts): Promise<string | undefined> => {
    const { parseAmount, toPriceRange } = await import('./typed-amounts.ts');
    const [from, to] = [parseAmount(campus, min), parseAmount(campus, max)];
    const wrong = from === undefined ? 'min' : to === undefined ? 'max' : '';
    setTyped((current) => ({ ...current, wrong }));
    return from === undefined || to === undefined ? undefined : toPriceRange(from, to);
  };
  const commit = async () => {
    const before = toTypedAmounts(range, campus);
    if (typed.min === before.min && typed.max === before.max) return;
    const chosen = await read(typed);
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <div className="two-columns items-start gap-2 md:w-52 md:grid-cols-2">
      {fields.map(({ end, label }) => (
        <Field
          key={end}
          label={label}
          error={
            typed.wrong === end
              ? `Enter a number, such as ${formatPriceField(campus, 25 * campus.priceScale, false)}`
              : undefined
          }
        >
          <PriceInput
            name={`${end}_price`}
            value={typed[end]}
            onChange={(event) => {
              const amounts = { ...typed, [end]: event.currentTarget.value };
              setTyped(amounts);
              void read(amounts);
            }}
            onBlur={() => void commit()}
            onKeyDown={(event) => event.key === 'Enter' && void commit()}
          />
        </Field>
      ))}
    </div>
  );
}
