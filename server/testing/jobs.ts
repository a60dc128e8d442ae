import type { Clock } from '#server/platform/clock.ts';
import type { JobQueue, QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';

/**
 * A job queue in the test's database, in which jobs run only when the test calls `runAll` or `repeatNow`. As in
 * production, a job exists if and only if its transaction commits, and starts no earlier than its delay demands.
 */
export interface TestJobs extends JobQueue {
  /**
   * Runs all jobs that are due by the test's clock, in the order in which they were queued. A job that fails is
   * queued again if its queue allows more retries; `runAll` then throws its error after the other jobs have run.
   */
  runAll(): Promise<void>;
  /** Runs the scheduled or polling job with this name once. */
  repeatNow(name: string): Promise<void>;
}

interface StoredJob {
  queue: string;
  payload: object;
  retries: number;
}

interface Worker {
  queue: QueueDefinition<object>;
  handle: (payload: never) => Promise<void>;
}

const maxRetryDelaySeconds = 3600;

export const createTestJobs = (sql: Sql, clock: Clock): TestJobs => {
  const workers = new Map<string, Worker>();
  const repeatedJobs = new Map<string, () => Promise<void>>();

  const insert = async (
    tx: Queryable,
    { queue, payload, retries }: StoredJob,
    delaySeconds: number,
  ): Promise<void> => {
    const dueAt = new Date(clock.now().getTime() + delaySeconds * 1000);
    await tx`
      insert into testing.job (queue, payload, retries, due_at)
      values (${queue}, ${json(payload)}, ${retries}, ${dueAt})`;
  };

  const run = async (job: StoredJob): Promise<unknown> => {
    const worker = workers.get(job.queue);
    if (!worker) return undefined;
    const { queue, handle } = worker;
    try {
      await handle(queue.payload.parse(job.payload) as never);
      return undefined;
    } catch (error) {
      const delaySeconds = Math.min(queue.retryDelay * 2 ** job.retries, maxRetryDelaySeconds);
      if (job.retries < queue.retries) await insert(sql, { ...job, retries: job.retries + 1 }, delaySeconds);
      return error;
    }
  };

  return {
    enqueue: (tx, queue, payload, { delaySeconds = 0 } = {}) =>
      insert(tx, { queue: queue.name, payload, retries: 0 }, delaySeconds),
    work: async (queue, handle) => {
      workers.set(queue.name, { queue, handle } as unknown as Worker);
    },
    runAll: async () => {
      const due = await sql<(StoredJob & { id: number })[]>`
        delete from testing.job where due_at <= ${clock.now()} returning id, queue, payload, retries`;
      const errors: unknown[] = [];
      for (const job of due.sort((a, b) => a.id - b.id)) {
        const error = await run(job);
        if (error !== undefined) errors.push(error);
      }
      if (errors.length > 0) throw errors[0];
    },
    repeat: async (name, _cron, handler) => {
      repeatedJobs.set(name, handler);
    },
    poll: async (name, _seconds, handler) => {
      repeatedJobs.set(name, handler);
    },
    repeatNow: async (name) => {
      const handler = repeatedJobs.get(name);
      if (!handler) throw new Error(`There is no repeated job ${name}`);
      await handler();
    },
    count: async () => [],
    check: async () => {},
    stop: async () => {},
  };
};
