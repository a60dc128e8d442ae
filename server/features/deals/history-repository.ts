import type { DealParty, DealState } from '#contract/deal-states.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { type DealWithContext, dealContextColumns, dealContextJoins } from './repository.ts';

export interface DealFilter {
  userId: string;
  role?: DealParty | undefined;
  state?: DealState | undefined;
  conversationId?: string | undefined;
  /** The other party. */
  otherId?: string | undefined;
  after?: ListPosition | undefined;
  limit: number;
}

export type ListedDeal = DealWithContext & { position_time: string };

/** Lists a person's deals, newest first. */
export const listDeals = async (
  sql: Queryable,
  { userId, role, state, conversationId, otherId, after, limit }: DealFilter,
): Promise<readonly ListedDeal[]> => {
  const page = (column: 'buyer_id' | 'seller_id') => fragment`
    (SELECT d.id FROM deals d WHERE ${trustedSql(`d.${column}`)} = ${userId}
      ${state ? fragment`AND d.state = ${state}` : fragment``}
      ${conversationId ? fragment`AND d.conversation_id = ${conversationId}` : fragment``}
      ${otherId ? fragment`AND ${otherId} IN (d.buyer_id, d.seller_id)` : fragment``}
      ${after ? fragment`AND (d.created_at, d.id) < (${after.time}::timestamptz, ${after.id}::uuid)` : fragment``}
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit})`;
  const ids =
    role === undefined
      ? fragment`${page('buyer_id')} UNION ALL ${page('seller_id')}`
      : page(role === 'buyer' ? 'buyer_id' : 'seller_id');
  return sql<ListedDeal[]>`
    SELECT ${dealContextColumns}, ${toCursorTimeSql(fragment`d.created_at`)} AS position_time
    FROM deals d ${dealContextJoins} WHERE d.id IN (${ids}) ORDER BY d.created_at DESC, d.id DESC LIMIT ${limit}`;
};
