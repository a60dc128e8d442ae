import { toCampusDay } from '#contract/campus.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { PushPayload } from '#contract/push.ts';
import type { App } from '#server/app.ts';
import { toCurrentNotification } from './relevance.ts';
import { listUnreadNotifications } from './repository.ts';
import { renderNotification } from './texts.ts';

/** A request to a feature for the content of a push notification, with its recipient and subject. */
export interface PushContentRequest {
  userId: string;
  subjectId: string;
  kind: NotificationKind;
  /**
   * The kind and time of a deal notice (see `toNoticePushDetail`). It is empty for all other push
   * notifications.
   */
  detail: string;
}

/** The content of a push notification, without its subject. */
export type PushContent = Omit<PushPayload, 'subject'>;

/**
 * Returns the content of a push notification that repeats an entry in a person's list of notifications, or undefined when
 * the entry was read or no longer applies.
 */
export const findNotificationPush = async (
  { sql, clock, config: { campus } }: App,
  { userId, subjectId }: Pick<PushContentRequest, 'userId' | 'subjectId'>,
): Promise<PushContent | undefined> => {
  const [row] = await listUnreadNotifications(sql, {
    userId,
    ids: [subjectId],
    today: toCampusDay(campus, clock.now()),
  });
  const current = row && toCurrentNotification(row, campus);
  if (!current) return undefined;
  return { ...renderNotification(current, userId, campus), tag: `notification:${subjectId}` };
};
