import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { openDatabase, type Sql, severConnections, type Transaction } from './database.ts';

// What the patched driver is held to (docs/decisions/0006): whatever moment a connection is lost at, everything asked
// of it is answered.

let database: TestDatabase;
let killer: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  killer = openDatabase(database.url, { max: 1 });
});
afterAll(async () => {
  await killer.end();
  await database.drop();
});

const tries = 8;
const timeoutMs = 4_000;

/** How a promise ended; 'waits' when it has not by the end of our patience. */
const fateOf = async (promised: PromiseLike<unknown>): Promise<'done' | 'refused' | 'waits'> => {
  const ending = new AbortController();
  try {
    return await Promise.race([
      Promise.resolve(promised).then(
        () => 'done' as const,
        () => 'refused' as const,
      ),
      delay(timeoutMs, 'waits' as const, { signal: ending.signal }),
    ]);
  } finally {
    ending.abort();
  }
};

const endBackend = async (pid: number): Promise<void> => {
  await killer`SELECT pg_terminate_backend(${pid})`;
};
const pidOf = async (tx: Transaction): Promise<number> => {
  const [row] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return row?.pid ?? 0;
};

/** Ends the backend of a transaction and does something in it; answers what never got an answer. */
const waitingAfter = async (
  turn: number,
  disturb: (tx: Transaction, end: () => Promise<void>) => Promise<PromiseLike<unknown>[]>,
): Promise<string[]> => {
  const sql = openDatabase(database.url, { max: 2 });
  const asked: PromiseLike<unknown>[] = [];
  const transaction = sql.begin(async (tx) => {
    const pid = await pidOf(tx);
    asked.push(...(await disturb(tx, () => endBackend(pid))));
    await Promise.all(asked);
  });
  const fates = {
    transaction: await fateOf(transaction),
    statements: await Promise.all(asked.map(fateOf)),
    after: await fateOf(sql`SELECT 1`),
    end: await fateOf(sql.end()),
  };
  return Object.entries(fates)
    .filter(([name, fate]) => fate.includes('waits') || (name === 'after' && fate !== 'done'))
    .map(([name, fate]) => `${turn} ${name} ${fate}`);
};

const repeatedly = async (disturb: Parameters<typeof waitingAfter>[1]): Promise<string[]> => {
  const waiting: string[] = [];
  for (let turn = 0; turn < tries && waiting.length === 0; turn += 1) {
    waiting.push(...(await waitingAfter(turn, disturb)));
  }
  return waiting;
};

test('a backend ended while a transaction rests leaves nothing waiting', async () => {
  const waiting = await repeatedly(async (tx, end) => {
    await end();
    return [tx`SELECT 1`];
  });
  expect(waiting).toEqual([]);
});

test('a backend ended while statements of a transaction run leaves nothing waiting', async () => {
  const waiting = await repeatedly(async (tx, end) => {
    const running = [tx`SELECT pg_sleep(5)`, tx`SELECT 1`, tx`SELECT ${2}::int`];
    for (const one of running) one.catch(() => {});
    void end();
    return running;
  });
  expect(waiting).toEqual([]);
});

test('statements sent again and again while a backend ends are all answered', async () => {
  const waiting = await repeatedly(async (tx, end) => {
    const sent: PromiseLike<unknown>[] = [];
    const ended = end();
    for (let count = 0; count < 40; count += 1) {
      const one = tx`SELECT ${count}::int, ${'x'.repeat(2_000)}::text`;
      one.catch(() => {});
      sent.push(one);
      await (count % 3 === 0 ? Promise.resolve(one).catch(() => {}) : delay(0));
    }
    await ended;
    return sent;
  });
  expect(waiting).toEqual([]);
});

test('a savepoint of a transaction whose backend ends is given up with it', async () => {
  const waiting = await repeatedly(async (tx, end) => {
    const inner = tx.savepoint(async (deeper) => {
      await end();
      await deeper`SELECT 1`;
    });
    inner.catch(() => {});
    return [inner];
  });
  expect(waiting).toEqual([]);
});

test('a pool that is being closed does not wait for a connection that was lost', async () => {
  for (let turn = 0; turn < tries; turn += 1) {
    const sql = openDatabase(database.url, { max: 2 });
    const sleeping = sql`SELECT pg_sleep(10)`;
    sleeping.catch(() => {});
    await vi.waitFor(
      async () => {
        const [seen] = await killer`
          SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
        if (!seen) throw new Error('not yet');
      },
      { interval: 2 },
    );
    const ended = sql.end();
    await killer`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    expect(await Promise.all([fateOf(sleeping), fateOf(ended)]), `turn ${turn}`).toEqual(['refused', 'done']);
  }
});

test('a connection held back for one caller refuses what is asked after its loss, and is nobody else’s', async () => {
  const sql = openDatabase(database.url, { max: 1 });
  for (let turn = 0; turn < tries; turn += 1) {
    const held = await sql.reserve();
    const [row] = await held<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const sent = [held`SELECT pg_sleep(5)`, held`SELECT 1`, held`SELECT 2`];
    for (const one of sent) one.catch(() => {});
    await endBackend(row?.pid ?? 0);
    expect(await Promise.all(sent.map(fateOf))).toEqual(['refused', 'refused', 'refused']);
    expect(await fateOf(sql`SELECT 1`)).toBe('done');
    expect(await fateOf(held`SELECT 1`)).toBe('refused');
    held.release();
    expect(await fateOf(sql`SELECT 1`)).toBe('done');
  }
  expect(await fateOf(sql.end())).toBe('done');
});

test('what waits for a connection is refused when none can be opened, and when the pool is closed', async () => {
  const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { max: 1 });
  const fates = await Promise.all(Array.from({ length: 200 }, () => fateOf(nowhere`SELECT 1`)));
  expect(new Set(fates)).toEqual(new Set(['refused']));
  expect(await fateOf(nowhere.end())).toBe('done');

  const sql = openDatabase(database.url, { max: 1 });
  const running = sql`SELECT pg_sleep(0.1)`;
  const begun = fateOf(running);
  const waiting = Array.from({ length: 300 }, () => fateOf(sql`SELECT 1`));
  await delay(20);
  await sql.end();
  expect(await begun).toBe('done');
  expect((await Promise.all(waiting)).filter((fate) => fate === 'waits')).toEqual([]);
});

test('severed, a pool gives up what it asked for and waits for, and goes on with new connections', async () => {
  const sql = openDatabase(database.url, { max: 2 });
  for (let turn = 0; turn < tries; turn += 1) {
    const asked: PromiseLike<unknown>[] = Array.from({ length: 3 }, () =>
      sql.begin(async (tx) => {
        await tx`SELECT pg_sleep(15)`;
      }),
    );
    asked.push(sql`SELECT pg_sleep(15)`, sql`SELECT 1`);
    const fates = asked.map(fateOf);
    await delay(10);
    severConnections(sql);
    expect(await Promise.all(fates)).not.toContain('waits');
    await vi.waitFor(async () => expect(await fateOf(sql`SELECT 1`)).toBe('done'), { interval: 2 });
  }
  expect(await fateOf(sql.end())).toBe('done');
});
