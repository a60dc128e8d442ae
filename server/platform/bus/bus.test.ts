import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BusMessage } from '#contract/realtime.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { startRedis, type TestRedis } from '#server/testing/redis.ts';
import { waitWithTimeout } from '#server/testing/wait-with-timeout.ts';
import { type Bus, createInProcessBus } from './bus.ts';
import { createPostgresBus } from './bus-postgres.ts';
import { createRedisBus } from './bus-redis.ts';

let database: TestDatabase;
let redis: TestRedis;
const cleanupFunctions: (() => unknown)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  redis = await startRedis();
  // The timeout is long because Redis may have to be downloaded first.
}, 120_000);
afterEach(async () => {
  for (const close of cleanupFunctions.splice(0).reverse()) await close();
});
afterAll(async () => {
  await redis.stop();
  await database.drop();
});

/** Starts a TCP proxy that can be shut down: open connections are cut and new ones refused. */
const startProxy = async (url: string) => {
  const target = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname);
    for (const socket of [inner, outer]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => {});
    }
    inner.pipe(outer).pipe(inner);
  });
  const listen = (port: number) =>
    new Promise<void>((done) => {
      server.listen(port, '127.0.0.1', done);
    });
  await listen(0);
  const { port } = server.address() as { port: number };
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(port);
  const shut = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of open) socket.destroy();
    });
  cleanupFunctions.push(async () => {
    if (server.listening) await shut();
  });
  return { url: proxied.href, shut, reopen: () => listen(port) };
};

const closeAfterTest = (bus: Bus): Bus => {
  cleanupFunctions.push(bus.close);
  return bus;
};
const inProcessSetup = {
  url: () => '',
  open: async (): Promise<Bus> => closeAfterTest(createInProcessBus()),
};
const postgresSetup = {
  url: () => database.url,
  open: async (url = database.url): Promise<Bus> => {
    const sql = openDatabase(url, { max: 2 });
    cleanupFunctions.push(() => sql.end({ timeout: 1 }));
    return closeAfterTest(await createPostgresBus(sql, silentLog));
  },
  publishRaw: async (payload: string) => {
    const sql = openDatabase(database.url, { max: 1 });
    await sql`SELECT pg_notify('quad', ${payload})`;
    await sql.end();
  },
};
const redisSetup = {
  url: () => redis.url,
  open: async (url = redis.url): Promise<Bus> => closeAfterTest(await createRedisBus(url, silentLog)),
  publishRaw: async (payload: string) => {
    const client = await createClient({ url: redis.url }).connect();
    await client.publish('quad', payload);
    client.destroy();
  },
};

const createMessageAnnouncement = (seq: number): BusMessage => ({
  kind: 'message',
  conversation_id: randomUUID(),
  seq,
});
const collectAnnouncements = (bus: Bus) => {
  const received: BusMessage[] = [];
  let gaps = 0;
  const stop = bus.subscribe(
    (announcement) => received.push(announcement),
    () => {
      gaps += 1;
    },
  );
  return { received, gaps: () => gaps, stop };
};
const listNumbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([
  ['in one process', inProcessSetup],
  ['over PostgreSQL', postgresSetup],
  ['over Redis', redisSetup],
])('the bus %s', (_name, { open }) => {
  test('delivers each announcement once and in order to every listener, after the publisher’s current task', async () => {
    const bus = await open();
    const [first, second] = [collectAnnouncements(bus), collectAnnouncements(bus)];
    const sent = listNumbersUpTo(20).map(createMessageAnnouncement);
    const published = Promise.all(sent.map((announcement) => bus.publish(announcement)));
    expect(first.received).toEqual([]);
    await published;
    await expect.poll(() => first.received).toEqual(sent);
    expect(second.received).toEqual(sent);
  });

  test('delivers nothing to a listener that unsubscribed', async () => {
    const bus = await open();
    const [unsubscribed, subscribed] = [collectAnnouncements(bus), collectAnnouncements(bus)];
    unsubscribed.stop();
    await bus.publish(createMessageAnnouncement(1));
    await expect.poll(() => subscribed.received).toHaveLength(1);
    expect(unsubscribed.received).toEqual([]);
  });

  test('ignores announcements published after it was closed', async () => {
    const bus = await open();
    const { received } = collectAnnouncements(bus);
    await bus.close();
    await bus.publish(createMessageAnnouncement(1));
    expect(received).toEqual([]);
  });
});

