import type { Audit } from './audit/service.ts';
import { forgetCounts } from './http/rate-limits.ts';
import { createLeaving, type Leaving } from './leaving/service.ts';
import { holdSaving } from './listings/service.ts';
import { createPageNews } from './pages/page-news.ts';
import { createFileRemoval } from './photos/removal.ts';
import type { Bus } from './platform/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Sql } from './platform/database.ts';
import type { Jobs } from './platform/jobs.ts';

/** Opens account deletion for a process that serves nobody, such as a command. */
export const openAccountDeletion = ({
  jobs,
  ...deps
}: {
  jobs: Pick<Jobs, 'enqueue'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  audit: Pick<Audit, 'note'>;
}): Leaving =>
  createLeaving({
    ...deps,
    news: createPageNews(deps.bus),
    listings: { holdSaving },
    removeFiles: createFileRemoval(jobs),
    forgetCounts,
  });
