import { queueSavedListingAlert } from '#server/features/saved-listings/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type ListingForModeration, makeSlug, type OwnedListing } from './listing-row.ts';
import { publishListing } from './repository.ts';

/**
 * Publishes a listing. Its slug is created from the title at the first publication and never changes afterwards.
 */
export const publishWithSlug = async (
  tx: Queryable,
  listing: OwnedListing | ListingForModeration,
  { title, drawClosesAt, now }: { title: string | null; drawClosesAt: Date | null; now: Date },
): Promise<void> => {
  if (listing.published_at) {
    await publishListing(tx, listing, { slug: listing.slug, drawClosesAt, now });
    await queueSavedListingAlert(tx, { listingId: listing.id, change: 'price', dueAt: now });
    return;
  }
  while (!(await publishListing(tx, listing, { slug: makeSlug(title), drawClosesAt, now })));
};
