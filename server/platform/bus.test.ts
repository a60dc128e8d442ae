import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Announcement } from '#contract/realtime.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { type Bus, createProcessBus } from './bus.ts';
import { createPostgresBus } from './bus-postgres.ts';
import { openDatabase } from './database.ts';
import { silentLog } from './log.ts';

let database: TestDatabase;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => database.drop());

const overPostgres = async (url = database.url): Promise<Bus> => {
  const sql = openDatabase(url, { max: 2 });
  closers.push(() => sql.end({ timeout: 1 }));
  const bus = await createPostgresBus(sql, silentLog);
  closers.push(bus.close);
  return bus;
};
const inOneProcess = async (): Promise<Bus> => {
  const bus = createProcessBus();
  closers.push(bus.close);
  return bus;
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
])('the bus %s', (_name, start) => {
  test('every listener hears each announcement once, in order, after the publisher’s turn', async () => {
    const bus = await start();
    const [first, second] = [collect(bus), collect(bus)];
    const sent = numbers(20).map(message);
    const published = Promise.all(sent.map((announcement) => bus.publish(announcement)));
    expect(first.heard).toEqual([]);
    await published;
    await expect.poll(() => first.heard).toEqual(sent);
    expect(second.heard).toEqual(sent);
  });

  test('who stopped listening hears no more', async () => {
    const bus = await start();
    const [leaver, stayer] = [collect(bus), collect(bus)];
    leaver.stop();
    await bus.publish(message(1));
    await expect.poll(() => stayer.heard).toHaveLength(1);
    expect(leaver.heard).toEqual([]);
  });

  test('publishing after the end troubles nobody', async () => {
    const bus = await start();
    const { heard } = collect(bus);
    await bus.close();
    await bus.publish(message(1));
    expect(heard).toEqual([]);
  });
});

test('two processes hear each other, and themselves once', async () => {
  const [one, two] = [await overPostgres(), await overPostgres()];
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
  const [one, two] = [await overPostgres(), await overPostgres()];
  const { heard } = collect(two);
  const session_ids = numbers(1000).map(() => randomUUID());
  await one.publish({ kind: 'sessions_ended', user_id: randomUUID(), session_ids });
  const ids = () => heard.flatMap((it) => (it.kind === 'sessions_ended' ? it.session_ids : []));
  await expect.poll(() => ids().length).toBe(session_ids.length);
  expect(ids()).toEqual(session_ids);
});

test('what is no announcement is passed over', async () => {
  const bus = await overPostgres();
  const { heard } = collect(bus);
  const sql = openDatabase(database.url, { max: 1 });
  closers.push(() => sql.end());
  const good = message(1);
  for (const payload of ['nonsense', '{}', JSON.stringify({ from: 'x', announcement: { kind: 'other' } })]) {
    await sql.notify('quad', payload);
  }
  await sql.notify('quad', JSON.stringify({ from: 'x', announcement: good }));
  await expect.poll(() => heard).toEqual([good]);
});

/** A door before the database that can be shut: open connections are cut, new ones refused. */
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

test('promise 38: cut off from the database, it listens again by itself, tells of the gap, and loses nothing of its own', async () => {
  const door = await startDoor(database.url);
  const [inside, outside] = [await overPostgres(), await overPostgres(door.url)];
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
