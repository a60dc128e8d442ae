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
