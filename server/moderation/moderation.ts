import type { Audit } from '#server/audit/public.ts';
import type { Notify } from '#server/notifications/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type ActionDeps, createActionService } from './action-service.ts';
import { createAppealService } from './appeal-service.ts';
import { createCaseRemoval } from './case-removal.ts';
import { createCaseService } from './case-service.ts';
import { createEffects, type ModerationPorts } from './effects.ts';
import { createListingDecisions } from './listing-decisions.ts';
import { createOutcomeNotices } from './outcome-notices.ts';
import { createQuotedPhotos, createStoreQuote } from './quotes.ts';
import { createReportService } from './report-service.ts';
import { createNoShowWatch, createOpenSignal, createReportWatch } from './signals.ts';

interface CaseHandlingDeps extends ModerationPorts {
  assertNotLastAdministrator: ActionDeps['assertNotLastAdministrator'];
  sql: Sql;
  clock: Clock;
  jobs: Pick<Jobs, 'enqueue'>;
  audit: Pick<Audit, 'note'>;
  notify: Notify;
}

/** Creates the services with which moderators handle cases, in the console and in commands. */
export const createCaseHandling = ({
  sql,
  clock,
  jobs,
  audit,
  notify,
  assertNotLastAdministrator,
  ...ports
}: CaseHandlingDeps) => ({
  cases: createCaseService({ sql, clock }),
  listingDecisions: createListingDecisions({ clock, storeQuote: createStoreQuote({ clock, jobs }) }),
  actions: createActionService({
    sql,
    clock,
    jobs,
    audit,
    assertNotLastAdministrator,
    applyEffect: createEffects({
      clock,
      openSignal: createOpenSignal({ clock, storeQuote: createStoreQuote({ clock, jobs }) }),
      ...ports,
    }),
    tellOutcome: createOutcomeNotices({ notify }),
  }),
});

interface ModerationDeps {
  sql: Sql;
  clock: Clock;
  jobs: Pick<Jobs, 'enqueue'>;
  files: Pick<Files, 'put' | 'read' | 'delete'>;
  /** Reads the original file of a photo; undefined when it was deleted. */
  readPhoto(url: string): Promise<Uint8Array | undefined>;
}

/** Creates the services for reports, automatic signals and appeals. */
export const createModeration = ({ sql, clock, jobs, files, readPhoto }: ModerationDeps) => {
  const storeQuote = createStoreQuote({ clock, jobs });
  const openSignal = createOpenSignal({ clock, storeQuote });
  const watchReports = createReportWatch({ clock, openSignal });
  return {
    openSignal,
    reports: createReportService({ sql, clock, storeQuote, watchReports }),
    appeals: createAppealService({ sql, clock }),
    quotedPhotos: createQuotedPhotos({ sql, files, readPhoto }),
    watchNoShows: createNoShowWatch({ sql, clock, openSignal }),
    caseRemoval: createCaseRemoval({ sql, jobs }),
  };
};
