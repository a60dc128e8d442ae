import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { startPushService, trustedPushServices } from '#server/testing/push-service.ts';
import { createPushConnections, type PushConnections } from './connections.ts';
import { sendPush } from './send-push.ts';

let service: Awaited<ReturnType<typeof startPushService>>;
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  service = await startPushService();
  service.respondWith('hang');
});
afterAll(async () => {
  await service.close();
  await testApp.close();
});

/** Starts to send a push to a new browser. */
const send = (pushConnections: PushConnections) => {
  const { endpoint, keys } = service.subscribe().form;
  return sendPush(
    { ...testApp.app, pushConnections },
    {
      to: { endpoint, ...keys },
      content: 'Hello',
      tag: 'test',
      isUrgent: false,
      lifetimeSeconds: 60,
    },
  );
};

// An error that nobody handles would end the process; Vitest fails the run when there is one.
test('a push that is being sent when the server stops is cancelled', async () => {
  const connections = createPushConnections(trustedPushServices);
  const sending = expect(send(connections)).rejects.toThrow('socket hang up');
  await service.waitFor(1);
  connections.stopping.abort();
  await sending;
});

test('a queued push is not sent once the server is stopping', async () => {
  const connections = createPushConnections(trustedPushServices);
  connections.stopping.abort();
  await expect(send(connections)).rejects.toThrow('aborted');
  expect(service.received).toHaveLength(1);
});
