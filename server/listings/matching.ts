import type { Queryable } from '#server/platform/postgres/database.ts';

/** The functions of the saved searches feature that the listings feature calls. */
export interface ListingMatching {
  /** Queues the search for saved searches that a listing matches which is being published. */
  scheduleForPublished(tx: Queryable, listingId: string): Promise<void>;
  /**
   * Queues the search for saved searches that a published listing matches because of an edit. Must be called before the
   * edit, because it stores what the listing is like until then.
   */
  scheduleForEdited(tx: Queryable, listingId: string): Promise<void>;
}
