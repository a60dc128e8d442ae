import type { ListingCard as Listing } from '#contract/listings.ts';
import { listingPageSize } from '#contract/paging.ts';
import { CardGrid, CardGridItem } from '#web/ui/card-grid.tsx';
import { ListingCard } from './listing-card.tsx';
import { OpeningListing } from './opening-listing.tsx';

/**
 * The first cards of a page fade in one after another, up to the card with this index. All later cards fade
 * in together with that card, so that the animation never takes seconds.
 */
const maxStaggerIndex = 8;

export interface ListingGridProps {
  listings: readonly Listing[];
  /** Seconds between the fade-ins of successive cards (specification §9: 0.1, in search 0.05). */
  stagger: number;
  /** Number of photos to load eagerly. It is 0 for a grid below the fold. */
  priority?: number | undefined;
  /**
   * Never uses three columns. Set this for four or eight cards, because the last row of three would be
   * incomplete.
   */
  even?: boolean | undefined;
  /** Omits the seller from each card. For a profile page, where all listings are by the same seller. */
  hideSeller?: boolean | undefined;
  /** Ids of the listings to mark as new. */
  newIds?: ReadonlySet<string> | undefined;
}

export function ListingGrid({ listings, stagger, priority = 0, even, hideSeller, newIds }: ListingGridProps) {
  return (
    <>
      <OpeningListing listings={listings} />
      <CardGrid even={even}>
        {listings.map((listing, index) => (
          <CardGridItem
            key={listing.id}
            index={Math.min(index % listingPageSize, maxStaggerIndex)}
            stagger={stagger}
            owner={listing.user_id}
          >
            <ListingCard
              listing={listing}
              priority={index < priority}
              hideSeller={hideSeller}
              isNew={newIds?.has(listing.id)}
            />
          </CardGridItem>
        ))}
      </CardGrid>
    </>
  );
}
