import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { waitWithTimeout } from '#server/testing/wait-with-timeout.ts';
import { openCopyWriter } from './copy.ts';
import { openDatabase, type Sql, severConnections, type Transaction } from './database.ts';
import { fragment } from './sql-fragments.ts';

// Every statement settles, no matter when its connection is lost.

let database: TestDatabase;
let adminSql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  adminSql = openDatabase(database.url, { max: 1 });
});
afterAll(async () => {
  await adminSql.end();
  await database.drop();
});

const maxRounds = 8;
const timeoutMs = 4_000;

/** Returns how a promise settled; 'pending' when it has not settled within the timeout. */
const waitForOutcome = (promise: PromiseLike<unknown>): Promise<'resolved' | 'rejected' | 'pending'> => {
  const settled = Promise.resolve(promise).then(
    () => 'resolved' as const,
    () => 'rejected' as const,
  );
  return waitWithTimeout(timeoutMs, settled).catch(() => 'pending' as const);
};

const terminateBackend = async (pid: number): Promise<void> => {
  await adminSql`SELECT pg_terminate_backend(${pid})`;
};
const readBackendPid = async (tx: Transaction): Promise<number> => {
  const [row] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return row?.pid ?? 0;
};

/** Waits until N statements of other connections wait for an event, such as the end of `pg_sleep` or a lock. */
const waitForBlockedStatements = (count: number, event: 'PgSleep' | 'advisory'): Promise<void> =>
  vi.waitFor(
    async () => {
      const seen = await adminSql`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = ${event}`;
      if (seen.length !== count) throw new Error('not yet');
    },
    { interval: 2, timeout: timeoutMs },
  );

/**
 * Terminates the backend of a transaction while it runs statements; returns descriptions of the promises that never
 * settled.
 */
const findUnsettledPromises = async (
  round: number,
  interrupt: (tx: Transaction, end: () => Promise<void>) => Promise<PromiseLike<unknown>[]>,
): Promise<string[]> => {
  const sql = openDatabase(database.url, { max: 2 });
  const running: PromiseLike<unknown>[] = [];
  const transaction = sql.begin(async (tx) => {
    const pid = await readBackendPid(tx);
    running.push(...(await interrupt(tx, () => terminateBackend(pid))));
    await Promise.all(running);
  });
  const outcomes = {
    transaction: await waitForOutcome(transaction),
    statements: await Promise.all(running.map(waitForOutcome)),
    after: await waitForOutcome(sql`SELECT 1`),
    end: await waitForOutcome(sql.end()),
  };
  return Object.entries(outcomes)
    .filter(([name, outcome]) => outcome.includes('pending') || (name === 'after' && outcome !== 'resolved'))
    .map(([name, outcome]) => `${round} ${name} ${outcome}`);
};

const findUnsettledInRounds = async (
  interrupt: Parameters<typeof findUnsettledPromises>[1],
): Promise<string[]> => {
  const pendingOutcomes: string[] = [];
  for (let round = 0; round < maxRounds && pendingOutcomes.length === 0; round += 1) {
    pendingOutcomes.push(...(await findUnsettledPromises(round, interrupt)));
  }
  return pendingOutcomes;
};

test('leaves no promise pending when a backend ends while its transaction is idle', async () => {
  const pendingOutcomes = await findUnsettledInRounds(async (tx, end) => {
    await end();
    return [tx`SELECT 1`];
  });
  expect(pendingOutcomes).toEqual([]);
});

test('leaves no promise pending when a backend ends while its transaction is running statements', async () => {
  const pendingOutcomes = await findUnsettledInRounds(async (tx, end) => {
    const running = [tx`SELECT pg_sleep(5)`, tx`SELECT 1`, tx`SELECT ${2}::int`];
    for (const statement of running) statement.catch(() => {});
    void end();
    return running;
  });
  expect(pendingOutcomes).toEqual([]);
});

test('settles all statements that are sent while a backend ends', async () => {
  const pendingOutcomes = await findUnsettledInRounds(async (tx, end) => {
    const sent: PromiseLike<unknown>[] = [];
    const ended = end();
    for (let count = 0; count < 40; count += 1) {
      const statement = tx`SELECT ${count}::int, ${'x'.repeat(2_000)}::text`;
      statement.catch(() => {});
      sent.push(statement);
      await (count % 3 === 0 ? Promise.resolve(statement).catch(() => {}) : nextTurn());
    }
    await ended;
    return sent;
  });
  expect(pendingOutcomes).toEqual([]);
});

test('rejects a savepoint together with its transaction when the backend ends', async () => {
  const pendingOutcomes = await findUnsettledInRounds(async (tx, end) => {
    const inner = tx.savepoint(async (deeper) => {
      await end();
      await deeper`SELECT 1`;
    });
    inner.catch(() => {});
    return [inner];
  });
  expect(pendingOutcomes).toEqual([]);
});

