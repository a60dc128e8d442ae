import type { Queryable } from '#server/platform/postgres/database.ts';

/** The functions of the saved searches feature that the listings feature calls. */
export interface ListingMatching {
  /** Queues the search for saved searches that match a listing that is being published. */
  scheduleForPublished(tx: Queryable, listingId: string): Promise<void>;
  /**
   * Queues the search for saved searches that match a published listing after an edit. Must be
   * called before the edit, because it stores the previous state of the listing.
   */
  scheduleForEdited(tx: Queryable, listingId: string): Promise<void>;
}
