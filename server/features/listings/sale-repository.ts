import { reservingDealStates } from '#contract/deal-states.ts';
import type { PublicUser } from '#contract/profiles.ts';
import { toMayContactSql } from '#server/features/blocks/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { OwnedListing } from './listing-row.ts';
import { toPublicPriceRecord } from './public-price.ts';

export interface NewSale {
  /** Id of the person who got the listing, or null when the seller named nobody. */
  soldTo: string | null;
  /**
   * The last day of a rental that will be returned, or null when the listing is sold, given away or rented
   * permanently.
   */
  until: string | null;
  /** Whether it is certain who got the listing, because a deal was completed. */
  isConfirmed: boolean;
  now: Date;
}

/**
 * Marks a listing as sold, or as rented until a day. A listing that was taken down or deleted gets
 * this status when it is restored, one that is in review when it is approved, and one that needs changes when the
 * decision is reversed.
 */
export const markListingSold = async (
  tx: Queryable,
  listing: Pick<OwnedListing, 'id'>,
  { soldTo, until, isConfirmed, now }: NewSale,
): Promise<void> => {
  const status = until ? 'published' : 'sold';
  await tx`
    UPDATE listings SET sold_at = ${now}, rented_until = ${until}, sold_to = ${soldTo},
      sale_confirmed_at = ${isConfirmed ? now : null}, is_on_hold = false, ended_at = NULL,
      paused_at = CASE WHEN ${until}::date IS NULL THEN paused_at END,
      -- Restoring a listing that was taken down compares this time, to find out whether its owner edited it meanwhile.
      updated_at = CASE WHEN hidden_with = 'listing' THEN updated_at ELSE ${now} END,
      status = CASE WHEN hidden_at IS NULL AND deleted_at IS NULL AND requested_changes IS NULL AND status <> 'in_review'
        THEN ${status} ELSE status END,
      status_before_deletion = CASE WHEN deleted_at IS NOT NULL THEN ${status} END
    WHERE id = ${listing.id}`;
};

/**
 * Publishes a sold or rented listing again and removes the record of the sale; the listing is on hold again if a deal
 * still holds it. Records its price, because the same transaction may hold the listing for review. Undoing the sale of a
 * paused listing pauses it again. Returns the new status.
 */
export const relistListing = async (
  tx: Queryable,
  listing: OwnedListing,
  { now, isUndo }: { now: Date; isUndo: boolean },
): Promise<'published' | 'draft' | undefined> => {
  const [relisted] = await tx<{ status: 'published' | 'draft' }[]>`
    WITH ${toPublicPriceRecord(listing.id, now)}
    UPDATE listings SET status = CASE WHEN ${isUndo} AND paused_at IS NOT NULL THEN 'draft' ELSE 'published' END,
      paused_at = CASE WHEN ${isUndo} THEN paused_at END, sold_at = NULL, rented_until = NULL, sold_to = NULL, updated_at = ${now},
      is_on_hold = category <> 'rentals' AND EXISTS (
        SELECT FROM deals WHERE listing_id = ${listing.id} AND state = ANY (${reservingDealStates}))
    WHERE id = ${listing.id} RETURNING status`;
  return relisted?.status;
};

/** Removes the record of a sale, or of a rental without a deal. */
export const clearSale = async (tx: Queryable, listing: Pick<OwnedListing, 'id'>): Promise<void> => {
  await tx`
    UPDATE listings SET sold_at = NULL, rented_until = NULL, sold_to = NULL, sale_confirmed_at = NULL
    WHERE id = ${listing.id}`;
};

export const confirmSale = async (tx: Queryable, listingId: string, now: Date): Promise<void> => {
  await tx`UPDATE listings SET sale_confirmed_at = ${now} WHERE id = ${listingId}`;
};

/** Removes the record of the buyer; the listing stays sold. */
export const removeBuyer = async (tx: Queryable, listingId: string): Promise<void> => {
  await tx`UPDATE listings SET sold_to = NULL WHERE id = ${listingId}`;
};

const mayContactSql = trustedSql(`(${toMayContactSql('c.buyer_id', 'c.seller_id')})`);

/**
 * Lists the people who wrote about a listing, or received a message about it, and whom its seller may contact, latest
 * first.
 */
export const listInterestedPeople = async (
  sql: Queryable,
  listingId: string,
  limit: number,
): Promise<PublicUser[]> => [
  ...(await sql<PublicUser[]>`
    SELECT u.id, u.display_name AS name, u.avatar_url, u.usc_verified
    FROM conversations c JOIN users u ON u.id = c.buyer_id
    WHERE c.listing_id = ${listingId} AND c.last_seq > 0 AND ${mayContactSql}
    ORDER BY c.updated_at DESC, c.id LIMIT ${limit}`),
];

/**
 * Returns whether a person and the seller of a listing may contact each other. Returns undefined if the person has not
 * exchanged messages about the listing as a buyer.
 */
export const findBuyerContact = async (
  sql: Queryable,
  { listingId, userId }: { listingId: string; userId: string },
): Promise<{ may_contact: boolean } | undefined> => {
  const [row] = await sql<{ may_contact: boolean }[]>`
    SELECT ${mayContactSql} AS may_contact FROM conversations c
    WHERE c.listing_id = ${listingId} AND c.buyer_id = ${userId} AND c.last_seq > 0`;
  return row;
};
