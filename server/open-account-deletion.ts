import type { Audit } from './audit/service.ts';
import { forgetCounts } from './http/rate-limits.ts';
import { createLeaving, type Leaving } from './leaving/service.ts';
import { holdSaving } from './listings/service.ts';
import { createPageNews } from './pages/page-news.ts';
import { createFileRemoval, removalQueue } from './photos/removal.ts';
import type { Bus } from './platform/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Sql } from './platform/database.ts';
import { type Jobs, startJobs } from './platform/jobs.ts';
import { silentLog } from './platform/log.ts';

/**
 * Opens account deletion for a process that serves nobody, such as a command. The files of deleted accounts are queued
 * for removal: the running server deletes them, or the next one that starts.
 */
export const openAccountDeletion = ({
  databaseUrl,
  ...deps
}: {
  databaseUrl: string;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  audit: Pick<Audit, 'note'>;
}): Leaving & { close(): Promise<void> } => {
  // Opening the queue takes a second connection pool, which most commands never need.
  let queue: Promise<Jobs> | undefined;
  const enqueue: Jobs['enqueue'] = async (tx, name, payload) => {
    queue ??= startJobs(databaseUrl, [removalQueue], silentLog);
    await (await queue).enqueue(tx, name, payload);
  };
  const leaving = createLeaving({
    ...deps,
    news: createPageNews(deps.bus),
    listings: { holdSaving },
    removeFiles: createFileRemoval({ enqueue }),
    forgetCounts,
  });
  return { ...leaving, close: async () => (await queue)?.stop() };
};
