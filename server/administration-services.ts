import {
  assertNotLastAdministrator,
  createAccountAdministrationService,
  createAccountModeration,
  createConsoleRoleService,
  createPeopleService,
  createReauthenticationService,
  createSecondFactorAdministrationService,
} from './accounts/public.ts';
import { createAnnouncementAdministrationService } from './announcements/public.ts';
import type { AuditTrail } from './audit/public.ts';
import type { Config } from './config.ts';
import { createPersonActions } from './console/public.ts';
import { createEventLineService } from './conversations/public.ts';
import {
  createDealAdministrationService,
  createDealSettlingScheduler,
  createHandoverMailer,
} from './deals/public.ts';
import { createDemoAdministrationService } from './demo/remove.ts';
import { createFormInbox, createFormReplyService } from './forms/public.ts';
import { createMeetingSpotAdministrationService } from './handovers/public.ts';
import { createListingModeration, createWordingReviewService } from './listings/public.ts';
import type { Mailer } from './mail/public.ts';
import { createCaseRemoval, createCaseServices, createWaitingActions } from './moderation/public.ts';
import { createNotifier } from './notifications/public.ts';
import { openAccountDeletion } from './open-account-deletion.ts';
import { createPageInvalidation } from './pages/public.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { JobQueue } from './platform/jobs.ts';
import type { Sql } from './platform/postgres/database.ts';
import { createListingMatchingScheduler } from './saved-searches/public.ts';

interface AdministrationConnections {
  config: Pick<Config, 'campus' | 'campusOnly' | 'publicUrl'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  jobs: Pick<JobQueue, 'enqueue'>;
  mailer: Mailer;
  pepper: Buffer;
  audit: AuditTrail;
}

/** Creates the services of moderators and administrators, which the console and the commands share. */
export const createAdministrationServices = ({
  config: { campus, campusOnly, publicUrl },
  sql,
  clock,
  bus,
  jobs,
  mailer,
  pepper,
  audit,
}: AdministrationConnections) => {
  const base = { sql, clock, audit, notify: createNotifier(jobs), invalidation: createPageInvalidation(bus) };
  const deals = createDealSettlingScheduler(jobs);
  const listingModeration = createListingModeration({ ...base, deals });
  const listingReview = createWordingReviewService({
    ...base,
    deals,
    matching: createListingMatchingScheduler(jobs, clock),
  });
  const endWaitingActions = createWaitingActions(base).endAllOf;
  const accounts = {
    accountModeration: createAccountModeration({
      ...base,
      bus,
      mailer,
      listingModeration,
      endWaitingActions,
      deals,
    }),
    accountAdministration: createAccountAdministrationService({
      ...base,
      pepper,
      mailer,
      campus,
      campusOnly,
    }),
    secondFactors: createSecondFactorAdministrationService({ ...base, bus }),
    roles: createConsoleRoleService({ ...base, endWaitingActions }),
    deletion: openAccountDeletion({ sql, clock, bus, jobs, audit, pepper, campus }),
  };
  const dealAdministration = createDealAdministrationService({
    ...base,
    campus,
    eventLines: createEventLineService({ bus, mailer }),
    scheduleSettling: deals.scheduleSettling,
    mailHandover: createHandoverMailer({ campus, publicUrl, mailer }),
  });
  const forms = createFormInbox({ sql, clock, audit });
  const cases = createCaseServices({
    ...base,
    jobs,
    mailer,
    assertNotLastAdministrator,
    listings: listingModeration,
    review: listingReview,
    accounts: accounts.accountModeration,
  });
  return {
    ...cases,
    people: createPeopleService({ sql }),
    listingModeration,
    listingReview,
    ...accounts,
    deals: dealAdministration,
    forms,
    formDesk: createFormReplyService({ sql, clock, audit, mailer, inbox: forms }),
    personActions: createPersonActions({
      clock,
      mailer,
      forms,
      personDecisions: cases.personDecisions,
      reauthentication: createReauthenticationService({ sql, clock }),
      ...accounts,
    }),
    meetingSpots: createMeetingSpotAdministrationService({ sql, clock, audit }),
    announcements: createAnnouncementAdministrationService({ sql, bus, audit }),
    demoData: createDemoAdministrationService({
      sql,
      audit,
      deals: dealAdministration,
      cases: createCaseRemoval({ sql, jobs }),
      // Delete demo accounts even if this leaves no administrator, because everybody knows the password of
      // the demo accounts.
      deleteAccount: (id) => accounts.deletion.deleteAccount(id, { mayBeLastAdministrator: true }),
    }),
  };
};
