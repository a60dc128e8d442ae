import type { Clock } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { createCaseRemoval } from './case-removal.ts';
import { createQuotedPhotos, createStoreQuote } from './quotes.ts';
import { createReportService } from './report-service.ts';
import { createNoShowWatch, createOpenSignal, createReportWatch } from './signals.ts';

interface ModerationDeps {
  sql: Sql;
  clock: Clock;
  jobs: Pick<Jobs, 'enqueue'>;
  files: Pick<Files, 'put' | 'read' | 'delete'>;
  /** Reads the original of a photo; undefined when it was deleted. */
  readPhoto(url: string): Promise<Uint8Array | undefined>;
}

/** Creates the services for reports and automatic signals. */
export const createModeration = ({ sql, clock, jobs, files, readPhoto }: ModerationDeps) => {
  const storeQuote = createStoreQuote({ clock, jobs });
  const openSignal = createOpenSignal({ clock, storeQuote });
  const watchReports = createReportWatch({ clock, openSignal });
  return {
    openSignal,
    reports: createReportService({ sql, clock, storeQuote, watchReports }),
    quotedPhotos: createQuotedPhotos({ sql, files, readPhoto }),
    watchNoShows: createNoShowWatch({ sql, clock, openSignal }),
    caseRemoval: createCaseRemoval({ sql, jobs }),
  };
};
