import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Announcement } from '#contract/realtime.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { startRedis, type TestRedis } from '#server/testing/redis.ts';
import { type Bus, createProcessBus } from './bus.ts';
import { createPostgresBus } from './bus-postgres.ts';
import { createRedisBus } from './bus-redis.ts';

let database: TestDatabase;
let redis: TestRedis;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  redis = await startRedis();
  // It may have to be fetched first.
}, 120_000);
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await redis.stop();
  await database.drop();
});

/** A door before a server that can be shut: open connections are cut, new ones refused. */
const startDoor = async (url: string) => {
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
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  const shut = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of open) socket.destroy();
    });
  closers.push(async () => {
    if (server.listening) await shut();
  });
  return { url: through.href, shut, reopen: () => listen(port) };
};

const closing = (bus: Bus): Bus => {
  closers.push(bus.close);
  return bus;
};
const inOneProcess = {
  url: () => '',
  open: async (): Promise<Bus> => closing(createProcessBus()),
};
const overPostgres = {
  url: () => database.url,
  open: async (url = database.url): Promise<Bus> => {
    const sql = openDatabase(url, { max: 2 });
    closers.push(() => sql.end({ timeout: 1 }));
    return closing(await createPostgresBus(sql, silentLog));
  },
  shout: async (payload: string) => {
    const sql = openDatabase(database.url, { max: 1 });
    await sql.notify('quad', payload);
    await sql.end();
  },
};
const overRedis = {
  url: () => redis.url,
  open: async (url = redis.url): Promise<Bus> => closing(await createRedisBus(url, silentLog)),
  shout: async (payload: string) => {
    const client = await createClient({ url: redis.url }).connect();
    await client.publish('quad', payload);
    client.destroy();
  },
};

const message = (seq: number): Announcement => ({ kind: 'message', conversation_id: randomUUID(), seq });
const collect = (bus: Bus) => {
  const heard: Announcement[] = [];
  let gaps = 0;
  const stop = bus.subscribe(
    (announcement) => heard.push(announcement),
    () => {
      gaps += 1;
    },
  );
  return { heard, gaps: () => gaps, stop };
};
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([
  ['in one process', inOneProcess],
  ['over PostgreSQL', overPostgres],
  ['over Redis', overRedis],
])('the bus %s', (_name, { open }) => {
  test('every listener hears each announcement once, in order, after the publisher’s turn', async () => {
    const bus = await open();
    const [first, second] = [collect(bus), collect(bus)];
    const sent = numbers(20).map(message);
    const published = Promise.all(sent.map((announcement) => bus.publish(announcement)));
    expect(first.heard).toEqual([]);
    await published;
    await expect.poll(() => first.heard).toEqual(sent);
    expect(second.heard).toEqual(sent);
  });

  test('who stopped listening hears no more', async () => {
    const bus = await open();
    const [leaver, stayer] = [collect(bus), collect(bus)];
    leaver.stop();
    await bus.publish(message(1));
    await expect.poll(() => stayer.heard).toHaveLength(1);
    expect(leaver.heard).toEqual([]);
  });

  test('publishing after the end troubles nobody', async () => {
    const bus = await open();
    const { heard } = collect(bus);
    await bus.close();
    await bus.publish(message(1));
    expect(heard).toEqual([]);
  });
});

describe.each([
  ['over PostgreSQL', overPostgres],
  ['over Redis', overRedis],
])('the bus between processes %s', (_name, { url, open, shout }) => {
  test('two processes hear each other, and themselves once', async () => {
    const [one, two] = [await open(), await open()];
    const [atOne, atTwo] = [collect(one), collect(two)];
    const sent = numbers(1200).map(message);
    for (const announcement of sent) await one.publish(announcement);
    await expect.poll(() => atTwo.heard.length).toBe(sent.length);
    expect(atTwo.heard).toEqual(sent);
    await two.publish(message(1));
    await expect.poll(() => atOne.heard.length).toBe(sent.length + 1);
    expect(atTwo.heard).toHaveLength(sent.length + 1);
  });

  test('a thousand ended sessions pass, in parts', async () => {
    const [one, two] = [await open(), await open()];
    const { heard } = collect(two);
    const session_ids = numbers(1000).map(() => randomUUID());
    await one.publish({ kind: 'sessions_ended', user_id: randomUUID(), session_ids });
    const ids = () => heard.flatMap((it) => (it.kind === 'sessions_ended' ? it.session_ids : []));
    await expect.poll(() => ids().length).toBe(session_ids.length);
    expect(ids()).toEqual(session_ids);
  });

  test('what is no announcement is passed over', async () => {
    const bus = await open();
    const { heard } = collect(bus);
    const good = message(1);
    for (const payload of [
      'nonsense',
      '{}',
      JSON.stringify({ from: 'x', announcement: { kind: 'other' } }),
    ]) {
      await shout(payload);
    }
    await shout(JSON.stringify({ from: 'x', announcement: good }));
    await expect.poll(() => heard).toEqual([good]);
  });

  test('promise 38: cut off from the others, it listens again by itself, tells of the gap, and loses nothing of its own', async () => {
    const door = await startDoor(url());
    const [inside, outside] = [await open(), await open(door.url)];
    const [atInside, atOutside] = [collect(inside), collect(outside)];
    await inside.publish(message(1));
    await expect.poll(() => atOutside.heard).toHaveLength(1);

    await door.shut();
    await inside.publish(message(2));
    const kept = message(3);
    await outside.publish(kept);
    expect(atOutside.gaps()).toBe(0);
    await door.reopen();

    await expect.poll(() => atOutside.gaps(), { timeout: 8000 }).toBe(1);
    await inside.publish(message(4));
    await expect.poll(() => atOutside.heard.at(-1), { timeout: 8000 }).toMatchObject({ seq: 4 });
    await expect.poll(() => atInside.heard, { timeout: 8000 }).toContainEqual(kept);
    expect(atInside.gaps()).toBe(0);
  });
});

