import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declarePollingJob, declareQueueJob } from '#server/platform/jobs.ts';
import { deliverPush } from './delivery.ts';
import { queueDuePushes } from './dispatch.ts';
import { pushQueue } from './queue.ts';
import { listPushDevices, removePushDevice, savePushSubscription } from './subscriptions.ts';
import { checkUnreadSubjects } from './unread-push-check.ts';
import { getVapidKeys } from './vapid-keys.ts';

const secondsBetweenPolls = 1;

/** Registers the calls for push subscriptions and the jobs that queue and send push notifications. */
export const pushPlugin = async (server: FastifyInstance, { app, addJobs }: PluginOptions): Promise<void> => {
  addJobs(
    declarePollingJob('due-pushes', secondsBetweenPolls, () => queueDuePushes(app)),
    declareQueueJob(pushQueue, (job) => deliverPush(app, job)),
  );
  // Generates the keys on the first start.
  server.addHook('onReady', async () => void (await getVapidKeys(app)));
  server.addHook('onClose', async () => app.pushConnections.stopping.abort());

  serveCall(server, app, calls.listPushSubscriptions, ({ session }) => listPushDevices(app, session));
  serveCall(server, app, calls.savePushSubscription, ({ session, body, device }) =>
    savePushSubscription(app, session, body, device.name),
  );
  serveCall(server, app, calls.removePushSubscription, async ({ session, query }) => {
    await removePushDevice(app, session, query.id);
    return { success: true } as const;
  });
  serveCall(server, app, calls.checkShownPushes, async ({ session, body }) => ({
    is_unread: await checkUnreadSubjects(app, session.userId, body.subjects),
  }));
};
