import { setTimeout as delay } from 'node:timers/promises';
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { z } from 'zod';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { parseDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { getPrimaryStreamOption } from '#server/platform/postgres/primary-sockets.ts';
import type { Log } from '#server/platform/process/log.ts';
import { stopWithTimeout } from '#server/platform/process/stop-with-timeout.ts';
import { findTraceContext, runInSpan } from '#server/platform/process/tracing.ts';

/**
 * Describes a durable queue of jobs that are retried when they fail. The jobs are stored in PostgreSQL
 * (schema pgboss).
 */
export interface QueueDefinition<Payload extends object> {
  name: string;
  /**
   * Number of retries. The first one follows after `retryDelay` seconds; the delay then doubles
   * each time, up to an hour.
   */
  retries: number;
  retryDelay: number;
  /** Schema of the jobs' data, which is checked before a job runs. */
  payload: z.ZodType<Payload>;
  /**
   * Concurrency limits for a queue whose jobs call external servers: how many jobs one process runs at the
   * same time, in total and per group. A server that hangs then delays only the jobs of its own group.
   * Without these limits, jobs run in batches.
   */
  concurrency?: { jobs: number; jobsPerGroup: number };
}

export interface JobQueue {
  /**
   * Adds a job in the caller's transaction, so that the job exists if and only if the transaction
   * commits. The job starts no earlier than `delaySeconds` from now, according to the clock of the
   * database server. `group` names its group, for queues with a limit of concurrent jobs per group.
   */
  enqueue<Payload extends object>(
    tx: Queryable,
    queue: QueueDefinition<Payload>,
    payload: Payload,
    options?: { delaySeconds?: number; group?: string },
  ): Promise<void>;
  /**
   * Processes a queue's jobs in this process, up to `jobsPerBatch` at a time. When the handler throws, the job is
   * retried.
   */
  work<Payload extends object>(
    queue: QueueDefinition<Payload>,
    handler: (payload: Payload) => Promise<void>,
  ): Promise<void>;
  /** Runs a recurring job on a cron schedule in UTC, in one process at a time. */
  repeat(name: string, cron: string, handler: () => Promise<void>): Promise<void>;
  /**
   * Runs a short job in every process, again and again with a pause of `seconds`. Several processes may run it at the same
   * time, so it must lock what it handles.
   */
  poll(name: string, seconds: number, handler: () => Promise<void>): Promise<void>;
  /** Returns the number of unfinished jobs by queue and state. */
  count(): Promise<{ queue: string; state: string; count: number }[]>;
  /** Throws unless jobs can be added and processed. */
  check(): Promise<unknown>;
  /** Waits up to 2 s for polling jobs and, at the same time, up to 4 s for other jobs to finish, then stops. */
  stop(): Promise<void>;
}

/** The methods of `JobQueue` with which a background job registers itself in a process. */
type JobRegistration = Pick<JobQueue, 'work' | 'repeat' | 'poll'>;

/** A background job that a feature declares; it starts when the server starts. */
export interface Job {
  name: string;
  /** Starts processing this job in the current process. */
  register(jobs: JobRegistration): Promise<void>;
}

/** Adds background jobs to those that the server starts. */
export type JobCollector = (...jobs: Job[]) => void;

/**
 * Declares a job that runs on a cron schedule in UTC. A run may be interrupted or repeated, so
 * `run` must tolerate both.
 */
export const declareScheduledJob = (name: string, cron: string, run: () => Promise<void>): Job => ({
  name,
  register: (jobs) => jobs.repeat(name, cron, run),
});

/** Declares a short job that every process runs again and again, with a pause of `seconds`. */
export const declarePollingJob = (name: string, seconds: number, run: () => Promise<void>): Job => ({
  name,
  register: (jobs) => jobs.poll(name, seconds, run),
});

/** Declares the handler for each job of a queue. */
export const declareQueueJob = <Payload extends object>(
  queue: QueueDefinition<Payload>,
  run: (payload: Payload) => Promise<void>,
): Job => ({ name: queue.name, register: (jobs) => jobs.work(queue, run) });

/** Starts all declared jobs in this process. Throws when two have the same name. */
export const registerJobs = async (jobs: JobRegistration, declared: Job[]): Promise<void> => {
  const names = new Set<string>();
  for (const { name, register } of declared) {
    if (names.has(name)) throw new Error(`Two jobs are called ${name}`);
    names.add(name);
    await register(jobs);
  }
};

/**
 * Number of jobs of a queue that one process runs concurrently; the next batch starts when the whole batch has
 * finished.
 */
export const jobsPerBatch = 5;

// NOTIFY announces new jobs; polling every second finds jobs that are due for a retry.
const workOptions = {
  batchSize: jobsPerBatch,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
} as const;

// Each of the concurrent workers polls, so the interval is longer than for other queues; NOTIFY still
// announces new jobs immediately.
const toGroupedWorkOptions = ({
  jobs,
  jobsPerGroup,
}: NonNullable<QueueDefinition<object>['concurrency']>) => ({
  ...workOptions,
  batchSize: 1,
  localConcurrency: jobs,
  localGroupConcurrency: jobsPerGroup,
  pollingIntervalSeconds: 5,
  notifyPollingIntervalSeconds: 5,
});

/** Pause after a failed run of a polling job, in seconds. */
const pauseAfterFailureSeconds = 5;

// All parts that serve get seven seconds together, of which mail delivery may take two before the jobs are stopped.
const pollStopTimeoutMs = 2_000;
const jobStopTimeoutMs = 4_000;

/**
 * Timeouts for the database driver that pg-boss uses, so that a frozen database does not block its connections forever.
 */
const driverTimeouts = { connectionTimeoutMillis: 5_000, query_timeout: 30_000 };

const createBoss = (databaseUrl: string, finishedJobSeconds: number): PgBoss => {
  const { url: connectionString, ssl } = parseDatabaseUrl(databaseUrl);
  return new PgBoss({
    connectionString,
    ...(ssl ? { ssl } : {}),
    ...getPrimaryStreamOption(databaseUrl),
    ...driverTimeouts,
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: finishedJobSeconds,
    // By default, jobs are deleted only once a day.
    maintenanceIntervalSeconds: finishedJobSeconds,
  });
};

const createQueues = async (
  boss: PgBoss,
  queues: readonly QueueDefinition<object>[],
  finishedJobSeconds: number,
): Promise<void> => {
  for (const { name, retries, retryDelay } of queues) {
    const options = {
      retryLimit: retries,
      retryDelay,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: 300,
      deleteAfterSeconds: finishedJobSeconds,
      notify: true,
    };
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
  }
};

/** What is stored of a queued job: its payload, and the span of the request that queued it, if that was recorded. */
type QueuedData = object & { traceparent?: string };

/** Runs a job in a span of the request that queued it, or else in a trace of its own. */
const runRecorded = (
  name: string,
  traceparent: string | undefined,
  run: () => Promise<void>,
): Promise<void> =>
  runInSpan(
    {
      name: `process ${name}`,
      kind: 'consumer',
      attributes: {
        'messaging.system': 'pg-boss',
        'messaging.operation.type': 'process',
        'messaging.destination.name': name,
      },
      parent: traceparent,
    },
    run,
  );

/** Returns a function that runs one job of a queue and reports whether it completed. */
const createAttempt =
  <Payload extends object>(
    queue: QueueDefinition<Payload>,
    handler: (payload: Payload) => Promise<void>,
    log: Log,
  ) =>
  async ({ id, data, retryCount, retryLimit }: JobWithMetadata<QueuedData>): Promise<JobResult> => {
    const run = async (): Promise<void> => {
      try {
        await handler(queue.payload.parse(data));
      } catch (error) {
        if (retryCount < retryLimit)
          log.warn({ err: error, queue: queue.name }, 'job failed, will be retried');
        else log.error({ err: error, queue: queue.name }, 'job failed for the last time and is lost');
        throw error;
      }
    };
    try {
      await runRecorded(queue.name, data.traceparent, run);
      return { id, status: 'completed' };
    } catch {
      // The error is only logged, because it may contain personal data, such as the address that a mail server refuses.
      return { id, status: 'failed' };
    }
  };

/** Creates the runner of polling jobs; `stop` resolves when all of them have ended. */
const createPolling = (log: Log): { start: JobQueue['poll']; stop(): Promise<unknown> } => {
  const stopping = new AbortController();
  const polls: Promise<void>[] = [];
  const pollUntilStopped = async (name: string, seconds: number, handler: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      let pause = seconds;
      await handler().catch((error: unknown) => {
        pause = pauseAfterFailureSeconds;
        log.warn({ err: error, job: name }, 'polling job failed, will be repeated');
      });
      await delay(pause * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    start: async (name, seconds, handler) => {
      polls.push(pollUntilStopped(name, seconds, handler));
    },
    stop: () => {
      stopping.abort();
      return Promise.all(polls);
    },
  };
};

/**
 * Starts pg-boss and creates its schema on the first start. Jobs that completed or failed for the last time are deleted
 * after `finishedJobSeconds`, when the next search for such jobs runs, which is just as often. Throws when the database
 * cannot be reached.
 */
export const startJobQueue = async (
  databaseUrl: string,
  queues: QueueDefinition<object>[],
  log: Log,
  { finishedJobSeconds = 60 }: { finishedJobSeconds?: number } = {},
): Promise<JobQueue> => {
  const boss = createBoss(databaseUrl, finishedJobSeconds);
  boss.on('error', (error) => log.warn({ err: error }, 'error in the job queue'));
  await boss.start();
  await createQueues(boss, queues, finishedJobSeconds);
  const polling = createPolling(log);
  return {
    enqueue: async (tx, { name }, payload, { delaySeconds = 0, group } = {}) => {
      const traceparent = findTraceContext()?.traceparent;
      await boss.send(
        name,
        { ...payload, ...(traceparent ? { traceparent } : {}) },
        {
          startAfter: delaySeconds,
          ...(group === undefined ? {} : { group: { id: group } }),
          db: {
            executeSql: async (text, values) => ({ rows: await tx.query(text, values) }),
          },
        },
      );
    },
    work: async (queue, handler) => {
      const attempt = createAttempt(queue, handler, log);
      const options = queue.concurrency ? toGroupedWorkOptions(queue.concurrency) : workOptions;
      await boss.work<QueuedData, unknown, typeof options>(queue.name, options, (batch) =>
        Promise.all(batch.map(attempt)),
      );
    },
    repeat: async (name, cron, handler) => {
      await boss.createQueue(name, { retryLimit: 0, deleteAfterSeconds: finishedJobSeconds });
      await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
        try {
          await runRecorded(name, undefined, handler);
        } catch (error) {
          log.warn({ err: error, job: name }, 'repeated job failed, waiting for its next run');
          throw error;
        }
      });
      await boss.schedule(name, cron);
    },
    poll: polling.start,
    count: async () => {
      const { rows } = await boss.getDb().executeSql(
        `SELECT name AS queue, state::text AS state, count(*)::int AS count FROM pgboss.job
        WHERE state < 'completed' AND name NOT LIKE '\\_\\_pgboss%' GROUP BY 1, 2`,
      );
      return rows;
    },
    // `getQueues` would read dozens of queues with thirty columns each, at every call of /readyz.
    check: () => boss.getDb().executeSql('SELECT FROM pgboss.queue LIMIT 1'),
    stop: async () => {
      // The connections stay open until the polling jobs end, because these may add jobs.
      await Promise.all([
        stopWithTimeout(polling.stop, pollStopTimeoutMs),
        boss.stop({ graceful: true, timeout: jobStopTimeoutMs, close: false }),
      ]);
      await boss.stop();
    },
  };
};
