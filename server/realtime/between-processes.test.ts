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
  // It may have to be fetched first.
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
    const [here, there] = [await open(), await open()];
    const other = await server.startProcess(there);
    const socket = await other.listen();
    await server.send('from afar', here);
    await other.heardAll(socket, 1);
    await here.publish({ kind: 'sessions_ended', user_id: server.buyer, session_ids: [server.buyer] });
    expect(await socket.closed).toBe(1008);
    await other.stop();
    await Promise.all([here.close(), there.close()]);
  });
});

test('promise 38: while Redis is away messages arrive from the database, and all join anew when it is back', async () => {
  const [here, there] = [
    await createRedisBus(redis.url, silentLog),
    await createRedisBus(redis.url, silentLog),
  ];
  const other = await server.startProcess(there);
  const socket = await other.listen();
  await redis.kill();
  await expect.poll(() => there.isDisconnected()).toBe(true);
  await server.send('unheard of', here);
  await other.realtime.sweep();
  server.clock.advance(2);
  await other.realtime.sweep();
  await other.heardAll(socket, 1);
  await redis.start();
  await socket.hear(([, , heard, event]) => heard === server.topic && event === 'phx_error');
  await socket.join(server.topic, { access_token: server.buyer, after_seq: 1 });
  await server.send('heard again', here);
  await other.heardAll(socket, 2);
  await other.stop();
  await Promise.all([here.close(), there.close()]);
});
