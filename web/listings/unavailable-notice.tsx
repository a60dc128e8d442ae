import { Link } from 'react-router';
import { formatSellerAway } from '#contract/away.ts';
import type { CampusLocale } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { getSaleOutcome, saleOutcomeLabels, unavailableLabels } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { SoldHere } from './sold-here.tsx';

const PostAgainButton = lazyComponent(async () => (await import('./post-again-button.tsx')).PostAgainButton, {
  placeholder: () => <div className="h-11 w-36" />,
});
const MakeActiveButton = lazyComponent(
  async () => (await import('./make-active-button.tsx')).MakeActiveButton,
  { placeholder: () => <div className="h-11 w-32" /> },
);

const titles = {
  passed: 'This game has passed',
  unconfirmed: 'The seller hasn’t confirmed that this is still available',
};

const getTitle = ({ unavailable, away_until: until, category }: Listing, campus: CampusLocale): string => {
  if (unavailable === 'away') return until ? formatSellerAway(until, campus) : unavailableLabels.away;
  return unavailable ? titles[unavailable] : saleOutcomeLabels[getSaleOutcome(category)];
};

/** Says why a listing cannot be had now. Replaces the actions, except while its seller is away. */
export function UnavailableNotice({ listing }: { listing: Listing }) {
  const campus = useCampus();
  // Not a prop: with another one, React would replace what the server has rendered with the placeholder.
  const isOwner = useSession().user?.id === listing.user_id;
  const { unavailable } = listing;
  return (
    <Alert tone="notice" title={getTitle(listing, campus)}>
      {!unavailable && (
        <>
          <p>This item is no longer available.</p>
          <SoldHere money={campus} category={listing.category} title={listing.title} isbn={listing.isbn} />
        </>
      )}
      {isOwner && unavailable !== 'away' && (
        <div className="mt-3 mb-1 flex flex-wrap gap-2">
          {unavailable === 'unconfirmed' ? (
            <MakeActiveButton listing={listing} />
          ) : (
            <PostAgainButton listing={listing} />
          )}
          <Button variant="secondary" size="sm" asChild>
            <Link to={links.myListings}>My Listings</Link>
          </Button>
        </div>
      )}
    </Alert>
  );
}