test('closes a pool without waiting for a lost connection', async () => {
  for (let round = 0; round < maxRounds; round += 1) {
    const sql = openDatabase(database.url, { max: 2 });
    const sleeping = sql`SELECT pg_sleep(10)`;
    sleeping.catch(() => {});
    await waitForBlockedStatements(1, 'PgSleep');
    const ended = sql.end();
    await adminSql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    expect(await Promise.all([waitForOutcome(sleeping), waitForOutcome(ended)]), `round ${round}`).toEqual([
      'rejected',
      'resolved',
    ]);
  }
});

test('rejects statements on a reserved connection after its loss and never gives it to another caller', async () => {
  const sql = openDatabase(database.url, { max: 1 });
  for (let round = 0; round < maxRounds; round += 1) {
    const reserved = await sql.reserve();
    const [row] = await reserved<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const sent = [reserved`SELECT pg_sleep(5)`, reserved`SELECT 1`, reserved`SELECT 2`];
    for (const statement of sent) statement.catch(() => {});
    await terminateBackend(row?.pid ?? 0);
    expect(await Promise.all(sent.map(waitForOutcome))).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await waitForOutcome(sql`SELECT 1`)).toBe('resolved');
    expect(await waitForOutcome(reserved`SELECT 1`)).toBe('rejected');
    reserved.release();
    expect(await waitForOutcome(sql`SELECT 1`)).toBe('resolved');
  }
  expect(await waitForOutcome(sql.end())).toBe('resolved');
});

test('rejects queued statements when no connection can be opened and when the pool is closed', async () => {
  const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { max: 1 });
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => waitForOutcome(nowhere`SELECT 1`)));
  expect(new Set(outcomes)).toEqual(new Set(['rejected']));
  expect(await waitForOutcome(nowhere.end())).toBe('resolved');

  const sql = openDatabase(database.url, { max: 1 });
  await adminSql`SELECT pg_advisory_lock(1)`;
  const running = sql`SELECT pg_advisory_lock(1)`;
  const runningOutcome = waitForOutcome(running);
  const queuedOutcomes = Array.from({ length: 300 }, () => waitForOutcome(sql`SELECT 1`));
  await waitForBlockedStatements(1, 'advisory');
  const ended = sql.end();
  await adminSql`SELECT pg_advisory_unlock(1)`;
  await ended;
  expect(await runningOutcome).toBe('resolved');
  expect((await Promise.all(queuedOutcomes)).filter((outcome) => outcome === 'pending')).toEqual([]);
});

test('rejects running and queued statements after severConnections and continues with new connections', async () => {
  const sql = openDatabase(database.url, { max: 2 });
  for (let round = 0; round < maxRounds; round += 1) {
    const running: PromiseLike<unknown>[] = Array.from({ length: 3 }, () =>
      sql.begin(async (tx) => {
        await tx`SELECT pg_sleep(15)`;
      }),
    );
    running.push(sql`SELECT pg_sleep(15)`, sql`SELECT 1`);
    const outcomes = running.map(waitForOutcome);
    await waitForBlockedStatements(2, 'PgSleep');
    severConnections(sql);
    expect(await Promise.all(outcomes)).not.toContain('pending');
    // Terminate the sessions on the server, which have not noticed yet that their clients disconnected.
    await adminSql`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await expect.poll(() => waitForOutcome(sql`SELECT 1`), { interval: 2 }).toBe('resolved');
  }
  expect(await waitForOutcome(sql.end())).toBe('resolved');
});

test('the stream of a COPY fails if PostgreSQL refuses a row, even after all rows have been sent', async () => {
  const sql = openDatabase(database.url, { max: 1 });
  await sql`CREATE TEMP TABLE copied (id int PRIMARY KEY)`;
  const copy = async (rows: string): Promise<void> => {
    const session = await sql.reserve();
    const stream = openCopyWriter(session, fragment`COPY copied FROM STDIN`);
    stream.end(rows);
    await finished(stream).finally(session.release);
  };
  // During a COPY, PostgreSQL detects a duplicate key after it has received the last row, but a malformed row
  // while later rows are still being sent.
  await expect(waitWithTimeout(timeoutMs, copy('1\n1\n'))).rejects.toThrow(/duplicate key/);
  await expect(waitWithTimeout(timeoutMs, copy(`x\n${'2\n'.repeat(500_000)}`))).rejects.toThrow(
    /invalid input syntax/,
  );
  await copy('1\n2\n');
  expect(await sql`SELECT id FROM copied ORDER BY id`).toMatchObject([{ id: 1 }, { id: 2 }]);
  await sql.end();
});
