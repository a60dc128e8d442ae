import type { RentalPhoto, RentalPhotoStep } from '#contract/rental-photos.ts';
import { toMessagePhotoIdSql } from '#server/features/photos/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

interface RentalOfPhotos extends Pick<Tables['deals'], 'kind' | 'state' | 'first_day'> {
  deal_id: string;
  step: RentalPhotoStep;
}

interface StepOfDeal {
  dealId: string;
  step: RentalPhotoStep;
}

/**
 * Assigns the photos of a message to a step of a deal. Returns the number of its sender's photos of that step, without
 * those that were unsent. The transaction must have locked the conversation.
 */
export const assignPhotos = async (
  tx: Queryable,
  { dealId, step, messageId, userId }: StepOfDeal & { messageId: string; userId: string },
): Promise<number> => {
  await tx`
    UPDATE private.objects o SET deal_id = ${dealId}, deal_step = ${step}
    FROM messages m CROSS JOIN unnest(m.photos) AS p (id)
    WHERE m.id = ${messageId} AND o.bucket = 'message-photos' AND o.path = m.sender_id || '/' || p.id || '.jpg'`;
  const [row] = await tx<{ count: number }[]>`
    SELECT count(*)::int AS count FROM private.objects
    WHERE deal_id = ${dealId} AND deal_step = ${step} AND owner_id = ${userId}`;
  return row?.count ?? 0;
};

/** Lists the photos of a deal, oldest first. */
export const listPhotos = async (sql: Queryable, dealId: string): Promise<RentalPhoto[]> => {
  const id = toMessagePhotoIdSql(fragment`o.path`);
  const rows = await sql<(Omit<RentalPhoto, 'created_at'> & { created_at: Date })[]>`
    SELECT ${id} AS id, o.width, o.height, o.thumbhash, o.deal_step AS step, m.id AS message_id, m.created_at,
      CASE WHEN o.owner_id = d.buyer_id THEN 'buyer' ELSE 'seller' END AS by
    FROM private.objects o JOIN deals d ON d.id = o.deal_id
    JOIN messages m ON m.id = o.message_id AND m.conversation_id = d.conversation_id
    WHERE o.deal_id = ${dealId} ORDER BY m.seq, array_position(m.photos, ${id})`;
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
};

/** Returns the rental and the step to which the photos of a message belong, or undefined if they belong to none. */
export const findRentalOfMessage = async (
  sql: Queryable,
  messageId: string,
): Promise<RentalOfPhotos | undefined> => {
  const [row] = await sql<RentalOfPhotos[]>`
    SELECT o.deal_id, o.deal_step AS step, d.kind, d.state, d.first_day
    FROM messages m CROSS JOIN unnest(m.photos) AS p (id)
    JOIN private.objects o ON o.bucket = 'message-photos' AND o.path = m.sender_id || '/' || p.id || '.jpg'
    JOIN deals d ON d.id = o.deal_id WHERE m.id = ${messageId} LIMIT 1`;
  return row;
};
