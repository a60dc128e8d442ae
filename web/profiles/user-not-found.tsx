import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';

/** Shown for a profile that does not exist or is not public at the moment. */
export function UserNotFound() {
  return (
    <PageEmptyState
      illustration={<NothingFoundIllustration />}
      title="Profile not found"
      text="This person is not on the marketplace, or no longer is."
      action={
        <Button asChild>
          <Link to={links.home}>Back to Marketplace</Link>
        </Button>
      }
    />
  );
}
