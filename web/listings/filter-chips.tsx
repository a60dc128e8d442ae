import { X } from 'lucide-react';
import { Link, useLocation, useNavigate, useNavigation } from 'react-router';
import { useCampus } from '#web/lib/use-campus.ts';
import { useLatestSearchParams } from '#web/lib/use-latest-search.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { type FilterName, getChosenFilterLabel, parseChosenFilters, removeFilters } from './filters.ts';
import { type OfferedSorts, parseSortOrder, sortLabels } from './sorts.ts';

export interface FilterChipsProps {
  names: readonly FilterName[];
  sorts: OfferedSorts;
}

/** The chosen filters and sort order on phones, each as a link that removes it. */
export function FilterChips({ names, sorts }: FilterChipsProps) {
  const campus = useCampus();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const getLatestSearch = useLatestSearchParams();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const params = new URLSearchParams(next?.pathname === pathname ? next.search : search);
  const chosen = parseChosenFilters(params, names);
  const sort = parseSortOrder(params, sorts);
  const chips = [
    ...(Object.keys(chosen) as FilterName[]).map((name) => ({
      name,
      label: getChosenFilterLabel(name, chosen, campus),
      action: 'Remove filter',
    })),
    ...(sort ? [{ name: 'sort' as const, label: sortLabels[sort], action: 'Remove sort order' }] : []),
  ];
  const without = (name: FilterName | 'sort', from: URLSearchParams): string => {
    const rest = new URLSearchParams(from);
    if (name === 'sort') rest.delete(name);
    else removeFilters(rest, [name]);
    return `?${rest}`;
  };
  return (
    <div {...focusFallback} className="min-w-0 basis-full outline-none md:hidden">
      {chips.length > 0 && (
        <ul aria-label="Chosen filters" className="scroll-row -mx-4 gap-2 px-4">
          {chips.map(({ name, label, action }) => (
            <li key={name} className="shrink-0">
              <Link
                to={without(name, params)}
                preventScrollReset
                onClick={(event) => {
                  event.preventDefault();
                  void navigate(without(name, getLatestSearch()), { preventScrollReset: true });
                }}
                aria-label={`${action}: ${label}`}
                className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-full bg-brand-soft px-4 font-semibold text-brand-text text-sm"
              >
                <span>{label}</span>
                <X aria-hidden="true" className="size-4" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
