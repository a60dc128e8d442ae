import { Link, useLocation } from 'react-router';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LinkChips } from '#web/ui/link-chips.tsx';
import { type FilterName, getChosenFilterLabel, parseChosenFilters, removeFilters } from './filters.ts';

export interface FilteredEmptyProps {
  names: readonly FilterName[];
  /** The URL of the page without filters. */
  reset: string;
}

/** The empty state of a filtered list. It offers to take off each filter, or all of them. */
export function FilteredEmptyState({ names, reset }: FilteredEmptyProps) {
  const campus = useCampus();
  const { search } = useLocation();
  const chosen = parseChosenFilters(new URLSearchParams(search), names);
  const chips = (Object.keys(chosen) as FilterName[]).map((name) => {
    const rest = new URLSearchParams(search);
    removeFilters(rest, [name]);
    return { to: `?${rest}`, label: `Without ${getChosenFilterLabel(name, chosen, campus)}` };
  });
  return (
    <EmptyState
      illustration={<NothingFoundIllustration />}
      as="h2"
      title="Nothing matches these filters"
      text={
        chips.length > 1 ? (
          <>
            <p>Take one off to see more, or all of them:</p>
            <LinkChips label="Fewer filters" chips={chips} className="mt-4 justify-center" />
          </>
        ) : (
          'Take the filter off to see more.'
        )
      }
      action={
        <Button asChild>
          <Link to={reset}>Reset Filters</Link>
        </Button>
      }
    />
  );
}
