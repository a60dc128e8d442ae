import type { NotificationKind } from '#contract/notifications.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type CampusInstant, toQuietHoursCondition } from './sql.ts';

/**
 * Lists people who have an email due now. For a person who has quiet hours now, only emails about security
 * events count.
 */
export const listPeopleToEmail = async (
  sql: Queryable,
  { limit, except, ...moment }: CampusInstant & { limit: number; except: readonly string[] },
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT DISTINCT n.user_id FROM notifications n LEFT JOIN notification_settings s ON s.user_id = n.user_id
    WHERE n.email_due_at <= ${moment.now} AND (n.kind = 'security' OR NOT ${toQuietHoursCondition(moment)})
      AND n.user_id <> ALL (${except}::uuid[])
    LIMIT ${limit}`;
  return rows.map(({ user_id: id }) => id);
};

export interface NotificationToEmail {
  id: string;
  kind: NotificationKind;
  /** Number of its events that no earlier email contained. */
  new_count: number;
}

/**
 * Marks a person's due emails as sent (in quiet hours, only the emails about security events). An email takes along what
 * is waiting of its kind, so that the person does not get a second one minutes later. Returns the
 * notifications that these emails must contain, or an empty array if a concurrent transaction has already
 * marked the emails.
 */
export const takeNotificationsToEmail = async (
  tx: Queryable,
  userId: string,
  moment: CampusInstant,
): Promise<readonly NotificationToEmail[]> =>
  tx<NotificationToEmail[]>`
    UPDATE notifications SET email_due_at = NULL, emailed_count = count FROM (
      SELECT n.id AS due_id, n.emailed_count AS earlier_count
      FROM notifications n LEFT JOIN notification_settings s ON s.user_id = n.user_id
      WHERE n.user_id = ${userId} AND n.email_due_at IS NOT NULL
        AND n.kind IN (SELECT kind FROM notifications WHERE user_id = ${userId} AND email_due_at <= ${moment.now})
        AND (n.kind = 'security' OR NOT ${toQuietHoursCondition(moment)})
      ORDER BY n.id FOR NO KEY UPDATE OF n SKIP LOCKED) AS due
    WHERE id = due_id
    RETURNING id, kind, count - earlier_count AS new_count`;

/**
 * Postpones the email about the notifications with these ids that are still unread. `newCounts` is the `new_count` of
 * each. Without it, the postponed email counts all events again.
 */
export const postponeNotificationEmail = async (
  sql: Queryable,
  {
    userId,
    ids,
    newCounts = [],
    dueAt,
  }: { userId: string; ids: readonly string[]; newCounts: readonly number[] | undefined; dueAt: Date },
): Promise<void> => {
  await sql`
    UPDATE notifications n SET email_due_at = ${dueAt},
      emailed_count = greatest(n.emailed_count - coalesce(postponed.new_count, n.emailed_count), 0)
    FROM unnest(${[...ids]}::uuid[], ${[...newCounts]}::int[]) AS postponed (id, new_count)
    WHERE n.user_id = ${userId} AND n.id = postponed.id AND n.read_at IS NULL`;
};

export interface EmailRecipient {
  email: string;
  display_name: string;
}

/** Finds a person whose account exists and is not suspended, by the id of the account. */
export const findEmailRecipient = async (
  sql: Queryable,
  userId: string,
): Promise<EmailRecipient | undefined> => {
  const [person] = await sql<EmailRecipient[]>`
    SELECT u.email, u.display_name FROM users u
    JOIN private.credentials c ON c.user_id = u.id AND c.suspended_at IS NULL WHERE u.id = ${userId}`;
  return person;
};

export const cancelAllNotificationEmails = async (sql: Queryable): Promise<void> => {
  await sql`UPDATE notifications SET email_due_at = NULL, emailed_count = count WHERE email_due_at IS NOT NULL`;
};
