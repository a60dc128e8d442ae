import type { ListingCard as Listing } from '#contract/listings.ts';
import { CardGrid, CardGridItem } from '#web/ui/card-grid.tsx';
import { ListingCard } from './listing-card.tsx';

/** Cards after this index fade in together with it, so that the animation never takes seconds. */
const lastDelayedIndex = 8;

export interface ListingGridProps {
  listings: readonly Listing[];
  /** Seconds between the fade-ins of successive cards (specification §9: 0.1, in search 0.05). */
  stagger: number;
  /** Number of photos to load eagerly; none below the fold. */
  priority?: number | undefined;
  /** For exactly four or eight cards. */
  even?: boolean | undefined;
}

export function ListingGrid({ listings, stagger, priority = 0, even }: ListingGridProps) {
  return (
    <CardGrid even={even}>
      {listings.map((listing, index) => (
        <CardGridItem key={listing.id} index={Math.min(index, lastDelayedIndex)} stagger={stagger}>
          <ListingCard listing={listing} priority={index < priority} />
        </CardGridItem>
      ))}
    </CardGrid>
  );
}
