import { randomUUID } from 'node:crypto';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Jobs, Queue } from '#server/platform/jobs.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import {
  maxPeoplePerJob,
  type NotificationEvent,
  type NotificationJob,
  notificationEvents,
  notificationJobSchema,
} from './events.ts';
import * as repository from './repository.ts';

/** The queue of events that people are notified about. */
export const notificationQueue: Queue<NotificationJob> = {
  name: 'notify',
  retries: 12,
  retryDelay: 2,
  payload: notificationJobSchema,
};

/** How long an event waits before it is emailed, unless it is read in the meantime. Security notices do not wait. */
const emailDelaySeconds = 15 * 60;

/** Reports what happened to people, in the transaction that makes it happen. */
export type Notify = (tx: Queryable, event: NotificationEvent) => Promise<void>;

/**
 * Returns the function with which features report what happened to whom. It only queues a job, so that no request waits
 * for notifications; the job decides about channels.
 */
export const createNotify =
  (jobs: Pick<Jobs, 'enqueue'>): Notify =>
  async (tx, { event, subjectId, facts, userIds }) => {
    for (let start = 0; start < userIds.length; start += maxPeoplePerJob)
      await jobs.enqueue(tx, notificationQueue, {
        id: randomUUID(),
        event,
        subject_id: subjectId,
        facts,
        user_ids: userIds.slice(start, start + maxPeoplePerJob),
      });
  };

/** Returns the handler of queued events: it stores them as notifications, and announces that to the people's devices. */
export const createNotificationJob =
  ({ sql, clock, bus }: { sql: Sql; clock: Clock; bus: Pick<Bus, 'publish'> }) =>
  async (job: NotificationJob): Promise<void> => {
    const { kind } = notificationEvents[job.event];
    const now = clock.now();
    const emailDueAt = kind === 'security' ? now : addSeconds(now, emailDelaySeconds);
    await repository.storeNotifications(sql, { ...job, kind, now, emailDueAt });
    await announceNotifications(bus, job.user_ids);
  };

/** Number of people in an announcement; NOTIFY carries at most 8,000 bytes. */
const peoplePerAnnouncement = 100;

/** Announces to the devices of these people that their notifications changed. */
export const announceNotifications = async (
  bus: Pick<Bus, 'publish'>,
  userIds: readonly string[],
): Promise<void> => {
  for (let start = 0; start < userIds.length; start += peoplePerAnnouncement)
    await bus.publish({ kind: 'notified', user_ids: userIds.slice(start, start + peoplePerAnnouncement) });
};
