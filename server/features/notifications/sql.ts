import type { CampusTimeZone } from '#contract/campus.ts';
import { getMachineFormat } from '#contract/date-format.ts';
import {
  defaultNotificationSettings as defaults,
  type SwitchableNotificationChannel,
} from '#contract/notifications.ts';
import {
  type Fragment,
  fragment,
  quoteLiteral,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';

/** The current time, and the campus in whose time zone quiet hours are defined. */
export interface CampusInstant {
  now: Date;
  campus: CampusTimeZone;
}

/** Returns the hour of the day on the campus (0 to 23). */
const getCampusHour = ({ now, campus: { timezone } }: CampusInstant): number =>
  Number(getMachineFormat({ timeZone: timezone, hour: '2-digit' }).format(now));

/**
 * Returns an SQL condition that is true during a person's quiet hours. `s` is the person's settings row, with
 * nulls if the person has none.
 */
export const toQuietHoursCondition = (moment: CampusInstant): Fragment => {
  const hour = getCampusHour(moment);
  const from = trustedSql(`coalesce(s.quiet_from, ${defaults.quiet_hours.from})`);
  const until = trustedSql(`coalesce(s.quiet_until, ${defaults.quiet_hours.until})`);
  return fragment`(CASE WHEN ${from} <= ${until} THEN ${hour}::int >= ${from} AND ${hour}::int < ${until}
    ELSE ${hour}::int >= ${from} OR ${hour}::int < ${until} END)`;
};

/**
 * Returns an SQL condition that is true during the quiet hours of a person who has chosen them: who has others than
 * everybody has at first.
 */
export const toChosenQuietHoursCondition = (moment: CampusInstant): Fragment => {
  const { from, until } = defaults.quiet_hours;
  return fragment`((s.quiet_from <> ${from}::int OR s.quiet_until <> ${until}::int) AND ${toQuietHoursCondition(moment)})`;
};

/**
 * Returns an SQL condition that is true unless a person has switched off a channel. `s` is the person's
 * settings row, with nulls if the person has none.
 */
export const toChannelEnabledCondition = (
  channel: Exclude<SwitchableNotificationChannel, 'messages.email'>,
): Fragment => fragment`(s.channels_off IS NULL OR ${quoteLiteral(channel)} <> ALL (s.channels_off))`;

/**
 * SQL condition that is true if emails to a person may quote messages. `s` is the person's settings row, with
 * nulls if the person has none.
 */
export const mayQuoteMessagesCondition: Fragment = fragment`(s.digest_content IS DISTINCT FROM 'brief')`;

export const toDigestHourSql = (userId: Fragment): Fragment =>
  fragment`coalesce((SELECT digest_hour FROM notification_settings WHERE user_id = ${userId}), ${trustedSql(
    String(defaults.digest_hour),
  )})`;

/** How many seconds pass before an event is pushed, unless it is read in an open tab in the meantime. */
export const pushDelaySeconds = 5;

/**
 * Returns the statement that schedules push notifications to people who have a browser for them; they become due soon
 * after `now`. `rows` is a query with the columns user_id, source, subject_id, kind and detail of the table due_pushes.
 * An existing row is locked, not changed: its job must wait for the end of the transaction, or the push would be sent
 * without what this transaction stores.
 */
export const insertDuePushes = (rows: Fragment, now: Date) => fragment`
  INSERT INTO due_pushes (user_id, source, subject_id, kind, detail, due_at)
  SELECT DISTINCT due.*, ${now}::timestamptz + ${pushDelaySeconds} * interval '1 s'
  FROM (${rows}) AS due (user_id, source, subject_id, kind, detail)
  WHERE EXISTS (SELECT FROM private.push_subscriptions p WHERE p.user_id = due.user_id)
  ON CONFLICT (user_id, source, subject_id, kind, detail) DO UPDATE SET due_at = due_pushes.due_at WHERE false`;
