import type { ListingCard as Listing } from '#contract/listings.ts';
import { CardGrid, CardGridItem } from '#web/ui/card-grid.tsx';
import { ListingCard } from './listing-card.tsx';

/** Cards later than this fade in together with it: nobody waits seconds for what is already there. */
const lastDelayed = 8;

export interface ListingGridProps {
  listings: readonly Listing[];
  /** Seconds between one card's fade-in and the next (§9: 0.1, in search 0.05). */
  stagger: number;
  /** How many photos are loaded first; none below the fold. */
  priority?: number | undefined;
  /** Four or eight of them, which is as many as there are to see. */
  even?: boolean | undefined;
}

export function ListingGrid({ listings, stagger, priority = 0, even }: ListingGridProps) {
  return (
    <CardGrid even={even}>
      {listings.map((listing, index) => (
        <CardGridItem key={listing.id} index={Math.min(index, lastDelayed)} stagger={stagger}>
          <ListingCard listing={listing} priority={index < priority} />
        </CardGridItem>
      ))}
    </CardGrid>
  );
}
