import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { type Chosen, categoryChoice, choices, chosenIn, type FilterName, filterSearch } from './filters.ts';

export interface FilterBarProps {
  names: readonly FilterName[];
  /** The days that each choice of Game Date covers, as text. */
  days?: Record<string, string> | undefined;
  /** Other parameters of the page's URL to keep, such as the search text. */
  keep?: Record<string, string> | undefined;
}

/**
 * Filters the list below it. The choice is part of the URL, so it can be shared, survives a reload, and Back undoes it.
 * Without scripts it is a plain form. On a phone it is collapsed.
 */
export function FilterBar({ names, days = {}, keep = {} }: FilterBarProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { mascot } = useCampus();
  const resetForm = useId();
  const form = useRef<HTMLFormElement>(null);
  // The choice shows immediately, before its list has loaded.
  const [picked, setPicked] = useState<Chosen>();
  const chosen = picked ?? chosenIn(new URLSearchParams(search), names);
  const count = Object.keys(chosen).length;

  const show = (wanted: Chosen) => {
    setPicked(wanted);
    navigate(pathname + filterSearch(wanted, keep));
  };
  const choose = (name: FilterName, value: string) => {
    const { [name]: _, ...others } = chosen;
    show(value ? { ...others, [name]: value } : others);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is what is chosen from then on
  useEffect(() => setPicked(undefined), [search]);

  // The form is rendered before its script loads, so a choice made in between is applied.
  const catchUp = useEffectEvent(() => {
    if (!form.current) return;
    const entries = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    const early = chosenIn(new URLSearchParams(entries), names);
    if (filterSearch(early) !== filterSearch(chosen)) show(early);
  });
  useEffect(() => catchUp(), []);

  const kept = Object.entries(keep).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));

  const selects = names.flatMap((name) => {
    const choice = name === 'category' ? categoryChoice(mascot) : choices[name];
    return choice ? [{ name, choice }] : [];
  });

  return (
    <details className="group mb-6 rounded-lg border border-line bg-surface shadow-sm md:details-content:[content-visibility:visible]">
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2.5 rounded-lg px-4 font-semibold md:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden">
        <SlidersHorizontal aria-hidden="true" className="size-5" />
        Filters
        {count > 0 && (
          <span className="figures ml-auto rounded-full bg-brand px-2.5 py-0.5 text-on-brand text-sm">
            {count}
            <span className="sr-only"> chosen</span>
          </span>
        )}
      </summary>
      <form
        ref={form}
        action={pathname}
        autoComplete="off"
        aria-label="Filters"
        className="grid grid-cols-2 items-end gap-x-3 gap-y-3 p-4 pt-1 md:flex md:flex-wrap md:gap-x-4 md:pt-4"
      >
        {kept}
        {selects.map(({ name, choice }, index) => (
          <Field
            key={name}
            label={choice.label}
            className={clsx(
              name === 'game_date' ? 'md:w-60' : 'md:w-44',
              (index === 0 || selects.length === 2) && 'col-span-2',
            )}
          >
            <Select
              name={name}
              placeholder={choice.all}
              options={Object.entries(choice.options).map(([value, label]) => ({
                value,
                label: days[value] ? `${label} (${days[value]})` : label,
              }))}
              value={chosen[name] ?? ''}
              onChange={(event) => choose(name, event.currentTarget.value)}
            />
          </Field>
        ))}
        {names.includes('verified') && (
          <Checkbox
            className="col-span-2 md:pr-2"
            label="Verified Sellers Only"
            name="verified"
            value="true"
            checked={chosen.verified === 'true'}
            onChange={(event) => choose('verified', event.currentTarget.checked ? 'true' : '')}
          />
        )}
        {names.includes('available') && (
          <>
            <input type="hidden" name="available" value="any" />
            <Checkbox
              className="col-span-2 md:pr-2"
              label="Show Only Available Now"
              name="available"
              value="now"
              checked={!chosen.available}
              onChange={(event) => choose('available', event.currentTarget.checked ? '' : 'any')}
            />
          </>
        )}
        <noscript>
          <Button type="submit" wide>
            Apply Filters
          </Button>
        </noscript>
        <Button
          type="submit"
          form={resetForm}
          variant="ghost"
          size="sm"
          className="col-span-2 md:ml-auto"
          onClick={(event) => {
            event.preventDefault();
            show({});
          }}
        >
          Reset Filters
        </Button>
      </form>
      <form id={resetForm} action={pathname} hidden>
        {kept}
      </form>
    </details>
  );
}
