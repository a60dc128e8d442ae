import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { type Loaded, useLoad } from '#web/lib/use-load.ts';
import { toast } from '#web/ui/toast.ts';
import { type OwnListings, withListing, withListingBack, withoutListing } from './own-listings.ts';

/** More than anybody has shown so far; the counts are of all. */
const limit = 500;

/** A draft that could not be published: what it still needs. */
export interface PublishRefusal {
  listing: OwnListing;
  reasons: string[];
}

export interface OwnListingsView extends Omit<Loaded<OwnListings>, 'setData'> {
  refusal: PublishRefusal | undefined;
  setStatus: (listing: OwnListing, status: ListingStatus) => Promise<void>;
  remove: (listing: OwnListing) => Promise<void>;
}

const said: Record<ListingStatus, string> = { draft: 'Marked as draft', published: 'Marked as active' };

/** One's own listings. Changes show at once and are taken back when the server refuses them. */
export const useOwnListings = (ownId: string): OwnListingsView => {
  const { setData, ...loaded } = useLoad(`listings of ${ownId}`, (signal) =>
    request(calls.listMyListings, { query: { limit }, signal }),
  );
  const [refusal, setRefusal] = useState<PublishRefusal>();

  const setStatus = async (listing: OwnListing, status: ListingStatus): Promise<void> => {
    setRefusal(undefined);
    setData((own) => withListing(own, { ...listing, status }));
    try {
      const saved = await request(calls.setListingStatus, { params: { id: listing.id }, body: { status } });
      setData((own) => withListing(own, saved));
      toast.success(said[status]);
    } catch (error) {
      setData((own) => withListingBack(own, listing));
      const reasons = error instanceof ApiError ? Object.values(error.fields ?? {}) : [];
      if (reasons.length > 0) setRefusal({ listing, reasons });
      toast.error('Failed to update listing', reasons[0]);
    }
  };

  const remove = async (listing: OwnListing): Promise<void> => {
    setRefusal(undefined);
    setData((own) => withoutListing(own, listing.id));
    try {
      await request(calls.deleteListing, { params: { id: listing.id } });
      toast.success('Listing deleted');
    } catch {
      setData((own) => withListingBack(own, listing));
      toast.error('Failed to delete listing');
    }
  };

  return { ...loaded, refusal, setStatus, remove };
};
