import type { Category } from '#contract/categories.ts';
import type { GiftMode } from '#contract/selling.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

import type { ListingRow, OwnedListing } from './listing-row.ts';
import type { ListingTerms } from './sql.ts';

/** The fields of a listing that cannot change while there are deals about it. */
export interface FieldsLockedByDeals {
  category: Category | null;
  giftMode: GiftMode;
  drawHours: number;
}

/** The functions of the deals feature that the listings feature calls. */
export interface ListingDeals {
  /** Queues a check of the listing's offers and holds for when the transaction has committed. */
  scheduleSettling(tx: Queryable, settling: { listing_id: string }): Promise<void>;
  /** Queues the same check for when marking the listing as sold can no longer be undone. */
  scheduleSaleSettling(tx: Queryable, settling: { listing_id: string }): Promise<void>;
  /** Queues event lines about the change for the conversations of the listing's open deals. */
  scheduleChangeNotices(
    tx: Queryable,
    change: { listing_id: string; before: ListingTerms; after: ListingTerms },
  ): Promise<void>;
  /** Throws sale_in_deal while the person holds the listing in a deal. */
  assertHasNoHold(tx: Queryable, deal: { listingId: string; buyerId: string }): Promise<void>;
  /** Records a sale that its buyer has confirmed as a completed deal; returns a function that announces it after the commit. */
  recordSale(
    tx: Queryable,
    sale: { listing: ListingRow; buyerId: string; now: Date },
  ): Promise<() => Promise<void>>;
  /** Throws a problem when a change is not possible because of the listing's deals. */
  assertMayChange(tx: Queryable, listing: OwnedListing, to: FieldsLockedByDeals): Promise<void>;
  /** Throws handover_unconfirmed while somebody other than this buyer has to confirm that the item was handed over. */
  assertNotHandedOver(
    tx: Queryable,
    deals: { listingId: string; exceptBuyerId?: string | undefined },
  ): Promise<void>;
  /** Throws rental_out when the listing is rented out, and handover_unconfirmed while somebody has to confirm a handover. */
  assertMayDelete(tx: Queryable, listingId: string): Promise<void>;
  /** Ends the offers and the hold of a deleted listing before it is removed. */
  settleRemoved(listingId: string): Promise<void>;
}
