import { iterateRows } from '#server/platform/postgres/cursor.ts';
import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';

export interface SaleRow {
  seller_id: string;
  buyer_id: string;
  price: number;
  completed_at: Date;
  title: string;
  category: string;
  isbn: string | null;
}

/** Iterates over the sales that were completed after a time between people who still have an account. */
export const iterateSales = (tx: Transaction, since: Date): AsyncGenerator<SaleRow> =>
  iterateRows<SaleRow>(
    tx,
    fragment`
      SELECT d.seller_id, d.buyer_id, d.price, d.completed_at, d.title, l.category, l.isbn
      FROM deals d JOIN listings l ON l.id = d.listing_id
      WHERE d.completed_at > ${since} AND d.state = 'completed' AND d.kind = 'sale' AND d.price > 0
        AND d.seller_id IS NOT NULL AND d.buyer_id IS NOT NULL AND l.category IS NOT NULL`,
  );

export interface RangeRow {
  key: string;
  low: number;
  high: number;
  deals_until: Date;
  is_shown: boolean;
}

export const listRanges = (tx: Queryable): Promise<RangeRow[]> =>
  tx<RangeRow[]>`SELECT key, low, high, deals_until, is_shown FROM sale_price_ranges`;

/** Replaces all ranges. */
export const replaceRanges = async (tx: Queryable, rows: readonly RangeRow[]): Promise<void> => {
  await tx`DELETE FROM sale_price_ranges`;
  await tx`
    INSERT INTO sale_price_ranges (key, low, high, deals_until, is_shown)
    SELECT key, low, high, deals_until, is_shown FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      AS r (key text, low numeric, high numeric, deals_until timestamptz, is_shown boolean)`;
};

/** Finds the shown range of the first of these keys that has one. */
export const findRange = async (
  sql: Queryable,
  keys: readonly string[],
): Promise<Pick<RangeRow, 'low' | 'high'> | undefined> => {
  const [row] = await sql<Pick<RangeRow, 'low' | 'high'>[]>`
    SELECT low, high FROM sale_price_ranges WHERE key = ANY (${keys}::text[]) AND is_shown
    ORDER BY array_position(${keys}::text[], key) LIMIT 1`;
  return row;
};

/** Lets one process at a time compute the ranges, until the transaction ends. */
export const lockRanges = async (tx: Queryable): Promise<void> => {
  await tx`LOCK TABLE sale_price_ranges IN SHARE ROW EXCLUSIVE MODE`;
};
