import { type DealState, openDealStates } from '#contract/deal-states.ts';
import type { ListingStatus } from '#contract/listings.ts';
import { type ListingTerms, listingTermColumns } from '#server/features/listings/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { columnList, json } from '#server/platform/postgres/sql-fragments.ts';

/** A change to a listing that the parties of one of its deals have not been told about yet. */
export interface PendingListingChange {
  deal_id: string;
  conversation_id: string;
  seller_id: string | null;
  state: DealState;
  before: ListingTerms;
}

/**
 * Stores the terms of a listing that is about to change, for each of its open deals. Keeps the
 * terms stored for an earlier change that has not been reported yet. Returns whether there are open
 * deals.
 */
export const storePreviousTerms = async (
  tx: Queryable,
  listingId: string,
  before: ListingTerms,
): Promise<boolean> => {
  const { count } = await tx`
    INSERT INTO pending_listing_changes (deal_id, listing_id, before)
    SELECT id, listing_id, ${json({ ...before })} FROM deals
    WHERE listing_id = ${listingId} AND state = ANY (${openDealStates})
    ON CONFLICT (deal_id) DO UPDATE SET before = pending_listing_changes.before`;
  return count > 0;
};

/** Lists the deals with a change to their listing that has not been reported. */
export const listDealsToInform = async (sql: Queryable, listingId: string): Promise<string[]> => {
  const rows = await sql<{ deal_id: string }[]>`
    SELECT deal_id FROM pending_listing_changes WHERE listing_id = ${listingId} ORDER BY deal_id`;
  return rows.map(({ deal_id: id }) => id);
};

/** The terms of a listing, and whether other people can see it or may see it again soon. */
export interface LockedTerms extends ListingTerms {
  status: ListingStatus;
  deleted_at: Date | null;
  sold_at: Date | null;
  sale_confirmed_at: Date | null;
  updated_at: Date;
}

/** Locks a listing until the transaction ends and returns its terms, or undefined when it was removed. */
export const lockListingTerms = async (
  tx: Queryable,
  listingId: string,
): Promise<LockedTerms | undefined> => {
  const columns = [
    ...listingTermColumns,
    'status',
    'deleted_at',
    'sold_at',
    'sale_confirmed_at',
    'updated_at',
  ];
  const [row] = await tx<LockedTerms[]>`
    SELECT ${columnList(columns)} FROM listings WHERE id = ${listingId} FOR NO KEY UPDATE`;
  return row;
};

/** Removes the pending change of a deal and returns it, or undefined when it has been reported already. */
export const takePendingListingChange = async (
  tx: Queryable,
  dealId: string,
): Promise<PendingListingChange | undefined> => {
  const [row] = await tx<PendingListingChange[]>`
    WITH taken AS (DELETE FROM pending_listing_changes WHERE deal_id = ${dealId} RETURNING deal_id, before)
    SELECT taken.deal_id, taken.before, d.conversation_id, d.seller_id, d.state
    FROM taken JOIN deals d ON d.id = taken.deal_id`;
  return row;
};
