import type { Campus } from '#contract/campus.ts';
import {
  listEnabledNotificationKinds,
  type Notification,
  type NotificationKind,
  type NotificationPage,
  notificationKinds,
} from '#contract/notifications.ts';
import { notificationPageSize } from '#contract/paging.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { publishNotificationsChanged } from './publishing.ts';
import * as repository from './repository.ts';
import { findNotificationSettings } from './settings-repository.ts';
import { renderNotification } from './texts.ts';

interface NotificationDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  bus: Pick<Bus, 'publish'>;
}

/** Creates the service for the notifications that a person sees in the app. */
export const createNotificationService = ({ sql, clock, campus, bus }: NotificationDeps) => {
  const present = (row: repository.NotificationRow, userId: string): Notification => ({
    id: row.id,
    kind: row.kind,
    ...renderNotification(row, userId, campus),
    read_at: row.read_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  });

  /** Returns the kinds of notifications that the person sees in the app. */
  const findKinds = async (userId: string): Promise<NotificationKind[]> =>
    listEnabledNotificationKinds('app', (await findNotificationSettings(sql, userId))?.channelsOff ?? []);

  const countUnread = async (userId: string): Promise<number> =>
    repository.countUnreadNotifications(sql, userId, await findKinds(userId));

  return {
    /**
     * Returns one page of the list of notifications, latest first, and the total number of unread
     * notifications.
     */
    list: async (userId: string, cursor: string | undefined): Promise<NotificationPage> => {
      const after = decodeListCursor(cursor);
      const kinds = await findKinds(userId);
      const [rows, unread_total] = await Promise.all([
        repository.listNotifications(sql, { userId, kinds, after, limit: notificationPageSize + 1 }),
        repository.countUnreadNotifications(sql, userId, kinds),
      ]);
      const items = rows.slice(0, notificationPageSize);
      const last = rows.length > notificationPageSize ? items.at(-1) : undefined;
      return {
        items: items.map((row) => present(row, userId)),
        unread_total,
        next_cursor: last ? encodeListCursor({ time: last.position, id: last.id }) : null,
      };
    },

    countUnread,

    /**
     * Marks notifications as read on all devices of the person. If `ids` is given, marks only the
     * notifications with these ids, including those that the person got only by push. Otherwise, marks all
     * notifications that the person sees in the app.
     */
    markRead: async (
      userId: string,
      ids: readonly string[] | undefined,
    ): Promise<{ unread_total: number }> => {
      const kinds = await findKinds(userId);
      await repository.markNotificationsRead(sql, {
        userId,
        ids,
        kinds: ids ? notificationKinds : kinds,
        now: clock.now(),
      });
      await publishNotificationsChanged(bus, [userId]);
      return { unread_total: await repository.countUnreadNotifications(sql, userId, kinds) };
    },
  };
};

export type NotificationService = ReturnType<typeof createNotificationService>;
