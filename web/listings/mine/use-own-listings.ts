import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import {
  flattenOwnListings,
  type OwnListingPages,
  updatePages,
  withListing,
  withListingBack,
  withoutListing,
} from './own-listings.ts';

/** Listings per page. The tabs divide them by status in the browser. */
const pageSize = 100;

/** A draft that could not be published, with the reasons. */
export interface PublishRefusal {
  listing: OwnListing;
  reasons: string[];
}

export interface OwnListingsView {
  data: OwnListingPage | undefined;
  /** Whether the first load failed. */
  failed: boolean;
  reload: () => void;
  /** Loads the next page. Throws when that fails. */
  loadMore: () => Promise<void>;
  refusal: PublishRefusal | undefined;
  setStatus: (listing: OwnListing, status: ListingStatus) => void;
  remove: (listing: OwnListing) => void;
}

const statusToasts: Record<ListingStatus, string> = {
  draft: 'Marked as draft',
  published: 'Marked as active',
};

/** The person's own listings. Changes show immediately and are undone when the server refuses them. */
export const useOwnListings = (ownId: string): OwnListingsView => {
  const queryKey = ['own-listings', ownId, { limit: pageSize }];
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
    // A page that is loading would undo the change; the end of the list loads it again.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData<OwnListingPages>(queryKey, (own) => own && updatePages(own, next));
  };

  const changeStatus = useMutation(
    {
      mutationFn: ({ listing, status }: { listing: OwnListing; status: ListingStatus }) =>
        request(calls.setListingStatus, { params: { id: listing.id }, body: { status } }),
      onMutate: ({ listing, status }) => {
        setRefusal(undefined);
        return change((own) => withListing(own, { ...listing, status }));
      },
      onSuccess: async (saved, { status }) => {
        await change((own) => withListing(own, saved));
        toast.success(statusToasts[status]);
      },
      onError: async (error, { listing }) => {
        await change((own) => withListingBack(own, listing));
        const reasons = error instanceof ApiError ? Object.values(error.fields ?? {}) : [];
        if (reasons.length > 0) setRefusal({ listing, reasons });
        toast.error('Failed to update listing', reasons[0]);
      },
    },
    queryClient,
  );

  const deletion = useMutation(
    {
      mutationFn: (listing: OwnListing) => request(calls.deleteListing, { params: { id: listing.id } }),
      onMutate: (listing) => {
        setRefusal(undefined);
        return change((own) => withoutListing(own, listing.id));
      },
      onSuccess: () => toast.success('Listing deleted'),
      onError: async (_, listing) => {
        await change((own) => withListingBack(own, listing));
        toast.error('Failed to delete listing');
      },
    },
    queryClient,
  );

  return {
    data,
    failed: isError && !data,
    reload: () => void refetch(),
    loadMore: () => loadNextPage(fetchNextPage),
    refusal,
    setStatus: (listing, status) => changeStatus.mutate({ listing, status }),
    remove: (listing) => deletion.mutate(listing),
  };
};
