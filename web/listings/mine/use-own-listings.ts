import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import { type OwnListings, withListing, withListingBack, withoutListing } from './own-listings.ts';

/** More than anybody has shown so far; the counts are of all. */
const limit = 500;

/** A draft that could not be published: what it still needs. */
export interface PublishRefusal {
  listing: OwnListing;
  reasons: string[];
}

export interface OwnListingsView {
  data: OwnListings | undefined;
  /** The first load failed. */
  failed: boolean;
  reload: () => void;
  refusal: PublishRefusal | undefined;
  setStatus: (listing: OwnListing, status: ListingStatus) => void;
  remove: (listing: OwnListing) => void;
}

const said: Record<ListingStatus, string> = { draft: 'Marked as draft', published: 'Marked as active' };

/** The person's own listings. Changes show immediately and are undone when the server refuses them. */
export const useOwnListings = (ownId: string): OwnListingsView => {
  const queryKey = ['own-listings', ownId, { limit }];
  const { data, isError, refetch } = useQuery(
    { queryKey, queryFn: ({ signal }) => request(calls.listMyListings, { query: { limit }, signal }) },
    queryClient,
  );
  const [refusal, setRefusal] = useState<PublishRefusal>();
  const change = (next: (own: OwnListings) => OwnListings): void => {
    queryClient.setQueryData<OwnListings>(queryKey, (own) => own && next(own));
  };

  const changeStatus = useMutation(
    {
      mutationFn: ({ listing, status }: { listing: OwnListing; status: ListingStatus }) =>
        request(calls.setListingStatus, { params: { id: listing.id }, body: { status } }),
      onMutate: ({ listing, status }) => {
        setRefusal(undefined);
        change((own) => withListing(own, { ...listing, status }));
      },
      onSuccess: (saved, { status }) => {
        change((own) => withListing(own, saved));
        toast.success(said[status]);
      },
      onError: (error, { listing }) => {
        change((own) => withListingBack(own, listing));
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
        change((own) => withoutListing(own, listing.id));
      },
      onSuccess: () => toast.success('Listing deleted'),
      onError: (_, listing) => {
        change((own) => withListingBack(own, listing));
        toast.error('Failed to delete listing');
      },
    },
    queryClient,
  );

  return {
    data,
    failed: isError && !data,
    reload: () => void refetch(),
    refusal,
    setStatus: (listing, status) => changeStatus.mutate({ listing, status }),
    remove: (listing) => deletion.mutate(listing),
  };
};
