import {
  assertNotLastAdministrator,
  createAccountAdministration,
  createAccountModeration,
  createConsoleRoleService,
  createPeopleService,
  createSecondFactorAdministration,
} from './accounts/public.ts';
import { createAnnouncementAdministration } from './announcements/public.ts';
import type { AuditTrail } from './audit/public.ts';
import type { Config } from './config.ts';
import { createPersonActions } from './console/public.ts';
import { createEventLineService } from './conversations/public.ts';
import {
  createDealAdministration,
  createDealSettlingScheduler,
  createHandoverMailer,
} from './deals/public.ts';
import { createDemoAdministration } from './demo/remove.ts';
import { createFormAnswerService, createFormInbox } from './forms/public.ts';
import { createMeetingSpotAdministration } from './handovers/public.ts';
import { createListingModeration, createListingReview } from './listings/public.ts';
import type { Mailer } from './mail/public.ts';
import { createCaseRemoval, createCaseServices } from './moderation/public.ts';
import { createNotify } from './notifications/public.ts';
import { openAccountDeletion } from './open-account-deletion.ts';
import { createPageInvalidation } from './pages/public.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { JobQueue } from './platform/jobs.ts';
import type { Sql } from './platform/postgres/database.ts';
import { createListingMatching } from './saved-searches/public.ts';

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
export const openAdministration = ({
  config: { campus, campusOnly, publicUrl },
  sql,
  clock,
  bus,
  jobs,
  mailer,
  pepper,
  audit,
}: AdministrationConnections) => {
  const base = { sql, clock, audit, notify: createNotify(jobs), invalidation: createPageInvalidation(bus) };
  const deals = createDealSettlingScheduler(jobs);
  const listingModeration = createListingModeration({ ...base, deals });
  const listingReview = createListingReview({ ...base, deals, matching: createListingMatching(jobs, clock) });
  const accounts = {
    accountModeration: createAccountModeration({ ...base, bus, mailer, listingModeration, deals }),
    accountAdministration: createAccountAdministration({ ...base, pepper, mailer, campus, campusOnly }),
    secondFactors: createSecondFactorAdministration({ ...base, bus }),
    roles: createConsoleRoleService(base),
    deletion: openAccountDeletion({ sql, clock, bus, jobs, audit, pepper }),
  };
  const dealAdministration = createDealAdministration({
    ...base,
    campus,
    eventLines: createEventLineService({ bus, mailer }),
    scheduleSettling: deals.scheduleSettling,
    mailHandover: createHandoverMailer({ campus, publicUrl, mailer }),
  });
  const forms = createFormInbox({ sql, clock, audit });
  return {
    ...createCaseServices({
      ...base,
      jobs,
      assertNotLastAdministrator,
      listings: listingModeration,
      review: listingReview,
      accounts: accounts.accountModeration,
    }),
    people: createPeopleService({ sql }),
    listingModeration,
    listingReview,
    ...accounts,
    deals: dealAdministration,
    forms,
    formDesk: createFormAnswerService({ sql, clock, audit, mailer, inbox: forms }),
    personActions: createPersonActions({ clock, mailer, forms, ...accounts }),
    meetingSpots: createMeetingSpotAdministration({ sql, clock, audit }),
    announcements: createAnnouncementAdministration({ sql, bus, audit }),
    demoData: createDemoAdministration({
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
