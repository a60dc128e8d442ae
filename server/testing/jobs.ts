import type { JobQueue } from '#server/platform/jobs.ts';

/** An in-memory job queue; jobs run only when the test calls `runAll` or `repeatNow`. */
export interface TestJobs extends JobQueue {
  /** Runs all queued jobs in the order in which they were queued. */
  runAll(): Promise<void>;
  /** Runs the scheduled or polling job with this name once. */
  repeatNow(name: string): Promise<void>;
}

export const createTestJobs = (): TestJobs => {
  const handlers = new Map<string, (payload: never) => Promise<void>>();
  const repeatedJobs = new Map<string, () => Promise<void>>();
  const queued: { queue: string; payload: object }[] = [];
  return {
    enqueue: async (_tx, queue, payload) => {
      queued.push({ queue: queue.name, payload });
    },
    work: async (queue, handler) => {
      handlers.set(queue.name, handler as (payload: never) => Promise<void>);
    },
    runAll: async () => {
      for (const { queue, payload } of queued.splice(0)) await handlers.get(queue)?.(payload as never);
    },
    repeat: async (name, _cron, handler) => {
      repeatedJobs.set(name, handler);
    },
    poll: async (name, _seconds, handler) => {
      repeatedJobs.set(name, handler);
    },
    repeatNow: async (name) => repeatedJobs.get(name)?.(),
    count: async () => [],
    check: async () => {},
    stop: async () => {},
  };
};
