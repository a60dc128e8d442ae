import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '#server/testing/database.ts';
import { type QueueDefinition, startJobQueue } from './jobs.ts';
import { openDatabase } from './postgres/database.ts';
import { silentLog } from './process/log.ts';

const queue: QueueDefinition<{ id: number }> = {
  name: 'stop-test',
  retries: 1,
  retryDelay: 1,
  payload: z.object({ id: z.number() }),
};

test('while a stop waits for a polling job, jobs can still be queued, but none is started', async () => {
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 2 });
  const jobs = await startJobQueue(database.url, [queue], silentLog);
  const handled: number[] = [];
  await jobs.work(queue, async ({ id }) => void handled.push(id));
  await jobs.poll('endless', 1, () => new Promise(() => {}));

  const stopped = jobs.stop();
  await jobs.enqueue(sql, queue, { id: 1 }, { delaySeconds: 1 });
  await stopped;
  expect(handled).toEqual([]);
  expect(await sql`SELECT state::text FROM pgboss.job WHERE name = ${queue.name}`).toEqual([
    { state: 'created' },
  ]);
  await sql.end();
  await database.drop();
});

test('completed and failed jobs are deleted soon, and waiting ones stay', async () => {
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 2 });
  const onceQueue = { ...queue, name: 'once', retries: 0 };
  const jobs = await startJobQueue(database.url, [onceQueue], silentLog, { finishedJobSeconds: 1 });
  const handled: number[] = [];
  await jobs.work(onceQueue, async ({ id }) => {
    handled.push(id);
    if (id === 2) throw new Error('The server refuses ada@usc.edu');
  });
  for (const id of [1, 2]) await jobs.enqueue(sql, onceQueue, { id });
  await jobs.enqueue(sql, onceQueue, { id: 3 }, { delaySeconds: 3600 });

  const listJobs = () => sql`SELECT data FROM pgboss.job WHERE name = ${onceQueue.name}`;
  await expect.poll(() => [...handled].sort(), { timeout: 10_000 }).toEqual([1, 2]);
  await expect.poll(listJobs, { timeout: 20_000 }).toEqual([{ data: { id: 3 } }]);
  await jobs.stop();
  await sql.end();
  await database.drop();
});

test('a job that is retried stores nothing about the error', async () => {
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 2 });
  const retriedQueue = { ...queue, name: 'retried', retryDelay: 3600 };
  const jobs = await startJobQueue(database.url, [retriedQueue], silentLog);
  await jobs.work(retriedQueue, async () => {
    throw new Error('The server refuses ada@usc.edu');
  });
  await jobs.enqueue(sql, retriedQueue, { id: 1 });

  const readJob = () => sql`SELECT state::text, output FROM pgboss.job WHERE name = ${retriedQueue.name}`;
  await expect.poll(readJob, { timeout: 10_000 }).toEqual([{ state: 'retry', output: null }]);
  await jobs.stop();
  await sql.end();
  await database.drop();
});
