import { Link } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';

/** The empty state of a filtered list, with a button that resets the filters. */
export function FilteredEmptyState({ reset }: { reset: string }) {
  return (
    <EmptyState
      illustration={<NothingFoundIllustration />}
      as="h2"
      title="Nothing matches these filters"
      text="Try another price range, or take the filters off to see everything."
      action={
        <Button asChild>
          <Link to={reset}>Reset Filters</Link>
        </Button>
      }
    />
  );
}
