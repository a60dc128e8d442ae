import { toBlockedSql } from '#server/features/blocks/sql.ts';
import { toListedCondition } from '#server/features/listing-visibility/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { trustedSql } from '#server/platform/postgres/sql-fragments.ts';

export type SavedListingAlertKind = 'price' | 'hold_ended' | 'sold';

/** Records a change to a listing, to be processed when it is due. Does nothing when nobody has saved the listing. */
export const queueSavedListingAlert = async (
  tx: Queryable,
  { listingId, change, dueAt }: { listingId: string; change: SavedListingAlertKind; dueAt: Date },
): Promise<void> => {
  await tx`
    INSERT INTO saved_listing_changes (listing_id, change, due_at)
    SELECT ${listingId}, ${change}, ${dueAt} WHERE EXISTS (SELECT FROM saved_listings WHERE listing_id = ${listingId})
    ON CONFLICT (listing_id, change) DO UPDATE SET due_at = excluded.due_at`;
};

/** Deletes all recorded changes after a restore, because the server from which the backup came has announced them. */
export const skipSavedListingAlerts = async (tx: Queryable): Promise<void> => {
  await tx`DELETE FROM saved_listing_changes`;
};

/** Removes and returns a due change, or undefined when there is none. */
export const takeDueSavedListingAlert = async (
  tx: Queryable,
  now: Date,
): Promise<{ listing_id: string; change: SavedListingAlertKind } | undefined> => {
  const [row] = await tx<{ listing_id: string; change: SavedListingAlertKind }[]>`
    DELETE FROM saved_listing_changes WHERE (listing_id, change) = (
      SELECT listing_id, change FROM saved_listing_changes WHERE due_at <= ${now}
      ORDER BY due_at, listing_id, change LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING listing_id, change`;
  return row;
};

/** The publicly visible state of a listing. */
export interface ChangedListing {
  status: 'published' | 'sold';
  price: number;
  rental_period: string | null;
  is_on_hold: boolean;
  sold_to: string | null;
  has_offers: boolean;
  /**
   * The lowest price that was in effect after the given time, for the same rental period, or null when none is known.
   */
  lowest_before: number | null;
}

/**
 * Returns the state of a listing, or undefined when it is in no list and was not sold. Does not lock the listing: a transaction
 * that has locked it may be waiting for the change that this transaction has removed.
 */
export const findChangedListing = async (
  tx: Queryable,
  id: string,
  { pricesSince, today }: { pricesSince: Date; today: string },
): Promise<ChangedListing | undefined> => {
  const [row] = await tx<ChangedListing[]>`
    SELECT status, price, rental_period, is_on_hold, sold_to,
      EXISTS (SELECT FROM deals d WHERE d.listing_id = l.id AND d.state = 'offered') AS has_offers,
      (
        SELECT min(p.price) FROM listing_prices p
        WHERE p.listing_id = l.id AND p.until > ${pricesSince} AND p.rental_period IS NOT DISTINCT FROM l.rental_period
      ) AS lowest_before
    FROM listings l
    WHERE id = ${id} AND (${toListedCondition(today)} OR status = 'sold')`;
  return row;
};

export const recordListingPrice = async (tx: Queryable, listingId: string, now: Date): Promise<void> => {
  await tx`
    INSERT INTO listing_prices (listing_id, price, rental_period, until)
    SELECT id, price, rental_period, ${now} FROM listings WHERE id = ${listingId}`;
};

/** Lists the people who saved a listing, except those who blocked its seller. */
export const listPeopleWhoSavedListing = async (tx: Queryable, listingId: string): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    SELECT s.user_id AS id FROM saved_listings s JOIN listings l ON l.id = s.listing_id
    WHERE s.listing_id = ${listingId} AND NOT ${trustedSql(toBlockedSql('s.user_id', 'l.user_id'))}
    ORDER BY s.user_id`;
  return rows.map(({ id }) => id);
};
