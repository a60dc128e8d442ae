import type { Campus } from '#contract/campus.ts';
import { listEnabledNotificationKinds } from '#contract/notifications.ts';
import type { PushPayload } from '#contract/push.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import { getNextQuietHoursEnd } from './dispatch.ts';
import { addDuePush, findPushTarget } from './due-repository.ts';
import { type PushJob, pushQueue, toPushQueueGroup } from './queue.ts';
import type { PushSender } from './send-push.ts';
import { findPushContent, type PushSources } from './sources.ts';
import { recordPushSent, removeExpiredPushSubscription } from './subscription-repository.ts';
import { createPushThrottle } from './throttle.ts';

/** How long it makes sense to deliver a push notification after it was queued, in seconds. */
const pushLifetimeSeconds = dayInSeconds;
/**
 * Maximum size of the content in bytes, before encryption. The encrypted content must fit into 4,096 bytes
 * (RFC 8291 §4).
 */
const maxContentBytes = 3_000;

export interface PushDeliveryDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  jobs: Pick<JobQueue, 'enqueue'>;
  send: PushSender;
  sources: PushSources;
  log: Pick<Log, 'warn'>;
}

const hideContent = ({ path, tag, subject }: PushPayload, { siteName }: Campus): PushPayload => ({
  title: `New notification on ${siteName}`,
  text: '',
  path,
  tag,
  subject,
});

const toContent = (payload: PushPayload): string => {
  const content = JSON.stringify(payload);
  return Buffer.byteLength(content) <= maxContentBytes
    ? content
    : JSON.stringify({ ...payload, text: '', path: '/notifications' });
};

/**
 * Returns the handler of queued push notifications. It reads the browser, the settings and the content at the
 * moment of sending. So it sends nothing to a browser whose session has ended, nothing that was read in the
 * meantime, and nothing that the person has switched off. A push that has to wait is queued again.
 */
export const createPushDelivery = ({ sql, clock, campus, jobs, send, sources, log }: PushDeliveryDeps) => {
  const throttle = createPushThrottle(clock);

  return async (job: PushJob): Promise<void> => {
    const { subscription_id: id, queued_at: queuedAt, ...subject } = job;
    const now = clock.now();
    if (addSeconds(new Date(queuedAt), pushLifetimeSeconds) <= now) return;
    const target = await findPushTarget(sql, { subscriptionId: id, subject, now, campus });
    if (!target || !listEnabledNotificationKinds('push', target.channels_off ?? []).includes(subject.kind))
      return;
    if (target.must_wait)
      return addDuePush(sql, { ...subject, user_id: target.user_id }, getNextQuietHoursEnd(now));
    const browser = { subscriptionId: id, userId: target.user_id };
    const queueAgain = () =>
      jobs.enqueue(sql, pushQueue, job, {
        delaySeconds: throttle.getWaitSeconds(browser),
        group: toPushQueueGroup(target.endpoint),
      });
    const found = await findPushContent(sources, target.user_id, subject);
    if (!found) return;
    const payload = { ...found, subject };
    const push = {
      to: target,
      content: toContent(target.push_content === 'hidden' ? hideContent(payload, campus) : payload),
      tag: payload.tag,
      isUrgent: subject.kind === 'messages' || subject.kind === 'deals' || subject.kind === 'security',
      lifetimeSeconds: pushLifetimeSeconds,
    };
    // Nothing may be awaited between this check and the request: concurrent jobs of an account would all pass the check.
    if (throttle.getWaitSeconds(browser) > 0) return queueAgain();
    const outcome = await throttle.run(browser, () => send(push));
    if (outcome === 'sent') await recordPushSent(sql, id, now);
    if (outcome === 'gone') await removeExpiredPushSubscription(sql, { id, endpoint: target.endpoint });
    if (outcome === 'unanswered') await queueAgain();
    if (outcome === 'refused' || outcome === 'unanswered')
      log.warn(
        { service: new URL(target.endpoint).host, outcome },
        'a push service did not accept a notification',
      );
  };
};
