import type { Campus } from '#contract/campus.ts';
import { listEnabledNotificationKinds } from '#contract/notifications.ts';
import type { PushPayload } from '#contract/push.ts';
import { unsentPushDetail } from '#contract/pwa.ts';
import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { getNextQuietHoursEnd } from './dispatch.ts';
import { addDuePush, findPushTarget, type PushTarget } from './due-repository.ts';
import { type PushJob, pushQueue, toPushQueueGroup } from './queue.ts';
import { type OutgoingPush, sendPush } from './send-push.ts';
import { findPushContent } from './sources.ts';
import { recordPushSent, removeExpiredPushSubscription } from './subscription-repository.ts';

/** How long it makes sense to deliver a push notification after it was queued, in seconds. */
const pushLifetimeSeconds = dayInSeconds;
/**
 * Maximum size of the content in bytes, before encryption. The encrypted content must fit into 4,096 bytes
 * (RFC 8291 §4).
 */
const maxContentBytes = 3_000;

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

const toOutgoingPush = (payload: PushPayload, to: PushTarget, campus: Campus): OutgoingPush => {
  const { kind } = payload.subject;
  return {
    to,
    content: toContent(to.push_content === 'hidden' ? hideContent(payload, campus) : payload),
    tag: payload.tag,
    isUrgent:
      (kind === 'messages' && payload.subject.detail === '') || kind === 'deals' || kind === 'security',
    lifetimeSeconds: pushLifetimeSeconds,
  };
};

/**
 * Sends a queued push notification. Reads the browser, the settings and the content at the moment of sending. So it sends
 * nothing to a browser whose session has ended, nothing that was read in the meantime, and nothing that the person has
 * switched off. A push that has to wait is queued again.
 */
export const deliverPush = async (app: App, job: PushJob): Promise<void> => {
  const { sql, clock, jobs, log, pushThrottle: throttle } = app;
  const { campus } = app.config;
  const { subscription_id: id, queued_at: queuedAt, ...subject } = job;
  const now = clock.now();
  if (addSeconds(new Date(queuedAt), pushLifetimeSeconds) <= now) return;
  const target = await findPushTarget(sql, { subscriptionId: id, subject, now, campus });
  if (!target || !listEnabledNotificationKinds('push', target.channels_off ?? []).includes(subject.kind))
    return;
  if (target.must_wait)
    return addDuePush(sql, { ...subject, user_id: target.user_id }, getNextQuietHoursEnd(now));
  // Nothing needs to be replaced: the notification about the message did not show its text.
  if (subject.detail === unsentPushDetail && target.push_content === 'hidden') return;
  const browser = { subscriptionId: id, userId: target.user_id };
  const queueAgain = () =>
    jobs.enqueue(sql, pushQueue, job, {
      delaySeconds: throttle.getWaitSeconds(browser),
      group: toPushQueueGroup(target.endpoint),
    });
  const found = await findPushContent(app, target.user_id, subject);
  if (!found) return;
  const push = toOutgoingPush({ ...found, subject }, target, campus);
  // Nothing may be awaited between this check and the request: concurrent jobs of an account would all pass the check.
  if (throttle.getWaitSeconds(browser) > 0) return queueAgain();
  const outcome = await throttle.run(browser, () => sendPush(app, push));
  if (outcome === 'sent') await recordPushSent(sql, id, now);
  if (outcome === 'gone') await removeExpiredPushSubscription(sql, { id, endpoint: target.endpoint });
  if (outcome === 'unanswered') await queueAgain();
  if (outcome === 'refused' || outcome === 'unanswered')
    log.warn(
      { service: new URL(target.endpoint).host, outcome },
      'a push service did not accept a notification',
    );
};
