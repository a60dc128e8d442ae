import type { Log } from '#server/platform/process/log.ts';
import { type DatabaseHost, formatDatabaseHost } from './database-url.ts';
import { getPrimaryLocator } from './primary-locator.ts';

const defaultIntervalMs = 1_000;

/**
 * Searches for the primary every second and logs when it changes, and which servers cannot be used. Connections to a server that is no longer the primary
 * are closed, so that no statement reaches it. Does nothing if `databaseUrl` does not ask for a primary.
 */
export const watchPrimary = (
  databaseUrl: string,
  log: Log,
  {
    intervalMs = defaultIntervalMs,
    onMove = () => {},
  }: {
    intervalMs?: number;
    /** Called when another server has become the primary. */
    onMove?: () => void;
  } = {},
): { stop(): void } => {
  const locator = getPrimaryLocator(databaseUrl);
  if (!locator) return { stop: () => {} };
  let last: DatabaseHost | undefined;
  let isMissing = false;
  let isSearching = false;
  const reported = new Map<string, string>();

  const reportProblems = (): void => {
    for (const { host, problem } of locator.listProblems()) {
      const name = formatDatabaseHost(host);
      if (reported.get(name) === problem) continue;
      if (problem === undefined) {
        reported.delete(name);
        log.info(`the database server ${name} can be used again`);
      } else {
        reported.set(name, problem);
        log.warn(`the database server ${name} ${problem}`);
      }
    }
  };

  const search = async (): Promise<void> => {
    isSearching = true;
    const found = await locator.refresh();
    isSearching = false;
    reportProblems();
    if (!found) {
      if (!isMissing) log.warn('no database server is a primary');
      isMissing = true;
      return;
    }
    const name = formatDatabaseHost(found);
    const hasMoved = last !== undefined && formatDatabaseHost(last) !== name;
    if (hasMoved) onMove();
    if (hasMoved || isMissing) log.info({ host: name }, 'the primary of the database is available');
    isMissing = false;
    last = found;
  };
  const timer = setInterval(() => {
    if (!isSearching) void search();
  }, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
};
