import type { Queryable } from '#server/platform/database.ts';

export interface SecurityEventRow {
  at: Date;
  event: string;
  user_id: string | null;
  client: string | null;
  request_id: string | null;
  detail: string | null;
}

export const insertEvent = async (sql: Queryable, row: SecurityEventRow): Promise<void> => {
  await sql`
    INSERT INTO private.security_events (at, event, user_id, client, request_id, detail)
    VALUES (${row.at}, ${row.event}, ${row.user_id}, ${row.client}, ${row.request_id}, ${row.detail})`;
};

/** The newest events, oldest of them first. */
export const listEvents = async (
  sql: Queryable,
  wanted: { userId: string | null; since: Date; client: string | null; limit: number },
): Promise<SecurityEventRow[]> => {
  const rows = await sql<SecurityEventRow[]>`
    SELECT at, event, user_id, client, request_id, detail FROM private.security_events
    WHERE at >= ${wanted.since}
      AND (${wanted.userId}::uuid IS NULL OR user_id = ${wanted.userId})
      AND (${wanted.client}::text IS NULL OR client = ${wanted.client})
    ORDER BY at DESC, id DESC LIMIT ${wanted.limit}`;
  return rows.reverse();
};
