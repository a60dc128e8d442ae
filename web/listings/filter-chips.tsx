import { X } from 'lucide-react';
import { Link } from 'react-router';
import { useCampus } from '#web/lib/use-campus.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { type ChosenFilters, type FilterName, getChosenFilterLabel, toQueryString } from './filters.ts';

export interface FilterChipsProps {
  chosen: ChosenFilters;
  /** URL parameters to keep when a filter is removed, such as the search text. */
  keep: Record<string, string>;
  onRemove: (remaining: ChosenFilters) => void;
}

export function FilterChips({ chosen, keep, onRemove }: FilterChipsProps) {
  const { mascot } = useCampus();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const names = Object.keys(chosen) as FilterName[];
  return (
    <div {...focusFallback} className="outline-none md:hidden">
      {names.length > 0 && (
        <ul aria-label="Chosen filters" className="scroll-row -mx-4 gap-2 px-4 pt-2">
          {names.map((name) => {
            const { [name]: _, ...others } = chosen;
            const label = getChosenFilterLabel(name, chosen, mascot);
            return (
              <li key={name} className="shrink-0">
                <Link
                  to={toQueryString(others, keep) || '?'}
                  preventScrollReset
                  onClick={(event) => {
                    event.preventDefault();
                    onRemove(others);
                  }}
                  aria-label={`Remove filter: ${label}`}
                  className="inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-full bg-brand-soft px-4 font-semibold text-brand-text text-sm"
                >
                  <span>{label}</span>
                  <X aria-hidden="true" className="size-4" />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
