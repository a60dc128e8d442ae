import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type CurrentRoleFinder, createLostAuthorityFinder } from './action-failures.ts';
import { type ActionDeps, createActionService } from './action-service.ts';
import { createAppealService } from './appeal-service.ts';
import { createCaseRemoval } from './case-removal.ts';
import { createCaseService } from './case-service.ts';
import { createDecisionMailer } from './decision-emails.ts';
import { createEffectApplier, type ModerationPorts } from './effects.ts';
import { createListingDecisions } from './listing-decisions.ts';
import { createOutcomeNotifier } from './outcome-notices.ts';
import { createPersonDecisions } from './person-decisions.ts';
import { createQuotedPhotoOrphanJob, createQuotedPhotoService, createQuoteRecorder } from './quotes.ts';
import { createReportService } from './report-service.ts';
import { createReporterNotifier } from './reporter-notices.ts';
import { createNoShowSignalJob, createReportCountCheck, createSignalRecorder } from './signals.ts';
import { findCurrentRole as findRole } from './waiting-action-repository.ts';
import { createWaitingActions } from './waiting-actions.ts';

interface CaseHandlingDeps extends ModerationPorts {
  assertNotLastAdministrator: ActionDeps['assertNotLastAdministrator'];
  /** Replaces the roles in the database, for actions of the past. */
  findCurrentRole?: CurrentRoleFinder;
  sql: Sql;
  clock: Clock;
  jobs: Pick<JobQueue, 'enqueue'>;
  audit: Pick<AuditTrail, 'note'>;
  notify: Notifier;
  mailer: Pick<Mailer, 'sendAppealDecided' | 'sendDecision'>;
}

/** Creates the services with which moderators handle cases, in the console and in commands. */
export const createCaseServices = ({
  sql,
  clock,
  jobs,
  audit,
  notify,
  mailer,
  assertNotLastAdministrator,
  findCurrentRole = findRole,
  ...ports
}: CaseHandlingDeps) => {
  const storeQuote = createQuoteRecorder({ clock, jobs });
  const notifyReporters = createReporterNotifier(notify);
  const mailDecision = createDecisionMailer({ mailer });
  const waitingActions = createWaitingActions({ clock, audit });
  return {
    cases: createCaseService({ sql, clock }),
    listingDecisions: createListingDecisions({ clock, storeQuote, mailDecision, notifyReporters }),
    personDecisions: createPersonDecisions({ clock, storeQuote, notifyReporters }),
    actions: createActionService({
      sql,
      clock,
      jobs,
      audit,
      assertNotLastAdministrator,
      findLostAuthority: createLostAuthorityFinder(findCurrentRole),
      waitingActions,
      applyEffect: createEffectApplier({
        clock,
        openSignal: createSignalRecorder({ clock, storeQuote }),
        ...ports,
      }),
      tellOutcome: createOutcomeNotifier({ notify, notifyReporters, mailDecision, mailer }),
    }),
  };
};

interface ModerationDeps {
  sql: Sql;
  clock: Clock;
  jobs: Pick<JobQueue, 'enqueue'>;
  files: Pick<FileStore, 'put' | 'read' | 'list' | 'delete'>;
  /** Reads the original file of a photo. Returns undefined when it was deleted. */
  readPhoto(url: string): Promise<Uint8Array | undefined>;
}

/** Creates the services for reports, automatic signals and appeals. */
export const createReportingServices = ({ sql, clock, jobs, files, readPhoto }: ModerationDeps) => {
  const storeQuote = createQuoteRecorder({ clock, jobs });
  const openSignal = createSignalRecorder({ clock, storeQuote });
  const watchReports = createReportCountCheck({ clock, openSignal });
  return {
    openSignal,
    reports: createReportService({ sql, clock, storeQuote, watchReports }),
    appeals: createAppealService({ sql, clock }),
    quotedPhotos: createQuotedPhotoService({ sql, files, readPhoto }),
    removeQuotedPhotoOrphans: createQuotedPhotoOrphanJob({ sql, files, clock }),
    watchNoShows: createNoShowSignalJob({ sql, clock, openSignal }),
    caseRemoval: createCaseRemoval({ sql, jobs }),
  };
};
