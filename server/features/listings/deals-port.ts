import type { Category } from '#contract/categories.ts';
import type { GiftMode } from '#contract/selling.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

import type { ListingRow, OwnedListing } from './listing-row.ts';
import type { ListingTerms } from './sql.ts';

/** The fields of a listing that its owner cannot change while there are deals about it. */
export interface FieldsLockedByDeals {
  category: Category | null;
  giftMode: GiftMode;
  drawHours: number;
}

/** The functions of the deals feature that the listings feature calls. */
export interface DealsPort {
  /** Queues a check of the listing's offers and holds, which runs after the commit. */
  scheduleSettling(tx: Queryable, settling: { listing_id: string }): Promise<void>;
  /** Queues a check of the listing's offers and holds, which runs when marking it as sold can no longer be undone. */
  scheduleSaleSettling(tx: Queryable, settling: { listing_id: string }): Promise<void>;
  /** Queues event lines about the change for the conversations of the listing's open deals. */
  scheduleChangeNotices(
    tx: Queryable,
    change: { listing_id: string; before: ListingTerms; after: ListingTerms },
  ): Promise<void>;
  /** Stores the terms of a listing that becomes a draft, to compare them when it is published again. */
  storePublicTerms(tx: Queryable, listing: ListingTerms & { id: string }): Promise<void>;
  /** Throws sale_in_deal if a deal records whether the person to whom the listing was sold got it. */
  assertSaleNotInDeal(tx: Queryable, deal: { listingId: string; buyerId: string }): Promise<void>;
  /**
   * Creates a completed deal for a sale that its buyer has confirmed. Returns a function that publishes the deal after
   * the commit.
   */
  recordSale(
    tx: Queryable,
    sale: { listing: ListingRow; buyerId: string; now: Date },
  ): Promise<() => Promise<void>>;
  /** Throws a field error when the listing's deals do not allow a change. */
  assertMayChange(tx: Queryable, listing: OwnedListing, to: FieldsLockedByDeals): Promise<void>;
  /** Returns whether somebody has ever claimed a free item, even if no claim is left. */
  hasEverBeenClaimed(tx: Queryable, listingId: string): Promise<boolean>;
  /** Throws handover_unconfirmed while a handover to somebody other than this buyer is unconfirmed. */
  assertNotHandedOver(
    tx: Queryable,
    deals: { listingId: string; exceptBuyerId?: string | undefined },
  ): Promise<void>;
  /** Throws rental_out when the item is rented out, and handover_unconfirmed while a handover is unconfirmed. */
  assertMayDelete(tx: Queryable, listingId: string): Promise<void>;
  /** Ends the offers and the hold of a deleted listing before it is removed. */
  settleRemoved(listingId: string): Promise<void>;
}
