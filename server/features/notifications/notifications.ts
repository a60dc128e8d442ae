import { type Campus, toCampusDay } from '#contract/campus.ts';
import {
  type AvailabilityQuestion,
  listEnabledNotificationKinds,
  maxShownQuestions,
  type Notification,
  type NotificationKind,
  type NotificationPage,
  notificationKinds,
} from '#contract/notifications.ts';
import { notificationPageSize } from '#contract/paging.ts';
import type { App } from '#server/app.ts';
import { decodeListCursor, takePage } from '#server/platform/list-position.ts';
import { publishNotificationsChanged } from './publishing.ts';
import * as repository from './repository.ts';
import { findNotificationSettings } from './settings-repository.ts';
import { renderNotification } from './texts.ts';

const presentQuestions = ({ questions }: repository.NotificationRow): AvailabilityQuestion[] =>
  (questions ?? []).slice(0, maxShownQuestions).map(({ listing_id, title, cover, state }) => ({
    listing_id,
    title,
    cover,
    state,
  }));

const presentNotification = (
  row: repository.NotificationRow,
  userId: string,
  campus: Campus,
): Notification => ({
  id: row.id,
  kind: row.kind,
  ...renderNotification(row, userId, campus),
  ...(row.kind === 'availability' ? { questions: presentQuestions(row) } : {}),
  read_at: row.read_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

const listKindsInApp = async ({ sql }: App, userId: string): Promise<NotificationKind[]> =>
  listEnabledNotificationKinds('app', (await findNotificationSettings(sql, userId))?.channelsOff ?? []);

export const countUnreadNotifications = async (app: App, userId: string): Promise<number> =>
  repository.countUnreadNotifications(app.sql, userId, await listKindsInApp(app, userId));

/**
 * Returns one page of the list of notifications, latest first, and the total number of unread
 * notifications.
 */
export const listNotifications = async (
  app: App,
  userId: string,
  cursor: string | undefined,
): Promise<NotificationPage> => {
  const { sql, clock, config } = app;
  const today = toCampusDay(config.campus, clock.now());
  const after = decodeListCursor(cursor);
  const kinds = await listKindsInApp(app, userId);
  const [rows, unread_total] = await Promise.all([
    repository.listNotifications(sql, { userId, kinds, after, limit: notificationPageSize + 1, today }),
    repository.countUnreadNotifications(sql, userId, kinds),
  ]);
  const { page, next_cursor } = takePage(rows, notificationPageSize, ({ position }) => position);
  return {
    items: page.map((row) => presentNotification(row, userId, config.campus)),
    unread_total,
    next_cursor,
  };
};

/**
 * Marks notifications as read on all devices of the person. If `ids` is given, marks only the
 * notifications with these ids, including those that the person got only by push. Otherwise, marks all
 * notifications that the person sees in the app.
 */
export const markNotificationsRead = async (
  app: App,
  userId: string,
  ids: readonly string[] | undefined,
): Promise<{ unread_total: number }> => {
  const { sql, clock } = app;
  const kinds = await listKindsInApp(app, userId);
  await repository.markNotificationsRead(sql, {
    userId,
    ids,
    kinds: ids ? notificationKinds : kinds,
    now: clock.now(),
  });
  await publishNotificationsChanged(app, [userId]);
  return { unread_total: await repository.countUnreadNotifications(sql, userId, kinds) };
};
