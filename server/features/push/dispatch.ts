import { listEnabledNotificationKinds } from '#contract/notifications.ts';
import type { App } from '#server/app.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './due-repository.ts';
import { pushQueue, toPushQueueGroup } from './queue.ts';

/** Maximum number of due push notifications that one transaction handles. */
const pushesPerBatch = 100;

// A push notification that is due during quiet hours is postponed to the next multiple of five minutes.
// Quiet hours begin and end on the hour in campus time, whose offset from UTC is a multiple of 15 minutes.
const postponementMs = 5 * 60 * 1000;

/** Returns the next time at which quiet hours may end: the next multiple of five minutes. */
export const getNextQuietHoursEnd = (now: Date): Date =>
  new Date((Math.floor(now.getTime() / postponementMs) + 1) * postponementMs);

const queuePushes = async (
  { clock, jobs }: App,
  tx: Queryable,
  due: readonly repository.DuePush[],
): Promise<void> => {
  const browsers = await repository.listPushSubscriptionsOfPeople(tx, [
    ...new Set(due.map(({ user_id }) => user_id)),
  ]);
  const queued_at = clock.now().toISOString();
  for (const { user_id: userId, source, subject_id, kind, detail } of due)
    for (const { id, endpoint } of browsers.filter((browser) => browser.user_id === userId))
      await jobs.enqueue(
        tx,
        pushQueue,
        { subscription_id: id, source, subject_id, kind, detail, queued_at },
        { group: toPushQueueGroup(endpoint) },
      );
};

/**
 * Queues the due push notifications, one for each browser of each recipient. Reads the settings when it runs, so that a
 * change also applies to push notifications that are already waiting.
 */
export const queueDuePushes = async (app: App): Promise<void> => {
  const { sql, clock } = app;
  const moment = { now: clock.now(), campus: app.config.campus };
  if (!(await repository.hasDuePushes(sql, moment.now))) return;
  let handled: number;
  do {
    handled = await runInTransaction(sql, async (tx) => {
      const due = await repository.lockDuePushes(tx, { ...moment, limit: pushesPerBatch });
      const wanted = due.filter(({ kind, channels_off: off }) =>
        listEnabledNotificationKinds('push', off ?? []).includes(kind),
      );
      const waiting = wanted.filter((push) => push.must_wait);
      if (waiting.length > 0)
        await repository.postponeDuePushes(tx, waiting, getNextQuietHoursEnd(moment.now));
      const settled = due.filter((push) => !waiting.includes(push));
      if (settled.length > 0) await repository.removeDuePushes(tx, settled);
      const ready = wanted.filter((push) => !push.must_wait);
      if (ready.length > 0) await queuePushes(app, tx, ready);
      return due.length;
    });
  } while (handled === pushesPerBatch);
};

/** Deletes the queued push notifications of a restored backup, because the server that was backed up has sent them. */
export const skipDuePushes = (sql: Queryable): Promise<void> => repository.removeAllDuePushes(sql);