describe.each([
  ['over PostgreSQL', postgresSetup],
  ['over Redis', redisSetup],
])('the bus between processes %s', (_name, { url, open, publishRaw }) => {
  test('delivers announcements to both processes, once to the publisher itself', async () => {
    const [one, two] = [await open(), await open()];
    const [receivedByOne, receivedByTwo] = [collectAnnouncements(one), collectAnnouncements(two)];
    const sent = listNumbersUpTo(1200).map(createMessageAnnouncement);
    for (const announcement of sent) await one.publish(announcement);
    await expect.poll(() => receivedByTwo.received.length).toBe(sent.length);
    expect(receivedByTwo.received).toEqual(sent);
    await two.publish(createMessageAnnouncement(1));
    await expect.poll(() => receivedByOne.received.length).toBe(sent.length + 1);
    expect(receivedByTwo.received).toHaveLength(sent.length + 1);
  });

  test('delivers an announcement of a thousand ended sessions completely and in order', async () => {
    const [one, two] = [await open(), await open()];
    const { received } = collectAnnouncements(two);
    const session_ids = listNumbersUpTo(1000).map(() => randomUUID());
    await one.publish({ kind: 'sessions_ended', user_id: randomUUID(), session_ids });
    const ids = () => received.flatMap((part) => (part.kind === 'sessions_ended' ? part.session_ids : []));
    await expect.poll(() => ids().length).toBe(session_ids.length);
    expect(ids()).toEqual(session_ids);
  });

  test('ignores payloads that are not announcements', async () => {
    const bus = await open();
    const { received } = collectAnnouncements(bus);
    const good = createMessageAnnouncement(1);
    for (const payload of [
      'nonsense',
      '{}',
      JSON.stringify({ from: 'x', announcement: { kind: 'other' } }),
    ]) {
      await publishRaw(payload);
    }
    await publishRaw(JSON.stringify({ from: 'x', announcement: good }));
    await expect.poll(() => received).toEqual([good]);
  });

  test('promise 38: after a lost connection, resubscribes, reports the gap and sends its queued announcements', async () => {
    const proxy = await startProxy(url());
    const [inside, outside] = [await open(), await open(proxy.url)];
    const [receivedInside, receivedOutside] = [collectAnnouncements(inside), collectAnnouncements(outside)];
    await inside.publish(createMessageAnnouncement(1));
    await expect.poll(() => receivedOutside.received).toHaveLength(1);

    await proxy.shut();
    await inside.publish(createMessageAnnouncement(2));
    const queued = createMessageAnnouncement(3);
    await outside.publish(queued);
    expect(receivedOutside.gaps()).toBe(0);
    await proxy.reopen();

    await expect.poll(() => receivedOutside.gaps(), { timeout: 8000 }).toBe(1);
    await inside.publish(createMessageAnnouncement(4));
    await expect.poll(() => receivedOutside.received.at(-1), { timeout: 8000 }).toMatchObject({ seq: 4 });
    await expect.poll(() => receivedInside.received, { timeout: 8000 }).toContainEqual(queued);
    expect(receivedInside.gaps()).toBe(0);
  });
});

