import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import type { PushSubject } from '#contract/push.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declarePollingJob, declareQueueJob, type JobCollector } from '#server/platform/jobs.ts';
import { type PushJob, pushQueue } from './queue.ts';
import type { PushSubscriptionService } from './subscriptions.ts';

interface PushPluginOptions {
  http: HttpDeps;
  addJobs: JobCollector;
  subscriptions: PushSubscriptionService;
  queueDuePushes(): Promise<void>;
  deliver(job: PushJob): Promise<void>;
  findUnread(userId: string, subjects: readonly PushSubject[]): Promise<boolean[]>;
  /** Generates the VAPID keys on the first start. */
  prepareKeys(): Promise<unknown>;
  /** Aborts the requests to push services that are in progress. */
  stop(): void;
}

const secondsBetweenLooks = 1;

/** Registers the calls for push subscriptions and the jobs that queue and send push notifications. */
export const pushPlugin = async (
  server: FastifyInstance,
  { http, addJobs, subscriptions, queueDuePushes, deliver, findUnread, prepareKeys, stop }: PushPluginOptions,
): Promise<void> => {
  addJobs(
    declarePollingJob('due-pushes', secondsBetweenLooks, queueDuePushes),
    declareQueueJob(pushQueue, deliver),
  );
  server.addHook('onReady', async () => void (await prepareKeys()));
  server.addHook('onClose', async () => stop());

  serveCall(server, http, calls.listPushSubscriptions, ({ session }) => subscriptions.list(session));
  serveCall(server, http, calls.savePushSubscription, ({ session, body, device }) =>
    subscriptions.save(session, body, device.name),
  );
  serveCall(server, http, calls.removePushSubscription, async ({ session, query }) => {
    await subscriptions.remove(session, query.id);
    return { success: true } as const;
  });
  serveCall(server, http, calls.checkShownPushes, async ({ session, body }) => ({
    is_unread: await findUnread(session.userId, body.subjects),
  }));
};
