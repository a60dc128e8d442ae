import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import { toCampusDay } from '#contract/campus.ts';
import type { Category } from '#contract/categories.ts';
import type { OwnListing } from '#contract/listings.ts';
import { formatPriceUnit } from '#contract/selling.ts';
import { request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Price } from '#web/ui/price.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { OwnPhoto } from '../own-photo.tsx';
import { getOwnListingState } from './own-listing-state.ts';

/** Maximum number of listings in a dashboard list (specification §9). */
const maxListingsShown = 5;

export interface LatestListingsProps {
  ownId: string;
  title: string;
  /** Limits the list to listings of this category. */
  category?: Category | undefined;
  empty: ReactNode;
}

/** The person's latest listings, with a link to all of them. */
export function LatestListings({ ownId, title, category, empty }: LatestListingsProps) {
  const { data, isError, refetch } = useQuery(
    {
      queryKey: [...ownListingsQueryKey(ownId), { category, limit: maxListingsShown }],
      queryFn: ({ signal }) =>
        request(calls.listMyListings, { query: { limit: maxListingsShown, category }, signal }),
    },
    queryClient,
  );
  if (!data && isError) {
    return <LoadFailed onRetry={() => void refetch()}>Failed to load your listings</LoadFailed>;
  }
  if (data?.items.length === 0) return empty;
  return (
    <section aria-label={title}>
      <div className="mb-3 flex items-center justify-between gap-4">
        {/* On phones, the list is a screen with this title. */}
        <h2 className="font-extrabold text-xl max-md:hidden">{title}</h2>
        <Button variant="link" size="sm" asChild className="ml-auto">
          <Link to={links.myListings}>View All</Link>
        </Button>
      </div>
      {data ? (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
          {data.items.map((listing) => (
            <li key={listing.id}>
              <ListingRow listing={listing} />
            </li>
          ))}
        </ul>
      ) : (
        <div role="status" className="space-y-3">
          <span className="sr-only">Loading your listings</span>
          {[1, 2, 3].map((place) => (
            <Skeleton key={place} className="h-20 w-full" />
          ))}
        </div>
      )}
    </section>
  );
}

/**
 * Returns the path to which a listing in the list links: a draft, which has no public page, to its form,
 * and a sold listing or one that waits for a membership to My Listings.
 */
const toListingPath = ({ id, slug, status, awaits_membership: isHidden }: OwnListing): string => {
  if (isHidden) return links.myListings;
  if (status === 'published') return links.product(slug);
  return status === 'sold' ? links.myListings : links.editListing(id);
};

function ListingRow({ listing }: { listing: OwnListing }) {
  const campus = useCampus();
  const { label, tone } = getOwnListingState(listing, toCampusDay(campus, new Date()), campus);
  const unit =
    listing.category === 'rentals' ? (formatPriceUnit(listing.rental_period) ?? ' · flexible') : undefined;
  return (
    <Link
      to={toListingPath(listing)}
      className="flex min-h-20 items-center gap-4 p-3 -outline-offset-3 transition-colors hover:bg-hover"
    >
      <OwnPhoto
        photo={listing.images[0]}
        isHidden={listing.hidden_reason !== null}
        sizes="5rem"
        alt=""
        className="w-20 shrink-0 rounded-md"
      />
      {/* On phones the badge follows the price, so that the title has the whole width. */}
      <span className="grid min-w-0 flex-1 grid-cols-[auto_1fr] items-center gap-x-2.5 sm:grid-cols-[1fr_auto] sm:gap-x-4">
        <span dir="auto" className="line-clamp-2 break-words font-semibold leading-snug max-sm:col-span-2">
          {listing.title || 'Untitled draft'}
        </span>
        {listing.price === null ? (
          <span className="text-ink-muted text-sm sm:row-start-2">No price yet</span>
        ) : (
          <Price amount={listing.price} unit={unit} className="sm:row-start-2" />
        )}
        <Badge tone={tone} className="justify-self-start sm:col-start-2 sm:row-span-2 sm:row-start-1">
          {label}
        </Badge>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-muted max-sm:hidden" />
    </Link>
  );
}