test('promise 38: with Redis down publishing does not block; once it is back, announcements arrive and the gap is reported', async () => {
  const [one, two] = [await redisSetup.open(), await redisSetup.open()];
  const receivedByTwo = collectAnnouncements(two);
  const own = collectAnnouncements(one);
  await redis.kill();
  await expect.poll(() => one.isDisconnected() && two.isDisconnected()).toBe(true);
  const lost = listNumbersUpTo(50).map(createMessageAnnouncement);
  // `publish` must only queue a bus message: all of them must be published before the event loop processes
  // any I/O.
  const order: string[] = [];
  setImmediate(() => order.push('next turn'));
  for (const announcement of lost) await one.publish(announcement);
  order.push('published');
  expect(order).toEqual(['published']);
  await expect.poll(() => own.received).toEqual(lost);
  await redis.start();
  await expect.poll(() => receivedByTwo.gaps(), { timeout: 8000 }).toBe(1);
  await expect.poll(() => receivedByTwo.received, { timeout: 8000 }).toEqual(lost);
  expect(two.isDisconnected()).toBe(false);
});

test('promise 38: detects within seconds that Redis no longer responds', async () => {
  const bus = await redisSetup.open();
  const { gaps } = collectAnnouncements(bus);
  redis.freeze();
  try {
    await expect.poll(() => bus.isDisconnected(), { timeout: 10_000 }).toBe(true);
    await bus.publish(createMessageAnnouncement(1));
  } finally {
    redis.thaw();
  }
  await expect.poll(gaps, { timeout: 10_000 }).toBe(1);
});

test('closes within about a second while Redis is unreachable', async () => {
  const proxy = await startProxy(redis.url);
  const bus = await createRedisBus(proxy.url, silentLog);
  await proxy.shut();
  await bus.publish(createMessageAnnouncement(1));
  await waitWithTimeout(3000, bus.close());
});

test('connects to Redis with a password, which appears in no error and no log line', async () => {
  const password = 'p@ss/word: 1';
  const protectedRedis = await startRedis({ password });
  cleanupFunctions.push(protectedRedis.stop);
  const output: string[] = [];
  const write = (...values: unknown[]) => void output.push(JSON.stringify(values), String(values));
  const log = { info: write, warn: write, error: write };
  const bus = closeAfterTest(await createRedisBus(protectedRedis.url, log));
  const { received, gaps } = collectAnnouncements(
    closeAfterTest(await createRedisBus(protectedRedis.url, log)),
  );
  await bus.publish(createMessageAnnouncement(1));
  await expect.poll(() => received).toHaveLength(1);
  await protectedRedis.kill();
  await expect.poll(() => bus.isDisconnected()).toBe(true);
  await protectedRedis.start();
  await expect.poll(gaps, { timeout: 8000 }).toBe(1);

  const wrong = new URL(protectedRedis.url);
  wrong.password = 'hunter2';
  const { host } = wrong;
  const none = `redis://127.0.0.1:${host.split(':')[1]}`;
  for (const url of [wrong.href, none]) {
    await expect(createRedisBus(url, log)).rejects.toThrow(`Cannot use Redis at QUAD_REDIS_URL ${host}: `);
    await createRedisBus(url, log).catch((error) => output.push(String(error)));
  }
  expect(output.length).toBeGreaterThan(2);
  for (const secret of [password, encodeURIComponent(password), 'hunter2', 'ss/word'])
    expect(output.join('\n')).not.toContain(secret);
});

test('fails to start, with a one-line message, when Redis is unreachable', async () => {
  const proxy = await startProxy(redis.url);
  await proxy.shut();
  await expect(createRedisBus(proxy.url, silentLog)).rejects.toThrow(
    /^Cannot use Redis at QUAD_REDIS_URL .+$/,
  );
});

test('sends nothing unencrypted over rediss:', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await expect(createRedisBus(`rediss://:secret@127.0.0.1:${port}`, silentLog)).rejects.toThrow(
    'Cannot use Redis',
  );
  server.close();
  // The client must begin a TLS handshake: content type 22 in its first record (RFC 8446, 5.1).
  expect(received[0]?.[0]).toBe(22);
  expect(Buffer.concat(received).includes('secret')).toBe(false);
});
