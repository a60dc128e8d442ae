import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { createRedisBus } from '#server/platform/bus/bus-redis.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { startRealtimeServer } from '#server/testing/realtime-server.ts';
import { startRedis, type TestRedis } from '#server/testing/redis.ts';

let server: Awaited<ReturnType<typeof startRealtimeServer>>;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
  // The timeout is long because Redis may have to be downloaded first.
}, 120_000);
beforeEach(async () => {
  server = await startRealtimeServer();
});
afterEach(() => server.stop());
afterAll(() => redis?.stop());

describe.each([
  ['over PostgreSQL', () => createPostgresBus(server.sql, silentLog)],
  ['over Redis', () => createRedisBus(redis.url, silentLog)],
])('between processes %s', (_name, open) => {
  test('promise 42: a message sent through one process appears live through the other', async () => {
    const [firstBus, secondBus] = [await open(), await open()];
    const other = await server.startProcess(secondBus);
    const socket = await other.listen();
    await server.send('from another process', firstBus);
    await other.expectAllReceived(socket, 1);
    await firstBus.publish({ kind: 'sessions_ended', user_id: server.buyer, session_ids: [server.buyer] });
    expect(await socket.closed).toBe(1008);
    await other.stop();
    await Promise.all([firstBus.close(), secondBus.close()]);
  });
});

test('promise 38: while Redis is down messages arrive from the database; clients rejoin when it is back', async () => {
  const [firstBus, secondBus] = [
    await createRedisBus(redis.url, silentLog),
    await createRedisBus(redis.url, silentLog),
  ];
  const other = await server.startProcess(secondBus);
  const socket = await other.listen();
  await redis.kill();
  await expect.poll(() => secondBus.isDisconnected()).toBe(true);
  await server.send('not announced', firstBus);
  await other.realtime.sweep();
  server.clock.advance(2);
  await other.realtime.sweep();
  await other.expectAllReceived(socket, 1);
  await redis.start();
  await socket.waitFor(([, , topic, event]) => topic === server.topic && event === 'phx_error');
  await socket.join(server.topic, { access_token: server.buyer, after_seq: 1 });
  await server.send('announced again', firstBus);
  await other.expectAllReceived(socket, 2);
  await other.stop();
  await Promise.all([firstBus.close(), secondBus.close()]);
});
