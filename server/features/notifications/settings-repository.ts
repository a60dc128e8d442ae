import {
  defaultNotificationSettings as defaults,
  type NotificationSettings,
  type SwitchableNotificationChannel,
} from '#contract/notifications.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type CampusInstant, toQuietHoursCondition } from './sql.ts';

export interface NotificationSettingsRow
  extends Pick<NotificationSettings, 'quiet_hours' | 'digest_hour' | 'digest_content' | 'push_content'> {
  channelsOff: SwitchableNotificationChannel[];
}

/** Returns a person's settings, or undefined when there is no such account. */
export const findNotificationSettings = async (
  sql: Queryable,
  userId: string,
): Promise<NotificationSettingsRow | undefined> => {
  const [row] = await sql<
    {
      email_messages: boolean;
      channels_off: SwitchableNotificationChannel[] | null;
      quiet_from: number | null;
      quiet_until: number | null;
      digest_hour: number | null;
      digest_content: NotificationSettings['digest_content'] | null;
      push_content: NotificationSettings['push_content'] | null;
    }[]
  >`
    SELECT u.email_messages, s.channels_off, s.quiet_from, s.quiet_until, s.digest_hour, s.digest_content, s.push_content
    FROM users u LEFT JOIN notification_settings s ON s.user_id = u.id WHERE u.id = ${userId}`;
  if (!row) return undefined;
  return {
    channelsOff: [...(row.channels_off ?? []), ...(row.email_messages ? [] : ['messages.email' as const])],
    quiet_hours: {
      from: row.quiet_from ?? defaults.quiet_hours.from,
      until: row.quiet_until ?? defaults.quiet_hours.until,
    },
    digest_hour: row.digest_hour ?? defaults.digest_hour,
    digest_content: row.digest_content ?? defaults.digest_content,
    push_content: row.push_content ?? defaults.push_content,
  };
};

/** Returns whether a person currently has quiet hours. */
export const isInQuietHours = async (
  sql: Queryable,
  userId: string,
  moment: CampusInstant,
): Promise<boolean> => {
  const [row] = await sql<{ is_quiet: boolean }[]>`
    SELECT ${toQuietHoursCondition(moment)} AS is_quiet
    FROM (SELECT ${userId}::uuid AS id) AS person LEFT JOIN notification_settings s ON s.user_id = person.id`;
  return row?.is_quiet ?? false;
};

/** Locks an account until the transaction ends, so that one transaction at a time changes its settings. */
export const lockAccount = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
};

export const saveNotificationSettings = async (
  tx: Queryable,
  userId: string,
  {
    channelsOff,
    quiet_hours: { from, until },
    digest_hour: hour,
    digest_content: content,
    push_content: pushContent,
  }: NotificationSettingsRow,
  now: Date,
): Promise<void> => {
  const others = channelsOff.filter((name) => name !== 'messages.email');
  const wantsMessages = others.length === channelsOff.length;
  await tx`
    UPDATE users SET email_messages = ${wantsMessages}, updated_at = ${now}
    WHERE id = ${userId} AND email_messages <> ${wantsMessages}`;
  await tx`
    INSERT INTO notification_settings (user_id, channels_off, quiet_from, quiet_until, digest_hour, digest_content,
      push_content)
    VALUES (${userId}, ${others}, ${from}, ${until}, ${hour}, ${content}, ${pushContent})
    ON CONFLICT (user_id) DO UPDATE SET channels_off = excluded.channels_off, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until, digest_hour = excluded.digest_hour, digest_content = excluded.digest_content,
      push_content = excluded.push_content`;
  // The quiet hours may have changed, so make postponed push notifications due now; the job postpones them again if
  // necessary.
  await tx`UPDATE due_pushes SET due_at = ${now} WHERE user_id = ${userId} AND due_at > ${now}`;
};
