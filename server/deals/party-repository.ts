import type { Queryable } from '#server/platform/postgres/database.ts';
import type { DealRow } from './process.ts';

/** Counts a buyer's open offers, reads the age and badge of the account, and lists when they started deals about a listing since an instant. */
export const countStartedDeals = async (
  tx: Queryable,
  { buyerId, listingId, since }: { buyerId: string; listingId: string; since: Date },
): Promise<{ open: number; startedAt: Date[] }> => {
  const [row] = await tx<{ open: number; started_at: Date[] }[]>`
    SELECT (SELECT count(*) FROM deals WHERE buyer_id = ${buyerId} AND state = 'offered') AS open,
      ARRAY(SELECT created_at FROM deals
        WHERE buyer_id = ${buyerId} AND listing_id = ${listingId} AND created_at > ${since} AND state <> 'completed'
        ORDER BY created_at) AS started_at`;
  return { open: row?.open ?? 0, startedAt: row?.started_at ?? [] };
};

/** Locks a buyer until the transaction ends, so that the buyer starts one deal at a time and the limits hold. */
export const lockBuyer = async (tx: Queryable, buyerId: string): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`deals of ${buyerId}`}, 0))`;
};

/** Returns the conversation of a buyer's earlier deals about a listing. */
export const findConversationOfDeals = async (
  sql: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ conversation_id: string }[]>`
    SELECT conversation_id FROM deals WHERE listing_id = ${listingId} AND buyer_id = ${buyerId} LIMIT 1`;
  return row?.conversation_id;
};

/** Returns whether the account of a party was deleted or suspended. */
export const isPartyGone = async (
  tx: Queryable,
  { buyer_id: buyer, seller_id: seller }: Pick<DealRow, 'buyer_id' | 'seller_id'>,
): Promise<boolean> => {
  const [row] = await tx<{ count: number }[]>`
    SELECT count(*) FROM private.credentials WHERE user_id IN (${buyer}, ${seller}) AND suspended_at IS NULL`;
  return row?.count !== 2;
};

/** Returns whether a person has the verified badge. */
export const isVerified = async (sql: Queryable, userId: string): Promise<boolean> => {
  const [row] = await sql`SELECT 1 FROM users WHERE id = ${userId} AND usc_verified`;
  return row !== undefined;
};
