import { randomUUID } from 'node:crypto';
import { addSeconds } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';

/** The first and the last day of an offered rental. Both are null in an offer to buy. */
export type OfferedDays = [first: string, last: string] | [null, null];

/**
 * Stores offers for a listing, each by a new buyer and with the days that `toDays` returns; returns the ids
 * of the deals.
 */
export const insertOffers = async (
  sql: Sql,
  {
    listingId,
    sellerId,
    count,
    toDays,
    now,
  }: {
    listingId: string;
    sellerId: string;
    count: number;
    toDays: (n: number) => OfferedDays;
    now: Date;
  },
): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const [first, last] = toDays(n);
    const [row] = await sql<{ id: string }[]>`
      WITH buyer AS (
        INSERT INTO users (email, created_at, updated_at) VALUES (${`${randomUUID()}@usc.edu`}, ${now}, ${now}) RETURNING id
      ), conversation AS (
        INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at)
        SELECT ${listingId}, 'Desk', id, ${sellerId}, ${now}, ${now} FROM buyer RETURNING id, buyer_id
      )
      INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, first_day, last_day,
        deadline_at, created_at, changed_at)
      SELECT ${listingId}, id, buyer_id, ${sellerId}, ${first ? 'rental' : 'sale'}, 'offered', 'seller', 'Desk', 20,
        ${first}::date, ${last}::date, ${addSeconds(now, 48 * 3600)}, ${now}, ${now}
      FROM conversation RETURNING id`;
    if (row) ids.push(row.id);
  }
  return ids;
};
