import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import type { CampusMoney } from '#contract/campus.ts';
import { formatPrice } from '#contract/prices.ts';
import type { SavedListing } from '#contract/saved-listings.ts';
import { getListingPriceUnit, type UnavailableReason } from '#contract/selling.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CardGrid, CardGridItem } from '#web/ui/card-grid.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { ListingCardSkeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { FavoriteHeart } from '../favorite-heart.tsx';
import { ListingCard } from '../listing-card.tsx';
import { OpeningListing } from '../opening-listing.tsx';
import { mergeVisitorSaves, refreshSavedListingIds } from './account-saves.ts';

/** Time in ms for which the list stays cached after the person has left it. */
const returnTimeMs = 10 * 60_000;

/**
 * Returns the listing's price at the time when the person saved it, as text, or undefined if the price has
 * not changed since.
 */
const describePriceChange = (
  { listing, saved_price, saved_rental_period: rental_period }: SavedListing,
  money: CampusMoney,
): string | undefined => {
  if (!listing) return undefined;
  const [unit, savedUnit] = [
    getListingPriceUnit(listing),
    getListingPriceUnit({ ...listing, rental_period }),
  ];
  if (listing.price === saved_price && unit === savedUnit) return undefined;
  return `was ${formatPrice(money, saved_price)}${saved_price > 0 ? (savedUnit ?? '') : ''}`;
};

/** The listings that the person saved, with their changes since then. */
export function SavedScreen({ ownId }: { ownId: string }) {
  const campus = useCampus();
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: ['saved-listings', ownId],
      queryFn: async ({ pageParam: cursor, signal }) => {
        // After a log-in, the list must also contain the listings that were saved before the log-in.
        await mergeVisitorSaves(ownId);
        return request(calls.listSavedListings, { query: { cursor }, signal });
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor,
      // Keeps the loaded pages, so that Back shows them immediately.
      gcTime: returnTimeMs,
    },
    queryClient,
  );
  const clear = useMutation(
    {
      mutationFn: () => request(calls.removeUnavailableListings, {}),
      onSuccess: () => Promise.all([refetch(), refreshSavedListingIds(ownId)]),
      onError: (error) =>
        toast.error('Failed to clear listings', error instanceof ApiError ? error.message : undefined),
    },
    queryClient,
  );

  const focusFallback = useFocusFallback<HTMLDivElement>();

  if (!data) {
    return isError ? (
      <LoadFailed onRetry={() => void refetch()}>Failed to load your saved listings</LoadFailed>
    ) : (
      <GridSkeleton />
    );
  }
  const items = data.pages.flatMap((page) => page.items);
  const last = data.pages.at(-1);
  if (items.length === 0) {
    return (
      <div {...focusFallback} className="outline-none">
        <EmptyState
          illustration={<NothingFoundIllustration />}
          title="Nothing saved yet"
          text="Tap the heart of a listing to find it here again, with every change of its price."
          action={
            <Button asChild>
              <Link to={links.browse}>Browse Listings</Link>
            </Button>
          }
        />
      </div>
    );
  }
  const unavailable = last?.unavailable_total ?? 0;
  return (
    <div {...focusFallback} className="outline-none">
      <div className="mb-4 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-semibold text-ink-muted">
          {last?.total === 1 ? '1 listing' : `${last?.total} listings`}
        </p>
        {unavailable > 0 && (
          <Button variant="secondary" size="sm" loading={clear.isPending} onClick={() => clear.mutate()}>
            {`Clear ${unavailable} unavailable ${unavailable === 1 ? 'listing' : 'listings'}`}
          </Button>
        )}
      </div>
      <OpeningListing listings={items.flatMap(({ listing }) => listing ?? [])} />
      <CardGrid>
        {items.map((item, index) => (
          // No `owner`: a saved listing stays visible after its seller was blocked, so that it can be removed.
          <CardGridItem key={item.listing_id} index={index}>
            {item.listing ? (
              <ListingCard
                listing={{ ...item.listing, status: item.status, unavailable: item.unavailable }}
                priceNote={describePriceChange(item, campus)}
              />
            ) : (
              <UnavailableCard item={item} />
            )}
          </CardGridItem>
        ))}
      </CardGrid>
      {last?.next_cursor && (
        <LoadMore
          end={last.next_cursor}
          load={() => loadNextPage(fetchNextPage)}
          failed="More listings could not be loaded."
          className="mt-8"
        />
      )}
    </div>
  );
}

const unavailableTexts: Partial<Record<UnavailableReason, string>> & { gone: string } = {
  passed: 'This game has passed',
  unconfirmed: 'Not confirmed by the seller',
  gone: 'No longer available',
};

function UnavailableCard({ item }: { item: SavedListing }) {
  const title = item.saved_title ?? 'Removed listing';
  return (
    <Card className="@container flex flex-col">
      <div className="grid aspect-4/5 place-items-center bg-hover p-4 text-center font-semibold text-ink-muted text-sm">
        {(item.unavailable && unavailableTexts[item.unavailable]) ?? unavailableTexts.gone}
      </div>
      <FavoriteHeart listing={{ id: item.listing_id, title }} className="absolute top-2 right-2 z-10" />
      <div className="flex flex-1 flex-col gap-1 p-2 pt-2.5 text-ink-muted @[13rem]:p-4">
        <h3 dir="auto" className="line-clamp-2 break-words font-semibold text-sm @[13rem]:text-base">
          {title}
        </h3>
        <p className="text-xs">{`${formatPrice(useCampus(), item.saved_price)} when you saved it`}</p>
      </div>
    </Card>
  );
}

function GridSkeleton() {
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        Loading your saved listings
      </span>
      <CardGrid>
        {[0, 1, 2, 3].map((index) => (
          <CardGridItem key={index} index={index}>
            <ListingCardSkeleton />
          </CardGridItem>
        ))}
      </CardGrid>
    </div>
  );
}
