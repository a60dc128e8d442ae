import { afterAll, beforeAll, expect, test } from 'vitest';
import webPush from 'web-push';
import { startPushService, trustedPushServices } from '#server/testing/push-service.ts';
import { createPushSender, type PushSender } from './send-push.ts';

let service: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  service = await startPushService();
  service.respondWith('hang');
});
afterAll(() => service.close());

const createSender = (stopping: AbortSignal): PushSender =>
  createPushSender({
    getKeys: async () => webPush.generateVAPIDKeys(),
    contact: 'mailto:support@usc.edu',
    stopping,
    localServices: trustedPushServices,
  });

/** Starts to send a push to a new browser. */
const send = (sendPush: PushSender) => {
  const { endpoint, keys } = service.subscribe().form;
  return sendPush({
    to: { endpoint, ...keys },
    content: 'Hello',
    tag: 'test',
    isUrgent: false,
    lifetimeSeconds: 60,
  });
};

// An error that nobody handles would end the process; Vitest fails the run when there is one.
test('a push that is being sent when the server stops is cancelled', async () => {
  const stopping = new AbortController();
  const sending = expect(send(createSender(stopping.signal))).rejects.toThrow('socket hang up');
  await service.waitFor(1);
  stopping.abort();
  await sending;
});

test('a queued push is not sent once the server is stopping', async () => {
  const stopping = new AbortController();
  const sendPush = createSender(stopping.signal);
  stopping.abort();
  await expect(send(sendPush)).rejects.toThrow('aborted');
  expect(service.received).toHaveLength(1);
});
