import { randomUUID } from 'node:crypto';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type EventWithRecipients,
  getEventDefinition,
  maxNotificationsPerJob,
  type NotificationEventName,
  type NotificationJob,
  notificationJobSchema,
} from './events.ts';
import * as repository from './repository.ts';

/** The queue of events that people are notified about. */
export const notificationQueue: QueueDefinition<NotificationJob> = {
  name: 'notify',
  retries: 12,
  retryDelay: 2,
  payload: notificationJobSchema,
};

/**
 * Reports events of the same kind to the affected people, in the transaction that causes them. It only queues jobs, so
 * that no request waits for notifications; the jobs choose the channels.
 */
export const notify = async <Name extends NotificationEventName>(
  app: App,
  tx: Queryable,
  event: Name,
  items: readonly EventWithRecipients<Name>[],
): Promise<void> => {
  const all = items.flatMap(({ subjectId, facts, userIds, count = 1 }) =>
    userIds.map((userId) => ({ user_id: userId, subject_id: subjectId ?? randomUUID(), facts, count })),
  );
  for (let start = 0; start < all.length; start += maxNotificationsPerJob)
    await app.jobs.enqueue(tx, notificationQueue, {
      id: randomUUID(),
      event,
      items: all.slice(start, start + maxNotificationsPerJob),
    });
};

/** Stores a queued event as notifications and informs the recipients' devices. */
export const storeNotificationEvent = async (app: App, job: NotificationJob): Promise<void> => {
  const { sql, clock } = app;
  const { kind, emailDelay, minGap } = getEventDefinition(job.event);
  const now = clock.now();
  await repository.storeNotifications(sql, {
    ...job,
    kind,
    now,
    emailDueAt: emailDelay === null ? null : addSeconds(now, emailDelay),
    lastBefore: minGap > 0 ? addSeconds(now, -minGap) : null,
  });
  await publishNotificationsChanged(app, [...new Set(job.items.map(({ user_id: userId }) => userId))]);
};

/** Maximum number of people per bus message, because NOTIFY carries at most 8,000 bytes. */
const peoplePerAnnouncement = 100;

/**
 * Publishes on the bus that these people's notifications have changed, so that their devices are informed.
 */
export const publishNotificationsChanged = async (
  { bus }: App,
  userIds: readonly string[],
): Promise<void> => {
  for (let start = 0; start < userIds.length; start += peoplePerAnnouncement)
    await bus.publish({ kind: 'notified', user_ids: userIds.slice(start, start + peoplePerAnnouncement) });
};
