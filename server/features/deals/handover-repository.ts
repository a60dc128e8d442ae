import type { DealParty } from '#contract/deal-states.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { DealRow } from './process.ts';
import { type DealWithContext, selectDeals } from './repository.ts';

export interface HandoverRecipient {
  to: string;
  reader: DealParty;
  readerName: string;
  otherName: string;
}

/** Finds those parties of a deal whose accounts still exist and are not suspended. */
export const findHandoverRecipients = async (
  tx: Queryable,
  { buyer_id: buyerId, seller_id: sellerId }: Pick<DealRow, 'buyer_id' | 'seller_id'>,
): Promise<HandoverRecipient[]> => {
  const parties = await tx<{ id: string; email: string; display_name: string; is_suspended: boolean }[]>`
    SELECT u.id, u.email, u.display_name, c.suspended_at IS NOT NULL AS is_suspended
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.id = ANY (${[buyerId, sellerId].filter((id) => id !== null)}::uuid[])`;
  return parties
    .filter((party) => !party.is_suspended)
    .map((party) => ({
      to: party.email,
      reader: party.id === sellerId ? 'seller' : 'buyer',
      readerName: party.display_name,
      otherName: parties.find(({ id }) => id !== party.id)?.display_name ?? deletedUserName,
    }));
};

/** Lists a person's deals on hold whose agreed handover is after a time, earliest first. */
export const listComingHandovers = (
  sql: Queryable,
  { userId, after, limit }: { userId: string; after: Date; limit: number },
): Promise<readonly DealWithContext[]> => {
  const listIds = (column: 'buyer_id' | 'seller_id') => fragment`
    (SELECT id FROM deals WHERE ${trustedSql(column)} = ${userId} AND state = 'held' AND handover_at > ${after}
    ORDER BY handover_at LIMIT ${limit})`;
  return selectDeals(
    sql,
    fragment`WHERE d.id IN (${listIds('buyer_id')} UNION ALL ${listIds('seller_id')})
      ORDER BY d.handover_at, d.id LIMIT ${limit}`,
  );
};
