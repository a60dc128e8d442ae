import type { Queryable } from '#server/platform/postgres/database.ts';

/** Lists the listings whose draw is closed to further claims, but whose order of claims has not been drawn yet. */
export const listDueDraws = async (sql: Queryable, now: Date): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM listings
    WHERE gift_mode = 'draw' AND drawn_at IS NULL AND status = 'published' AND draw_closes_at <= ${now}`;
  return rows.map(({ id }) => id);
};

/** Locks a listing whose draw is due and returns its closing time, or undefined when the draw was made meanwhile. */
export const lockUndrawnListing = async (tx: Queryable, id: string, now: Date): Promise<Date | undefined> => {
  const [row] = await tx<{ draw_closes_at: Date }[]>`
    SELECT draw_closes_at FROM listings
    WHERE id = ${id} AND gift_mode = 'draw' AND drawn_at IS NULL AND status = 'published' AND draw_closes_at <= ${now}
    FOR NO KEY UPDATE`;
  return row?.draw_closes_at;
};

export interface DrawClaim {
  id: string;
  created_at: Date;
  /** The email address with which the person logs in, and the verified campus address if there is one. */
  emails: readonly string[];
}

/** Lists the open claims of people with a verified campus address that were made before the given time. */
export const listClaimsBefore = (tx: Queryable, listingId: string, before: Date): Promise<DrawClaim[]> =>
  tx<DrawClaim[]>`
    SELECT d.id, d.created_at, array_remove(ARRAY[u.email, (
      SELECT email FROM private.campus_addresses a WHERE a.user_id = u.id AND a.verified_at IS NOT NULL)], NULL) AS emails
    FROM deals d JOIN users u ON u.id = d.buyer_id AND u.usc_verified
    WHERE d.listing_id = ${listingId} AND d.state = 'offered' AND d.created_at < ${before}
    ORDER BY d.id FOR NO KEY UPDATE OF d`;

/**
 * Stores the order of a draw. Without any claims that take part, the listing becomes first come, first served. Other
 * open claims are then ranked by their arrival, because the giver is notified of the claim ranked first.
 */
export const storeDraw = async (
  tx: Queryable,
  { listingId, order, now }: { listingId: string; order: string[]; now: Date },
): Promise<void> => {
  if (order.length === 0) {
    await tx`UPDATE listings SET gift_mode = 'first_come', draw_closes_at = NULL WHERE id = ${listingId}`;
    await tx`
      UPDATE deals SET draw_rank = ranked.rank
      FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS rank FROM deals
        WHERE listing_id = ${listingId} AND state = 'offered') AS ranked
      WHERE deals.id = ranked.id`;
    return;
  }
  await tx`
    UPDATE deals SET draw_rank = drawn.rank
    FROM unnest(${order}::uuid[]) WITH ORDINALITY AS drawn (id, rank) WHERE deals.id = drawn.id`;
  await tx`UPDATE listings SET drawn_at = ${now} WHERE id = ${listingId}`;
};
