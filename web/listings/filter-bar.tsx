import { SlidersHorizontal } from 'lucide-react';
import { startTransition, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { useCampus } from '#web/lib/use-campus.ts';
import { useLatestSearchParams } from '#web/lib/use-latest-search.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterFields } from './filter-fields.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import {
  type ChosenFilters,
  type FilterName,
  hasTypedAmounts,
  parseChosenFilters,
  removeFilters,
  toQueryString,
} from './filters.ts';
import { SortSelect } from './sort-select.tsx';
import type { OfferedSorts } from './sorts.ts';

export { FilterChips } from './filter-chips.tsx';

export interface FilterBarProps {
  names: readonly FilterName[];
  sorts: OfferedSorts;
  /** The text of each Game Date option's date range, by option value. */
  days?: Record<string, string> | undefined;
  /** Number of listings that match the chosen filters. */
  total: number;
  /** URL parameters to keep when the filters change, such as the search text. */
  keep?: Record<string, string> | undefined;
}

/**
 * The filters and the sort order of a listing grid. The chosen filters are part of the URL, so that they can be
 * shared, survive a reload and can be undone with Back. Without JavaScript, the filters are a plain
 * HTML form, collapsed on phones. With JavaScript, phones open a sheet instead.
 */
export function FilterBar({ names, sorts, days, total, keep = {} }: FilterBarProps) {
  const { pathname, search } = useLocation();
  const campus = useCampus();
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const filterForm = useId();
  const resetForm = useId();
  const form = useRef<HTMLFormElement>(null);
  const [sheet, setSheet] = useState(false);
  // The chosen filters are displayed immediately, before the filtered list has loaded.
  const [picked, setPicked] = useState<ChosenFilters>();
  const getLatestSearch = useLatestSearchParams();
  const loading = next?.pathname === pathname ? next.search : undefined;
  const chosen = picked ?? parseChosenFilters(new URLSearchParams(loading ?? search), names);
  const count = Object.keys(chosen).length;

  const show = async (wanted: ChosenFilters): Promise<void> => {
    setPicked(wanted);
    // Take the other parameters from the latest URL: if the person has just chosen a sort order, only this
    // URL contains it until the results are rendered.
    const latest = getLatestSearch();
    removeFilters(latest, names);
    // While the sheet is open, each choice replaces the history entry instead of adding one.
    await navigate(pathname + toQueryString(wanted, Object.fromEntries(latest)), {
      replace: sheet,
      preventScrollReset: true,
    });
    // Once the results are rendered, the URL determines the displayed filters again, unless the person has
    // chosen other filters in the meantime.
    startTransition(() => setPicked((current) => (current === wanted ? undefined : current)));
  };
  const choose = (name: FilterName, value: string) => {
    const { [name]: _, ...others } = chosen;
    show(value ? { ...others, [name]: value } : others);
  };

  // Applies filters that the person chose in the server-rendered form before this script loaded.
  const catchUp = useEffectEvent(() => {
    if (!form.current) return;
    const entries = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    const params = new URLSearchParams(entries);
    const apply = (early: ChosenFilters) => {
      if (toQueryString(early) !== toQueryString(chosen)) show(early);
    };
    if (hasTypedAmounts(params))
      void import('./typed-amounts.ts').then(({ readTypedAmounts }) =>
        apply(parseChosenFilters(readTypedAmounts(params, campus), names)),
      );
    else apply(parseChosenFilters(params, names));
    // A tap before this script loaded has expanded the plain form: collapse it and open the sheet
    // instead.
    const details = form.current.closest('details');
    if (!details?.open) return;
    details.open = false;
    setSheet(true);
  });
  useEffect(() => catchUp(), []);

  const kept = Object.entries(keep).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
  const fields = { names, chosen, days, onChoose: choose };

  return (
    <>
      <details className="rounded-full border border-line-strong bg-surface open:basis-full open:rounded-lg md:basis-full md:rounded-lg md:border-line md:shadow-sm md:details-content:[content-visibility:visible]">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control, by keyboard too */}
        <summary
          className="flex min-h-10.5 cursor-pointer list-none items-center gap-1.5 rounded-full px-3 font-semibold text-sm md:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden"
          onClick={(event) => {
            event.preventDefault();
            setSheet(true);
          }}
        >
          <SlidersHorizontal aria-hidden="true" className="size-4.5" />
          <span>Filters</span>
          {count > 0 && (
            <span className="figures rounded-full bg-brand px-2 text-on-brand">
              {count}
              <span className="sr-only"> chosen</span>
            </span>
          )}
        </summary>
        <form
          ref={form}
          id={filterForm}
          action={pathname}
          onSubmit={(event) => event.preventDefault()}
          autoComplete="off"
          aria-label="Filters"
          className="grid gap-3 p-4 pt-1 md:flex md:flex-wrap md:items-end md:gap-x-2 md:pt-4 lg:gap-x-4"
        >
          {kept}
          <FilterFields {...fields} />
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
            className="md:ml-auto"
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
      <SortSelect sorts={sorts} form={filterForm} />
      {sheet && (
        <FilterSheet {...fields} total={total} onReset={() => show({})} onClose={() => setSheet(false)} />
      )}
    </>
  );
}
