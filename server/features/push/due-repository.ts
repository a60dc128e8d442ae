import type { NotificationSettings } from '#contract/notifications.ts';
import type { PushSubject } from '#contract/push.ts';
import { toUrgentHandoverCondition } from '#server/features/deals/sql.ts';
import { type CampusInstant, toQuietHoursCondition } from '#server/features/notifications/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

/** A scheduled push: its recipient and what it is about. */
export interface DuePush extends PushSubject {
  user_id: string;
}

export interface LockedDuePush extends DuePush {
  channels_off: string[] | null;
  /** Whether the push must wait for the end of the person's quiet hours. */
  must_wait: boolean;
}

/**
 * Returns an SQL condition that is true if a due push (row `d`) must wait until the recipient's quiet hours
 * end. `s` is the recipient's settings row.
 */
const toWaitsForQuietHoursCondition = (moment: CampusInstant): Fragment => fragment`(
  d.kind <> 'security' AND ${toQuietHoursCondition(moment)}
  AND NOT (d.kind = 'deals' AND ${toUrgentHandoverCondition(
    {
      dealId: trustedSql("CASE WHEN d.source = 'deal' THEN d.subject_id END"),
      conversationId: trustedSql("CASE WHEN d.source = 'conversation' THEN d.subject_id END"),
    },
    moment.now,
  )}))`;

export const hasDuePushes = async (sql: Queryable, now: Date): Promise<boolean> => {
  const [row] = await sql<{ is_due: boolean }[]>`
    SELECT EXISTS (SELECT FROM due_pushes WHERE due_at <= ${now}) AS is_due`;
  return row?.is_due ?? false;
};

/**
 * Locks up to `limit` due push notifications until the transaction ends; skips those that another transaction has
 * locked.
 */
export const lockDuePushes = (
  tx: Queryable,
  { limit, ...moment }: CampusInstant & { limit: number },
): Promise<readonly LockedDuePush[]> =>
  tx<LockedDuePush[]>`
    SELECT d.user_id, d.source, d.subject_id, d.kind, d.detail, s.channels_off, ${toWaitsForQuietHoursCondition(moment)} AS must_wait
    FROM due_pushes d LEFT JOIN notification_settings s ON s.user_id = d.user_id
    WHERE d.due_at <= ${moment.now} ORDER BY d.due_at LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED`;

const toRowsSql = (rows: readonly DuePush[]) =>
  fragment`unnest(${rows.map((row) => row.user_id)}::uuid[], ${rows.map((row) => row.source)}::text[],
    ${rows.map((row) => row.subject_id)}::uuid[], ${rows.map((row) => row.kind)}::text[],
    ${rows.map((row) => row.detail)}::text[]) AS t (user_id, source, subject_id, kind, detail)`;

const sameRow = fragment`d.user_id = t.user_id AND d.source = t.source AND d.subject_id = t.subject_id
  AND d.kind = t.kind AND d.detail = t.detail`;

/** Removes due push notifications that have been queued for sending or must no longer be sent. */
export const removeDuePushes = async (tx: Queryable, rows: readonly DuePush[]): Promise<void> => {
  await tx`DELETE FROM due_pushes d USING ${toRowsSql(rows)} WHERE ${sameRow}`;
};

export const postponeDuePushes = async (
  tx: Queryable,
  rows: readonly DuePush[],
  dueAt: Date,
): Promise<void> => {
  await tx`UPDATE due_pushes d SET due_at = ${dueAt} FROM ${toRowsSql(rows)} WHERE ${sameRow}`;
};

/** Makes a push notification due again in all browsers of the person. */
export const addDuePush = async (sql: Queryable, row: DuePush, dueAt: Date): Promise<void> => {
  await sql`
    INSERT INTO due_pushes (user_id, source, subject_id, kind, detail, due_at)
    VALUES (${row.user_id}, ${row.source}, ${row.subject_id}, ${row.kind}, ${row.detail}, ${dueAt})
    ON CONFLICT DO NOTHING`;
};

/** Lists the push subscriptions of the given people, except those whose accounts are suspended. */
export const listPushSubscriptionsOfPeople = (
  sql: Queryable,
  userIds: readonly string[],
): Promise<readonly { id: string; user_id: string; endpoint: string }[]> => sql<
  { id: string; user_id: string; endpoint: string }[]
>`
  SELECT p.id, p.user_id, p.endpoint FROM private.push_subscriptions p
  JOIN private.credentials c ON c.user_id = p.user_id AND c.suspended_at IS NULL
  WHERE p.user_id = ANY (${[...userIds]}::uuid[])`;

/** A browser to send a push notification to, with the recipient's settings. */
export interface PushTarget
  extends Pick<Tables['push_subscriptions'], 'user_id' | 'endpoint' | 'p256dh' | 'auth'> {
  channels_off: string[] | null;
  push_content: NotificationSettings['push_content'] | null;
  must_wait: boolean;
}

/** Finds a browser by its id, if it still belongs to a session of an account that is not suspended. */
export const findPushTarget = async (
  sql: Queryable,
  { subscriptionId, subject, ...moment }: CampusInstant & { subscriptionId: string; subject: PushSubject },
): Promise<PushTarget | undefined> => {
  const [row] = await sql<PushTarget[]>`
    SELECT p.user_id, p.endpoint, p.p256dh, p.auth, s.channels_off, s.push_content, ${toWaitsForQuietHoursCondition(moment)} AS must_wait
    FROM (SELECT ${subject.source}::text AS source, ${subject.subject_id}::uuid AS subject_id, ${subject.kind}::text AS kind) AS d
    CROSS JOIN private.push_subscriptions p
    JOIN private.credentials c ON c.user_id = p.user_id AND c.suspended_at IS NULL
    LEFT JOIN notification_settings s ON s.user_id = p.user_id
    WHERE p.id = ${subscriptionId}`;
  return row;
};

export const removeAllDuePushes = async (sql: Queryable): Promise<void> => {
  await sql`DELETE FROM due_pushes`;
};
