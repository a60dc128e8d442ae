import type { Queryable } from '#server/platform/postgres/database.ts';

/** The functions of the saved searches feature that the listings feature calls. */
export interface ListingMatchingScheduler {
  /** Queues a listing that is being published, to be matched with all saved searches. */
  scheduleForPublished(tx: Queryable, listingId: string): Promise<void>;
  /**
   * Queues a published listing, to be matched with all saved searches after an edit. Must be called before the edit,
   * because it stores the previous state of the listing.
   */
  scheduleForEdited(tx: Queryable, listingId: string): Promise<void>;
}
