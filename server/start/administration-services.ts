import type { Config } from '#server/config.ts';
import { createDemoAdministrationService } from '#server/demo/remove.ts';
import {
  assertNotLastAdministrator,
  createAccountAdministrationService,
  createAccountModeration,
  createConsoleRoleService,
  createPeopleService,
  createReauthenticationService,
  createSecondFactorAdministrationService,
} from '#server/features/accounts/public.ts';
import { createAnnouncementAdministrationService } from '#server/features/announcements/public.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import { createPersonActions } from '#server/features/console/public.ts';
import { createEventLineService } from '#server/features/conversations/public.ts';
import {
  createDealAdministrationService,
  createDealSettlingScheduler,
  createHandoverMailer,
} from '#server/features/deals/public.ts';
import { createFormInbox, createFormReplyService } from '#server/features/forms/public.ts';
import { createMeetingSpotAdministrationService } from '#server/features/handovers/public.ts';
import { createListingModeration, createWordingReviewService } from '#server/features/listings/public.ts';
import {
  createCaseRemoval,
  createCaseServices,
  createWaitingActions,
} from '#server/features/moderation/public.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import { createListingMatchingScheduler } from '#server/features/saved-searches/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import { createPageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { openAccountDeletion } from './open-account-deletion.ts';

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
