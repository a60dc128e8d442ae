import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface DealForAdministrators
  extends Pick<
    Tables['deals'],
    'id' | 'kind' | 'state' | 'title' | 'first_day' | 'last_day' | 'pickup_time' | 'return_time'
  > {
  /** Email address of the seller, or null when the account was deleted. */
  seller_email: string | null;
  buyer_email: string | null;
}

const selectDeals = fragment`
  SELECT d.id, d.kind, d.state, d.title, d.first_day, d.last_day, d.pickup_time, d.return_time, s.email AS seller_email, b.email AS buyer_email
  FROM deals d LEFT JOIN users s ON s.id = d.seller_id LEFT JOIN users b ON b.id = d.buyer_id`;

export const findDealForAdministrators = async (
  sql: Queryable,
  id: string,
): Promise<DealForAdministrators | undefined> => {
  const [deal] = await sql<DealForAdministrators[]>`${selectDeals} WHERE d.id::text = ${id}`;
  return deal;
};

/** Lists the rentals of a person that have been handed over and not returned, earliest last day first. */
export const listUnreturnedRentals = async (
  sql: Queryable,
  email: string,
): Promise<DealForAdministrators[]> =>
  sql<DealForAdministrators[]>`
    ${selectDeals}
    WHERE ${email} IN (s.email, b.email) AND d.kind = 'rental' AND d.state IN ('handed_over', 'out', 'back')
    ORDER BY d.last_day, d.id`;