test('promise 38: a Redis that died is deaf, not in the way; back again, everyone hears and is told of the gap', async () => {
  const [one, two] = [await overRedis.open(), await overRedis.open()];
  const atTwo = collect(two);
  const own = collect(one);
  await redis.kill();
  await expect.poll(() => one.isDisconnected() && two.isDisconnected()).toBe(true);
  const lost = numbers(50).map(message);
  const begun = performance.now();
  for (const announcement of lost) await one.publish(announcement);
  expect(performance.now() - begun).toBeLessThan(200);
  await expect.poll(() => own.heard).toEqual(lost);
  await redis.start();
  await expect.poll(() => atTwo.gaps(), { timeout: 8000 }).toBe(1);
  await expect.poll(() => atTwo.heard, { timeout: 8000 }).toEqual(lost);
  expect(two.isDisconnected()).toBe(false);
});

test('promise 38: a Redis that answers nothing is noticed and left within seconds', async () => {
  const bus = await overRedis.open();
  const { gaps } = collect(bus);
  redis.freeze();
  try {
    await expect.poll(() => bus.isDisconnected(), { timeout: 10_000 }).toBe(true);
    await bus.publish(message(1));
  } finally {
    redis.thaw();
  }
  await expect.poll(gaps, { timeout: 10_000 }).toBe(1);
});

test('the bus ends within a second or so, Redis there or not', async () => {
  const door = await startDoor(redis.url);
  const bus = await createRedisBus(door.url, silentLog);
  await door.shut();
  await bus.publish(message(1));
  const begun = performance.now();
  await bus.close();
  expect(performance.now() - begun).toBeLessThan(3000);
});

test('Redis asks for a password; neither a complaint nor the log repeats it', async () => {
  const password = 'p@ss/word: 1';
  const guarded = await startRedis({ password });
  closers.push(guarded.stop);
  const said: string[] = [];
  const write = (...line: unknown[]) => void said.push(JSON.stringify(line), String(line));
  const log = { info: write, warn: write, error: write };
  const bus = closing(await createRedisBus(guarded.url, log));
  const { heard, gaps } = collect(closing(await createRedisBus(guarded.url, log)));
  await bus.publish(message(1));
  await expect.poll(() => heard).toHaveLength(1);
  await guarded.kill();
  await expect.poll(() => bus.isDisconnected()).toBe(true);
  await guarded.start();
  await expect.poll(gaps, { timeout: 8000 }).toBe(1);

  const wrong = new URL(guarded.url);
  wrong.password = 'hunter2';
  const { host } = wrong;
  const none = `redis://127.0.0.1:${host.split(':')[1]}`;
  for (const url of [wrong.href, none]) {
    await expect(createRedisBus(url, log)).rejects.toThrow(`Cannot use Redis at REDIS_URL ${host}: `);
    await createRedisBus(url, log).catch((error) => said.push(String(error)));
  }
  expect(said.length).toBeGreaterThan(2);
  for (const secret of [password, encodeURIComponent(password), 'hunter2', 'ss/word'])
    expect(said.join('\n')).not.toContain(secret);
});

test('a Redis that is not there ends the start with one line', async () => {
  const door = await startDoor(redis.url);
  await door.shut();
  await expect(createRedisBus(door.url, silentLog)).rejects.toThrow(/^Cannot use Redis at REDIS_URL .+$/);
});

test('over rediss: nothing is said in the clear', async () => {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
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
  // A TLS record of the kind that holds a greeting (RFC 8446, 5.1).
  expect(heard[0]?.[0]).toBe(22);
  expect(Buffer.concat(heard).includes('secret')).toBe(false);
});
