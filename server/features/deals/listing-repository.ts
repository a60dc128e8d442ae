import { type TicketValues, ticketColumns } from '#contract/tickets.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { trustedSql } from '#server/platform/postgres/sql-fragments.ts';

export interface DealListing extends Required<TicketValues> {
  id: string;
  user_id: string;
  title: string;
  price: number;
  category: string;
  status: string;
  game_date: string | null;
  /** The first day on which the seller, who is or was away, is back. */
  away_until: string | null;
  /** When the day of its game ended, which made the listing a draft; meaningless in other statuses. */
  ended_at: Date | null;
  deleted_at: Date | null;
  hidden_at: Date | null;
  /** What a moderator who made the listing a draft asked its owner to change. */
  requested_changes: string | null;
  is_on_hold: boolean;
  is_price_firm: boolean;
  rental_period: string | null;
  deposit: number | null;
  /** What the owner of an item for rent decided about its rentals. */
  day_price: number | null;
  week_price: number | null;
  month_price: number | null;
  min_rental_days: number | null;
  max_rental_days: number | null;
  handout_days: string | null;
  hold_hours: number;
  gift_mode: string;
  draw_closes_at: Date | null;
  drawn_at: Date | null;
  /** The person who got the listing according to the seller. */
  sold_to: string | null;
  sold_at: Date | null;
  /** The last day of a rental without a deal, or null when there is none. */
  rented_until: string | null;
  /** When the buyer confirmed the sale, or when a completed deal sold the listing. */
  sale_confirmed_at: Date | null;
}

const listingColumns = trustedSql(
  [
    'id',
    'user_id',
    'title',
    'price',
    'category',
    'status',
    'game_date',
    'away_until',
    'ended_at',
    'deleted_at',
    'hidden_at',
    'requested_changes',
    'is_on_hold',
    'is_price_firm',
    ...ticketColumns,
    'rental_period',
    'deposit',
    'day_price',
    'week_price',
    'month_price',
    'min_rental_days',
    'max_rental_days',
    'handout_days',
    'hold_hours',
    'gift_mode',
    'draw_closes_at',
    'drawn_at',
    'sold_to',
    'sold_at',
    'rented_until',
    'sale_confirmed_at',
  ].join(', '),
);

/**
 * Locks a listing until the transaction ends. Every change to a deal locks its listing first, so the
 * deals of a listing change one at a time.
 */
export const lockListing = async (tx: Queryable, id: string): Promise<DealListing | undefined> => {
  const [row] = await tx<
    DealListing[]
  >`SELECT ${listingColumns} FROM listings WHERE id = ${id} FOR NO KEY UPDATE`;
  return row;
};

/** Locks the listings of deals until the transaction ends, in the order of their ids. Leaves out those that were removed. */
export const lockListingsOfDeals = (
  tx: Queryable,
  dealIds: readonly string[],
): Promise<readonly DealListing[]> =>
  tx<DealListing[]>`SELECT ${listingColumns} FROM listings
    WHERE id IN (SELECT listing_id FROM deals WHERE id = ANY (${dealIds}::uuid[])) ORDER BY id FOR NO KEY UPDATE`;

export const setListingOnHold = async (
  tx: Queryable,
  { id, isOnHold }: { id: string; isOnHold: boolean },
): Promise<void> => {
  await tx`UPDATE listings SET is_on_hold = ${isOnHold} WHERE id = ${id}`;
};

/** Returns whether a listing belongs to a person and is not deleted. */
export const isListingOwner = async (
  sql: Queryable,
  { listingId, userId }: { listingId: string; userId: string },
): Promise<boolean> => {
  const [row] = await sql`
    SELECT 1 FROM listings WHERE id = ${listingId} AND user_id = ${userId} AND deleted_at IS NULL`;
  return row !== undefined;
};
