import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { watchClockSkew } from './clock-check.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a clock that is ahead of or behind that of the database is logged in one line', async () => {
  const lines: string[] = [];
  const record = (line: unknown) => lines.push(String(line));
  let offsetMs = 0;
  const watch = watchClockSkew(database.url, {
    clock: { now: () => new Date(Date.now() + offsetMs), elapsed: () => 0 },
    log: { ...silentLog, warn: record, info: record } as unknown as Log,
  });
  const checkTwice = async (offset: number) => {
    offsetMs = offset;
    await watch.check();
    await watch.check();
  };
  await checkTwice(0);
  expect(lines).toEqual([]);
  await checkTwice(90_000);
  await checkTwice(0);
  await checkTwice(-600_000);
  watch.stop();
  expect(lines).toEqual([
    expect.stringMatching(
      /^the clock of this machine is (89|90)\.\d s ahead of that of the database; synchronize the clocks of all machines$/,
    ),
    'the clocks of this machine and the database agree again',
    expect.stringMatching(/^the clock of this machine is (599|600|601)\.\d s behind that of the database; /),
  ]);
});

test('nothing about clocks is logged while the database is unreachable', async () => {
  const watch = watchClockSkew('postgres://nobody@127.0.0.1:1/nothing', {
    clock: { now: () => new Date(0), elapsed: () => 0 },
    log: {
      ...silentLog,
      warn: () => {
        throw new Error('logged');
      },
    } as unknown as Log,
  });
  await watch.check();
  watch.stop();
});
