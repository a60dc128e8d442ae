import { clsx } from 'clsx';
import { ArrowUpDown, ChevronDown } from 'lucide-react';
import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { useLatestSearchParams } from '#web/lib/use-latest-search.ts';
import { Button } from '#web/ui/button.tsx';
import { type OfferedSorts, parseSortOrder, sortLabels } from './sorts.ts';

export interface SortSelectProps {
  sorts: OfferedSorts;
  /** Id of the form with which the sort order is sent without JavaScript. */
  form: string;
}

/**
 * Sorts the listings and keeps the filters. The sort order is part of the URL, so that it can be shared and survives a
 * reload. On phones it is a button over which the select lies, and a chip shows the chosen order.
 */
export function SortSelect({ sorts, form }: SortSelectProps) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const getLatestSearch = useLatestSearchParams();
  // The chosen order is displayed immediately, before the sorted list has loaded.
  const [picked, setPicked] = useState<string>();
  const loading = next?.pathname === pathname ? next.search : undefined;
  const chosen = picked ?? parseSortOrder(new URLSearchParams(loading ?? search), sorts) ?? '';

  const choose = async (sort: string): Promise<void> => {
    setPicked(sort);
    // The latest URL contains a filter that was just chosen even if its results are not rendered yet.
    const params = getLatestSearch();
    params.delete('sort');
    if (sort) params.set('sort', sort);
    await navigate(`?${params}`, { replace: true, preventScrollReset: true });
    startTransition(() => setPicked((current) => (current === sort ? undefined : current)));
  };

  // Applies an order that the person chose in the server-rendered select before this script loaded.
  const select = useRef<HTMLSelectElement>(null);
  const catchUp = useEffectEvent(() => {
    const early = select.current?.value ?? chosen;
    if (early !== chosen) void choose(early);
  });
  useEffect(() => catchUp(), []);

  const [byDefault, ...others] = sorts;
  return (
    <>
      <label
        className={clsx(
          'relative inline-flex min-h-11 items-center gap-1.5 rounded-full border px-3 font-semibold text-sm has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 md:gap-2 md:border-transparent md:bg-transparent md:px-0 md:text-ink',
          chosen
            ? 'border-brand-text bg-brand-soft text-brand-text'
            : 'border-line-strong bg-surface text-ink',
        )}
      >
        <ArrowUpDown aria-hidden="true" className="size-4.5 md:hidden" />
        <span>Sort</span>
        <select
          ref={select}
          name="sort"
          form={form}
          autoComplete="off"
          value={chosen}
          onChange={(event) => void choose(event.currentTarget.value)}
          className="max-md:absolute max-md:inset-0 max-md:opacity-0 min-h-11 w-full appearance-none rounded-full text-base focus-visible:outline-none md:border md:border-line-strong md:bg-surface md:pr-10 md:pl-4 md:font-normal"
        >
          <option value="">{sortLabels[byDefault]}</option>
          {others.map((sort) => (
            <option key={sort} value={sort}>
              {sortLabels[sort]}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute right-3 size-5 text-ink-muted max-md:hidden"
        />
      </label>
      <noscript>
        <Button type="submit" form={form} size="sm" variant="secondary">
          Apply
        </Button>
      </noscript>
    </>
  );
}
