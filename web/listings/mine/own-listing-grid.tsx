import type { OwnListing } from '#contract/listings.ts';
import { CardGridItem } from '#web/ui/card-grid.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { OwnListingHandlers } from './own-listing-actions.tsx';
import { OwnListingCard } from './own-listing-card.tsx';

/**
 * A bordered list of rows on phones, a grid of cards on wider screens. The grid has wider columns
 * than those of public pages, because each card contains up to five buttons.
 */
const cardGridClasses =
  'max-md:divide-y max-md:divide-line max-md:overflow-hidden max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface md:grid md:grid-cols-2 md:gap-4 lg:grid-cols-3 lg:gap-5 xl:grid-cols-4';

interface OwnListingGridProps {
  listings: OwnListing[];
  empty: React.ReactNode;
  /** The element that loads the next page, or null if there are no more pages. */
  more: React.ReactNode;
  today: string;
  /** The ids of the listings whose cards look busy. */
  busyIds: readonly string[];
  /** The ids of the selected listings; empty while nothing is being selected. */
  selectedIds: ReadonlySet<string>;
  toHandlers: (listing: OwnListing) => OwnListingHandlers;
}

/** The cards of a tab of My Listings, or its empty state. */
export function OwnListingGrid({
  listings,
  today,
  busyIds,
  selectedIds,
  empty,
  more,
  toHandlers,
}: OwnListingGridProps) {
  if (listings.length === 0 && !more) return empty;
  return (
    <>
      <ul className={cardGridClasses}>
        {listings.map((listing, index) => (
          <CardGridItem key={listing.id} index={index}>
            <OwnListingCard
              listing={listing}
              today={today}
              isBusy={busyIds.includes(listing.id)}
              isSelected={selectedIds.size > 0 ? selectedIds.has(listing.id) : undefined}
              {...toHandlers(listing)}
            />
          </CardGridItem>
        ))}
      </ul>
      {more}
    </>
  );
}

/** Placeholder of the cards while they are loading. */
export function OwnListingGridSkeleton() {
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        Loading your listings
      </span>
      <ul className={cardGridClasses}>
        {[0, 1, 2, 3].map((index) => (
          <CardGridItem key={index} index={index}>
            <Skeleton shape="edge" className="h-19 md:hidden" />
            <CardSkeleton />
          </CardGridItem>
        ))}
      </ul>
    </div>
  );
}

/** A placeholder with the parts of an own card on wide screens: photo, texts and buttons. */
function CardSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="overflow-hidden rounded-lg border border-line bg-surface max-md:hidden"
    >
      <Skeleton shape="edge" className="aspect-4/3" />
      <div className="flex flex-col gap-1 p-4">
        <Skeleton className="h-7 w-4/5" />
        <Skeleton className="h-7 w-1/3" />
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="mt-7 h-37" />
      </div>
    </div>
  );
}
