import { Link } from 'react-router';
import { errorCatalog } from '#contract/errors.ts';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';

export function ListingNotFound() {
  return (
    <PageEmptyState
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
