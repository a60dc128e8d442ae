import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface SecurityEventRow
  extends Pick<
    Tables['security_events'],
    'at' | 'event' | 'user_id' | 'client' | 'request_id' | 'detail' | 'reason'
  > {
  /** Id of the event; later events have higher ids. */
  id: Tables['security_events']['id'];
  /**
   * The actor that caused the event: an account id, `visitor`, `system`, or `shell:` followed by a user name of the
   * operating system. Null in events that were recorded before this column existed.
   */
  actor: Tables['security_events']['actor'];
}

export const insertSecurityEvent = async (
  sql: Queryable,
  row: Omit<SecurityEventRow, 'id'>,
): Promise<void> => {
  await sql`
    INSERT INTO private.security_events (at, event, user_id, client, request_id, detail, actor, reason)
    VALUES (${row.at}, ${row.event}, ${row.user_id}, ${row.client}, ${row.request_id}, ${row.detail},
      ${row.actor}, ${row.reason})`;
};

/** Returns whether an event of an actor with this detail was recorded since the given time. */
export const hasSecurityEvent = async (
  sql: Queryable,
  { event, actor, detail, since }: { event: string; actor: string; detail?: string | undefined; since: Date },
): Promise<boolean> => {
  const rows = await sql`
    SELECT FROM private.security_events
    WHERE at > ${since} AND event = ${event} AND actor = ${actor} AND detail = ${detail ?? null} LIMIT 1`;
  return rows.length > 0;
};

/** Lists the newest matching events, at most `limit`, in ascending order. */
export const listSecurityEvents = async (
  sql: Queryable,
  wanted: {
    userId: string | null;
    since: Date;
    client: string | null;
    /** If set, only events with an id lower than `before` match. */
    before: number | null;
    limit: number;
  },
): Promise<SecurityEventRow[]> => {
  const rows = await sql<SecurityEventRow[]>`
    SELECT id, at, event, user_id, client, request_id, detail, actor, reason FROM private.security_events
    WHERE at >= ${wanted.since}
      AND (${wanted.userId}::uuid IS NULL OR user_id = ${wanted.userId})
      AND (${wanted.before}::bigint IS NULL OR id < ${wanted.before})
      AND (${wanted.client}::text IS NULL OR client = ${wanted.client})
    ORDER BY id DESC LIMIT ${wanted.limit}`;
  return rows.reverse();
};
