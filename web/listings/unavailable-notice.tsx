import { Link } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { getSaleOutcome, saleOutcomeLabels } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const PostAgainButton = lazyComponent(async () => (await import('./post-again-button.tsx')).PostAgainButton, {
  placeholder: () => <div className="h-11 w-36" />,
});

const titles = {
  passed: 'This game has passed',
  unconfirmed: 'The seller hasn’t confirmed that this is still available',
};

/** Shown on the page of a listing that nobody can get now, instead of its actions. */
export function UnavailableNotice({ listing, isOwner }: { listing: Listing; isOwner: boolean }) {
  const { unavailable } = listing;
  const reason = unavailable && unavailable !== 'away' ? titles[unavailable] : undefined;
  return (
    <Alert tone="notice" title={reason ?? saleOutcomeLabels[getSaleOutcome(listing.category)]}>
      {!reason && <p>This item is no longer available.</p>}
      {isOwner && (
        <div className="mt-3 mb-1 flex flex-wrap gap-2">
          <PostAgainButton listing={listing} />
          <Button variant="secondary" size="sm" asChild>
            <Link to={links.myListings}>My Listings</Link>
          </Button>
        </div>
      )}
    </Alert>
  );
}
