import { reservingDealStates } from '#contract/deal-states.ts';
import { toMayContactSql } from '#server/blocks/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  fragment,
  quoteLiterals,
  runStatement,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';

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

const mayContactSql = trustedSql(`(${toMayContactSql('c.buyer_id', 'c.seller_id')})`);

/**
 * Returns the id of the conversation in which a buyer can be asked whether they got a listing. Returns undefined when
 * the parties may not contact each other, or a deal with this buyer holds the item and thus asks the same.
 */
export const findConversationForSaleQuestion = async (
  tx: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await runStatement<{ id: string }>(
    tx,
    fragment`
      SELECT c.id FROM conversations c
      WHERE c.listing_id = ${listingId} AND c.buyer_id = ${buyerId} AND c.last_seq > 0 AND ${mayContactSql}
        AND NOT EXISTS (SELECT FROM deals d WHERE d.listing_id = c.listing_id AND d.buyer_id = c.buyer_id
          AND d.state IN ${quoteLiterals(reservingDealStates)})`,
  );
  return row?.id;
};
