import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { MarkSoldBody, OwnListing, SettableListingStatus } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast, showPublicationToast } from '../publication-toast.ts';
import {
  flattenOwnListings,
  type OwnListingPages,
  updateListingPages,
  withRestoredListing,
  withUpdatedListing,
} from './own-listings.ts';
import { useAvailabilityAnswer } from './use-availability-answer.ts';
import { useBulkActions } from './use-bulk-actions.ts';
import { useListingDeletion } from './use-listing-deletion.ts';
import { usePriceChange } from './use-price-change.ts';
import { useSaleActions } from './use-sale-actions.ts';

/**
 * Number of listings per request. A response contains the listings of all tabs of My Listings; the browser
 * sorts them into their tabs.
 */
const pageSize = 100;

/** How long the toast offers Undo after a listing became a draft, in milliseconds. */
const undoDurationMs = 10_000;

/** A draft that could not be published, with the reasons. */
export interface PublishRefusal {
  listing: OwnListing;
  reasons: string[];
}

export interface UseOwnListingsResult {
  data: OwnListingPage | undefined;
  /** Whether the first load of the listings failed. */
  failed: boolean;
  reload: () => void;
  /** Loads the next page. Throws if it cannot be loaded. */
  loadMore: () => Promise<void>;
  refusal: PublishRefusal | undefined;
  setStatus: (listing: OwnListing, status: SettableListingStatus) => void;
  /** Marks a listing as sold, given away or rented, and offers Undo in a toast. */
  markSold: (listing: OwnListing, sale: MarkSoldBody, focusesUndo: boolean) => void;
  relist: (listing: OwnListing) => void;
  availability: ReturnType<typeof useAvailabilityAnswer>;
  changePrice: ReturnType<typeof usePriceChange>;
  bulk: ReturnType<typeof useBulkActions>;
  /**
   * Deletes a listing and offers Undo in a toast. The Undo button takes the focus if `focusesUndo` is true
   * and the focus has not moved.
   */
  remove: (listing: OwnListing, focusesUndo: boolean) => void;
}

/**
 * Returns the person's own listings and functions that change them. Changes appear immediately and are
 * undone if the server refuses them. `today` is the current date on the campus, YYYY-MM-DD.
 */
export const useOwnListings = (ownId: string, today: string): UseOwnListingsResult => {
  const queryKey = [...ownListingsQueryKey(ownId), { limit: pageSize }];
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam: cursor, signal }) =>
        request(calls.listMyListings, { query: { limit: pageSize, cursor }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor,
      select: flattenOwnListings,
    },
    queryClient,
  );
  const [refusal, setRefusal] = useState<PublishRefusal>();
  const change = async (next: (own: OwnListingPage) => OwnListingPage): Promise<void> => {
    // If a page is being requested, its response would overwrite the change, so the request is
    // canceled. The element at the end of the list then requests the page again.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData<OwnListingPages>(queryKey, (own) => own && updateListingPages(own, next));
  };

  // Refreshes every list of the person's own listings, because another screen with such a list may
  // be open by now.
  const refreshLists = (): Promise<void> =>
    queryClient.invalidateQueries({ queryKey: ownListingsQueryKey(ownId) });
  const showListing = (listing: OwnListing): Promise<void> =>
    change((own) => withUpdatedListing(own, listing, today));
  // Refetch the lists after a change, because they may have changed on the server again. While other
  // changes are in progress, the server's lists do not contain those yet, so only the last change
  // refetches.
  const mutationKey = ['change', ...ownListingsQueryKey(ownId)];
  const onSettled = (): void => {
    if (queryClient.isMutating({ mutationKey }) === 1) void refreshLists();
  };

  const changeStatus = useMutation(
    {
      mutationKey,
      mutationFn: ({ listing, status }: { listing: OwnListing; status: SettableListingStatus }) =>
        request(calls.setListingStatus, { params: { id: listing.id }, body: { status } }),
      onMutate: ({ listing, status }) => {
        setRefusal(undefined);
        return showListing({ ...listing, status });
      },
      onSuccess: async (saved, { listing, status }) => {
        await showListing(saved);
        if (saved.status === 'in_review') showHeldForReviewToast();
        else if (status === 'published') showPublicationToast(listing, 'Marked as active');
        else if (listing.status !== 'published') toast.success('Marked as draft');
        else
          toast.success('Marked as draft', undefined, {
            label: 'Undo',
            durationMs: undoDurationMs,
            onSelect: () => changeStatus.mutate({ listing: saved, status: 'published' }),
          });
      },
      onError: async (error, { listing }) => {
        await change((own) => withRestoredListing(own, listing, today));
        const reasons = error instanceof ApiError ? Object.values(error.fields ?? {}) : [];
        if (reasons.length > 0) setRefusal({ listing, reasons });
        toast.error(
          'Failed to update listing',
          reasons[0] ?? (error instanceof ApiError ? error.message : undefined),
        );
      },
      onSettled,
    },
    queryClient,
  );

  const remove = useListingDeletion({
    mutationKey,
    change,
    refreshLists,
    today,
    onDelete: () => setRefusal(undefined),
    onSettled,
  });

  const { markSold, relist } = useSaleActions({ mutationKey, showListing, onSettled });
  const availability = useAvailabilityAnswer({ mutationKey, showListing, onSettled });
  const changePrice = usePriceChange({ mutationKey, showListing, onSettled });
  const bulk = useBulkActions({
    money: useCampus(),
    reload: async () => (await refetch()).data?.items ?? [],
    refreshLists,
  });

  return {
    data,
    failed: isError && !data,
    reload: () => void refetch(),
    loadMore: () => loadNextPage(fetchNextPage),
    refusal,
    setStatus: (listing, status) => changeStatus.mutate({ listing, status }),
    markSold,
    relist,
    availability,
    changePrice,
    bulk,
    remove,
  };
};
