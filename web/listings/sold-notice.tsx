import { Link } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { getSaleOutcome, saleOutcomeLabels } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

/** Shown on the page of a sold listing instead of its actions. */
export function SoldNotice({ listing, isOwner }: { listing: Listing; isOwner: boolean }) {
  const label = saleOutcomeLabels[getSaleOutcome(listing.category)];
  return (
    <Alert
      tone="notice"
      title={label}
      action={
        isOwner ? (
          <Button variant="secondary" size="sm" asChild>
            <Link to={links.myListings}>My Listings</Link>
          </Button>
        ) : undefined
      }
    >
      This item is no longer available.
    </Alert>
  );
}
