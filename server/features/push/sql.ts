import { toUrgentHandoverCondition } from '#server/features/deals/sql.ts';
import { type CampusInstant, toQuietHoursCondition } from '#server/features/notifications/sql.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';

/** How many seconds pass before an event is pushed, unless it is read in an open tab in the meantime. */
export const pushDelaySeconds = 5;

/**
 * Returns the statement that schedules push notifications to people who have a browser for them; they become due soon
 * after `now`. `rows` is a query with the columns user_id, source, subject_id, kind and detail of the table due_pushes.
 * An existing row is locked, not changed: its job must wait for the end of the transaction, or the push would be sent
 * without what this transaction stores.
 */
export const insertDuePushes = (sql: Queryable, rows: ReturnType<Sql>, now: Date) => sql`
  INSERT INTO due_pushes (user_id, source, subject_id, kind, detail, due_at)
  SELECT DISTINCT due.*, ${now}::timestamptz + ${pushDelaySeconds} * interval '1 s'
  FROM (${rows}) AS due (user_id, source, subject_id, kind, detail)
  WHERE EXISTS (SELECT FROM private.push_subscriptions p WHERE p.user_id = due.user_id)
  ON CONFLICT (user_id, source, subject_id, kind, detail) DO UPDATE SET due_at = due_pushes.due_at WHERE false`;

/**
 * Returns an SQL condition that is true if a due push (row `d`) must wait until the recipient's quiet hours
 * end. `s` is the recipient's settings row.
 */
export const toWaitsForQuietHoursCondition = (moment: CampusInstant): Fragment => fragment`(
  d.kind <> 'security' AND ${toQuietHoursCondition(moment)}
  AND NOT (d.kind = 'deals' AND ${toUrgentHandoverCondition(
    {
      dealId: trustedSql("CASE WHEN d.source = 'deal' THEN d.subject_id END"),
      conversationId: trustedSql("CASE WHEN d.source = 'conversation' THEN d.subject_id END"),
    },
    moment.now,
  )}))`;
