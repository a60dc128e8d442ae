import type { Log } from '#server/platform/process/log.ts';
import { openDatabase, type Sql, severConnections } from './database.ts';

export interface DatabaseWatch {
  stop(): Promise<void>;
}

interface WatchTimes {
  /** Interval between health queries, in ms. */
  everyMs?: number;
  /** How long a health query may stay unanswered, in ms. */
  silenceMs?: number;
}

/**
 * Detects a PostgreSQL that stopped responding: frozen, or behind a network that drops every packet. Its connections
 * look healthy for many minutes, and every request would wait on them. One small query is always open; when it stays
 * unanswered for 4 s, all connections of the pools are closed, repeatedly until the server responds. So no statement
 * waits much longer than 4 s for a dead server, while a slow one is left alone.
 */
export const watchDatabase = (
  url: string,
  pools: Sql[],
  log: Log,
  { everyMs = 500, silenceMs = 4_000 }: WatchTimes = {},
): DatabaseWatch => {
  const probe = openDatabase(url, { max: 1 });
  const all = [probe, ...pools];
  let isAsking = false;
  let unanswered = 0;
  let isSilent = false;

  const ask = async (): Promise<void> => {
    isAsking = true;
    unanswered = 0;
    try {
      await probe`SELECT 1`;
      if (isSilent) log.info('the database answers again');
      isSilent = false;
    } catch {
      // The server is down, which every statement notices by itself, or the connection was closed below.
    } finally {
      isAsking = false;
    }
  };

  // Counts timer ticks instead of reading the clock: while this process itself is stalled, no tick passes.
  const timer = setInterval(() => {
    if (!isAsking) {
      void ask();
      return;
    }
    unanswered += 1;
    if (unanswered * everyMs < silenceMs) return;
    if (!isSilent) log.warn('the database answers nothing; its connections are given up');
    isSilent = true;
    unanswered = 0;
    for (const pool of all) severConnections(pool);
  }, everyMs);
  timer.unref();

  return {
    stop: async () => {
      clearInterval(timer);
      await probe.end({ timeout: 1 });
    },
  };
};
