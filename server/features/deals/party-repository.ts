import { createProblem } from '#contract/errors.ts';
import type { AccountTierFacts } from '#contract/limits.ts';
import { toMayContactSql } from '#server/features/blocks/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { DealRow } from './process.ts';

/**
 * Counts a buyer's open offers, reads the age and the badge of their account, and lists when they started deals about
 * a listing since the given time.
 */
export const findDealLimitInputs = async (
  tx: Queryable,
  { buyerId, listingId, since }: { buyerId: string; listingId: string; since: Date },
): Promise<AccountTierFacts & { open: number; startedAt: Date[] }> => {
  const [row] = await tx<{ open: number; started_at: Date[]; created_at: Date; usc_verified: boolean }[]>`
    SELECT created_at, usc_verified,
      (SELECT count(*) FROM deals WHERE buyer_id = ${buyerId} AND state = 'offered') AS open,
      ARRAY(SELECT created_at FROM deals
        WHERE buyer_id = ${buyerId} AND listing_id = ${listingId} AND created_at > ${since} AND state <> 'completed'
        ORDER BY created_at) AS started_at
    FROM users WHERE id = ${buyerId}`;
  if (!row) throw createProblem('not_authenticated');
  return {
    open: row.open,
    startedAt: row.started_at,
    joinedAt: row.created_at,
    isVerified: row.usc_verified,
  };
};

/** Locks a buyer until the transaction ends, so that the buyer starts one deal at a time and the limits hold. */
export const lockBuyer = async (tx: Queryable, buyerId: string): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`deals of ${buyerId}`}, 0))`;
};

/** Returns the id of the conversation that contains a buyer's deals about a listing, or undefined if there are none. */
export const findDealConversationId = async (
  sql: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ conversation_id: string }[]>`
    SELECT conversation_id FROM deals WHERE listing_id = ${listingId} AND buyer_id = ${buyerId} LIMIT 1`;
  return row?.conversation_id;
};

/** Whether the parties of a deal may contact each other, and which party has blocked the other. */
export interface PartyContact {
  is_allowed: boolean;
  /** A party that has blocked the other one, or null when neither has. */
  blocked_by: string | null;
}

const contactSql = trustedSql(toMayContactSql('p.buyer_id', 'p.seller_id'));

/**
 * Returns whether the parties of a deal may contact each other: neither is suspended, and neither has blocked the
 * other one. A party whose account was deleted counts as neither suspended nor blocking.
 */
export const findPartyContact = async (
  sql: Queryable,
  { buyer_id: buyer, seller_id: seller }: Pick<DealRow, 'buyer_id' | 'seller_id'>,
): Promise<PartyContact> => {
  const [row] = await sql<PartyContact[]>`
    SELECT ${contactSql} AS is_allowed, (
      SELECT user_id FROM blocks WHERE (user_id, blocked_id) IN ((p.buyer_id, p.seller_id), (p.seller_id, p.buyer_id))
      ORDER BY created_at LIMIT 1) AS blocked_by
    FROM (SELECT ${buyer}::uuid AS buyer_id, ${seller}::uuid AS seller_id) AS p`;
  return row ?? { is_allowed: true, blocked_by: null };
};

export const hasVerifiedBadge = async (sql: Queryable, userId: string): Promise<boolean> => {
  const [row] = await sql`SELECT 1 FROM users WHERE id = ${userId} AND usc_verified`;
  return row !== undefined;
};
