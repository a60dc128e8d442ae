import { Link } from 'react-router';
import { errorCatalog } from '#contract/errors.ts';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';

export function ListingNotFound() {
  return (
    <EmptyState
      as="h1"
      illustration={<NothingFoundIllustration />}
      title="Listing Not Found"
      text={errorCatalog.listing_not_found.sentence}
      action={
        <Button asChild>
          <Link to={links.home}>Back to Marketplace</Link>
        </Button>
      }
    />
  );
}
