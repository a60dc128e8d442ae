import type { Log } from '#server/platform/process/log.ts';
import { openDatabase, type Sql, severConnections } from './database.ts';

export interface DatabaseWatch {
  stop(): Promise<void>;
}

interface DatabaseWatchOptions {
  /** Interval between health queries, in ms. */
  intervalMs?: number;
  /** How long a health query may take, in ms. */
  timeoutMs?: number;
}

/**
 * Detects a PostgreSQL server that stopped responding because it is frozen or the network drops
 * every packet. TCP would keep such connections open for many minutes, and every request would wait
 * on them.
 *
 * This function runs a small query every 0.5 s. When the query gets no reply within 4 s, all
 * connections of the pools are closed, repeatedly until the server responds. So no statement waits
 * much longer than 4 s for a dead server, while slow statements are not affected.
 */
export const watchDatabase = (
  url: string,
  pools: Sql[],
  log: Log,
  { intervalMs = 500, timeoutMs = 4_000 }: DatabaseWatchOptions = {},
): DatabaseWatch => {
  const probe = openDatabase(url, { max: 1 });
  const allPools = [probe, ...pools];
  let isProbing = false;
  let ticksWithoutReply = 0;
  let isUnresponsive = false;

  const probeDatabase = async (): Promise<void> => {
    isProbing = true;
    ticksWithoutReply = 0;
    try {
      await probe`SELECT 1`;
      if (isUnresponsive) log.info('the database answers again');
      isUnresponsive = false;
    } catch {
      // A failed query needs no handling here: either the server is down, so that all statements fail without
      // our help, or the timer below closed the connection.
    } finally {
      isProbing = false;
    }
  };

  // Count timer ticks instead of reading the clock, because time during which this process itself
  // is stalled must not count toward the timeout.
  const timer = setInterval(() => {
    if (!isProbing) {
      void probeDatabase();
      return;
    }
    ticksWithoutReply += 1;
    if (ticksWithoutReply * intervalMs < timeoutMs) return;
    if (!isUnresponsive) log.warn('the database answers nothing; its connections are given up');
    isUnresponsive = true;
    ticksWithoutReply = 0;
    for (const pool of allPools) severConnections(pool);
  }, intervalMs);
  timer.unref();

  return {
    stop: async () => {
      clearInterval(timer);
      await probe.end({ timeout: 1 });
    },
  };
};
