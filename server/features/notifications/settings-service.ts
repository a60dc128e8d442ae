import { createProblem } from '#contract/errors.ts';
import {
  type NotificationKind,
  type NotificationSettings,
  type NotificationSettingsChange,
  type SwitchableNotificationChannel,
  switchableNotificationChannels,
} from '#contract/notifications.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
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

/** Creates the service for notification settings. */
export const createNotificationSettingsService = ({
  sql,
  clock,
  bus,
  rescheduleDigests,
}: {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'publish'>;
  /**
   * Moves a person's pending daily alerts to the hour that the person has just chosen. Called in the
   * transaction that stores the setting.
   */
  rescheduleDigests(tx: Queryable, userId: string): Promise<void>;
}) => {
  const getRow = async (tx: Queryable, userId: string): Promise<repository.NotificationSettingsRow> => {
    const row = await repository.findNotificationSettings(tx, userId);
    if (!row) throw createProblem('not_authenticated');
    return row;
  };

  const change = async (
    userId: string,
    { channels = {}, quiet_hours, digest_hour, digest_content, push_content }: NotificationSettingsChange,
  ): Promise<NotificationSettings> => {
    const settings = await runInTransaction(sql, async (tx) => {
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
      await repository.saveNotificationSettings(tx, userId, next, clock.now());
      if (next.digest_hour !== before.digest_hour) await rescheduleDigests(tx, userId);
      return presentSettings(next);
    });
    // Devices display the number of unread notifications. It depends on the settings, so announce the new number.
    await publishNotificationsChanged(bus, [userId]);
    return settings;
  };

  return {
    get: async (userId: string): Promise<NotificationSettings> => presentSettings(await getRow(sql, userId)),

    /** Returns the settings as the data export contains them. */
    export: async (userId: string) => {
      const { channelsOff, ...rest } = await getRow(sql, userId);
      return { ...rest, channels_off: [...channelsOff] };
    },

    change,

    /** Switches off emails of a kind, for an unsubscribe link; does nothing when the account no longer exists. */
    stopEmails: async (userId: string, kinds: readonly NotificationKind[]): Promise<void> => {
      if (!(await repository.findNotificationSettings(sql, userId))) return;
      const names = kinds.map((kind) => `${kind}.email` as SwitchableNotificationChannel);
      await change(userId, { channels: Object.fromEntries(names.map((name) => [name, false])) });
    },
  };
};

export type NotificationSettingsService = ReturnType<typeof createNotificationSettingsService>;
