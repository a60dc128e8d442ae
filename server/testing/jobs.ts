import type { Jobs } from '#server/platform/jobs.ts';

/** A queue in memory that a test empties by hand. */
export interface TestJobs extends Jobs {
  /** Does everything that is queued, in order. */
  runAll(): Promise<void>;
  /** Does what is done again and again under this name, once. */
  repeatNow(name: string): Promise<void>;
}

export const createTestJobs = (): TestJobs => {
  const handlers = new Map<string, (payload: never) => Promise<void>>();
  const repeated = new Map<string, () => Promise<void>>();
  const waiting: { queue: string; payload: object }[] = [];
  return {
    enqueue: async (_tx, queue, payload) => {
      waiting.push({ queue: queue.name, payload });
    },
    work: async (queue, handler) => {
      handlers.set(queue.name, handler as (payload: never) => Promise<void>);
    },
    runAll: async () => {
      for (const { queue, payload } of waiting.splice(0)) await handlers.get(queue)?.(payload as never);
    },
    repeat: async (name, _cron, handler) => {
      repeated.set(name, handler);
    },
    repeatNow: async (name) => repeated.get(name)?.(),
    count: async () => [],
    check: async () => {},
    stop: async () => {},
  };
};
