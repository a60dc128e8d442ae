import type { Log } from '#server/platform/process/log.ts';
import { openDatabase, type Sql, severConnections } from './database.ts';

export interface DatabaseWatch {
  stop(): Promise<void>;
}

interface WatchTimes {
  /** How often it is asked whether the server answers, in ms. */
  everyMs?: number;
  /** How long a server may say nothing at all, in ms. */
  silenceMs?: number;
}

/**
 * Lets go of a PostgreSQL that answers nothing: frozen, or behind a network that swallows everything. Its connections
 * look sound for many minutes, and every request would wait on them. Instead one small question is always open; when
 * it stays unanswered for 4 s, all connections of the pools are severed, and again until there is an answer. So no
 * statement waits much longer than 4 s for a server that is gone; one that is merely slow is left in peace.
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
      // It is down, which every statement finds out for itself, or was severed below.
    } finally {
      isAsking = false;
    }
  };

  // Counted in turns, not by the clock: while this process itself is held up, no turn passes.
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
