import { createProblem } from '#contract/errors.ts';
import {
  type NotificationKind,
  type NotificationSettings,
  type NotificationSettingsChange,
  type SwitchableNotificationChannel,
  switchableNotificationChannels,
} from '#contract/notifications.ts';
import { type App, react } from '#server/app.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { publishNotificationsChanged } from './publishing.ts';
import * as repository from './settings-repository.ts';

const presentSettings = ({
  channelsOff,
  quiet_hours,
  digest_hour,
  digest_content,
  push_content,
}: repository.NotificationSettingsRow): NotificationSettings => ({
  channels: Object.fromEntries(
    switchableNotificationChannels.map((name) => [name, !channelsOff.includes(name)]),
  ) as NotificationSettings['channels'],
  quiet_hours,
  digest_hour,
  digest_content,
  push_content,
});

const getRow = async (sql: Queryable, userId: string): Promise<repository.NotificationSettingsRow> => {
  const row = await repository.findNotificationSettings(sql, userId);
  if (!row) throw createProblem('not_authenticated');
  return row;
};

/** Returns a person's settings. Throws `not_authenticated` when there is no such account. */
export const getNotificationSettings = async ({ sql }: App, userId: string): Promise<NotificationSettings> =>
  presentSettings(await getRow(sql, userId));

export const exportNotificationSettings = async ({ sql }: App, userId: string) => {
  const { channelsOff, ...rest } = await getRow(sql, userId);
  return { ...rest, channels_off: [...channelsOff] };
};

export const changeNotificationSettings = async (
  app: App,
  userId: string,
  { channels = {}, quiet_hours, digest_hour, digest_content, push_content }: NotificationSettingsChange,
): Promise<NotificationSettings> => {
  const settings = await runInTransaction(app.sql, async (tx) => {
    await repository.lockAccount(tx, userId);
    const before = await getRow(tx, userId);
    const channelsOff = switchableNotificationChannels.filter((name) =>
      name in channels ? channels[name] === false : before.channelsOff.includes(name),
    );
    const next = {
      channelsOff,
      quiet_hours: {
        from: quiet_hours?.from ?? before.quiet_hours.from,
        until: quiet_hours?.until ?? before.quiet_hours.until,
      },
      digest_hour: digest_hour ?? before.digest_hour,
      digest_content: digest_content ?? before.digest_content,
      push_content: push_content ?? before.push_content,
    };
    await repository.saveNotificationSettings(tx, userId, next, app.clock.now());
    if (next.digest_hour !== before.digest_hour) await react(app, tx, 'digest_hour_changed', { userId });
    return presentSettings(next);
  });
  // Devices display the number of unread notifications. It depends on the settings, so announce the new number.
  await publishNotificationsChanged(app, [userId]);
  return settings;
};

/** Switches off emails of a kind, for an unsubscribe link; does nothing when the account no longer exists. */
export const stopEmails = async (
  app: App,
  userId: string,
  kinds: readonly NotificationKind[],
): Promise<void> => {
  if (!(await repository.findNotificationSettings(app.sql, userId))) return;
  const names = kinds.map((kind) => `${kind}.email` as SwitchableNotificationChannel);
  await changeNotificationSettings(app, userId, {
    channels: Object.fromEntries(names.map((name) => [name, false])),
  });
};
