import { toMayContactSql } from '#server/features/blocks/sql.ts';
import { toSaleInDealCondition } from '#server/features/conversations/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Locks a buyer's conversation about a listing until the transaction ends and returns its id, or undefined when there
 * is none.
 */
export const lockConversationAboutListing = async (
  tx: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM conversations WHERE listing_id = ${listingId} AND buyer_id = ${buyerId} FOR NO KEY UPDATE`;
  return row?.id;
};

/**
 * The SQL condition that the buyer of a conversation (alias `c`) can be asked whether they got its listing: the parties
 * may contact each other, and no deal with this buyer records the same.
 */
const canAskSql = fragment`c.last_seq > 0 AND ${trustedSql(`(${toMayContactSql('c.buyer_id', 'c.seller_id')})`)}
  AND NOT ${toSaleInDealCondition({ listingId: trustedSql('c.listing_id'), buyerId: trustedSql('c.buyer_id') })}`;

/** Returns the id of the conversation in which a buyer can be asked whether they got a listing, or undefined. */
export const findConversationForSaleQuestion = async (
  tx: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await tx<
    { id: string }[]
  >`SELECT c.id FROM conversations c WHERE c.listing_id = ${listingId} AND c.buyer_id = ${buyerId} AND ${canAskSql}`;
  return row?.id;
};

/**
 * Lists the ids of the listings that were sold to a person before a time, but not more than a week earlier, and whose
 * buyer can be asked whether they got it but has not been asked.
 */
export const listUnaskedSales = async (sql: Queryable, { before }: { before: Date }): Promise<string[]> => {
  const rows = await sql<
    { id: string }[]
  >`SELECT l.id FROM listings l JOIN conversations c ON c.listing_id = l.id AND c.buyer_id = l.sold_to
    WHERE l.sold_to IS NOT NULL AND l.sale_confirmed_at IS NULL
      AND l.sold_at BETWEEN ${before}::timestamptz - interval '7 days' AND ${before}
      AND l.status IN ('sold', 'published') AND l.hidden_at IS NULL AND l.deleted_at IS NULL AND ${canAskSql}
      AND NOT EXISTS (SELECT FROM messages m
        WHERE m.conversation_id = c.id AND m.created_at > l.sold_at AND m.data ? 'sale_outcome')`;
  return rows.map(({ id }) => id);
};
