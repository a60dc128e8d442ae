import { clsx } from 'clsx';
import { Fragment } from 'react';
import { useCampus } from '#web/lib/use-campus.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import {
  type ChosenFilters,
  type FilterName,
  formatPriceRange,
  listSelectFilters,
  typedFilterLabels,
} from './filters.ts';
import { PriceAmounts } from './price-amounts.tsx';
import { TypedFilter } from './typed-filter.tsx';

export interface FilterFieldsProps {
  names: readonly FilterName[];
  chosen: ChosenFilters;
  /** The text of each Game Date option's date range, by option value. */
  days?: Record<string, string> | undefined;
  /** Called with the chosen value. An empty value means the filter's default. */
  onChoose: (name: FilterName, value: string) => void;
}

/** The filter controls, used by the filter bar and by the filter sheet on phones. */
export function FilterFields({ names, chosen, days = {}, onChoose }: FilterFieldsProps) {
  const campus = useCampus();
  const { price } = chosen;
  return (
    <>
      {listSelectFilters(names, campus, chosen).map(({ name, choice }) => {
        const typedRange =
          name === 'price' && price && !Object.hasOwn(choice.options, price)
            ? { [price]: formatPriceRange(campus, price) }
            : {};
        return (
          <Fragment key={name}>
            <Field
              label={choice.label}
              className={clsx(
                name === 'game_date' ? 'md:w-60' : name === 'price' ? 'md:w-36' : 'md:w-40 lg:w-44',
              )}
            >
              <Select
                name={name}
                placeholder={choice.all}
                options={Object.entries({ ...choice.options, ...typedRange }).map(([value, label]) => ({
                  value,
                  label: days[value] ? `${label} (${days[value]})` : label,
                }))}
                value={chosen[name] ?? ''}
                onChange={(event) => onChoose(name, event.currentTarget.value)}
              />
            </Field>
            {name === 'price' && (
              <PriceAmounts range={price} onChoose={(range) => onChoose('price', range)} />
            )}
          </Fragment>
        );
      })}
      {names.map((name) => {
        const label = typedFilterLabels[name];
        return (
          label && (
            <TypedFilter
              key={name}
              name={name}
              label={label}
              value={chosen[name] ?? ''}
              onChoose={(value) => onChoose(name, value)}
            />
          )
        );
      })}
      {names.includes('verified') && (
        <Checkbox
          className="lg:pr-2"
          label="Verified Sellers Only"
          name="verified"
          value="true"
          checked={chosen.verified === 'true'}
          onChange={(event) => onChoose('verified', event.currentTarget.checked ? 'true' : '')}
        />
      )}
      {names.includes('available') && (
        <>
          <input type="hidden" name="available" value="any" />
          <Checkbox
            className="lg:pr-2"
            label="Show Only Available Now"
            name="available"
            value="now"
            checked={!chosen.available}
            onChange={(event) => onChoose('available', event.currentTarget.checked ? '' : 'any')}
          />
        </>
      )}
    </>
  );
}
