import type { App } from '#server/app.ts';
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
import { createAuditTrail } from '#server/features/audit/public.ts';
import { createPersonActions } from '#server/features/console/public.ts';
import { createDealSettlingScheduler } from '#server/features/deals/public.ts';
import { createFormInbox, createFormReplyService } from '#server/features/forms/public.ts';
import { createMeetingSpotAdministrationService } from '#server/features/handovers/public.ts';
import {
  approveListingWithin,
  changeTakeDownReasonWithin,
  hideListingsOf,
  requestListingChangesWithin,
  restoreListingWithin,
  showListingsOf,
  takeDownListingWithin,
} from '#server/features/listings/public.ts';
import {
  createCaseRemoval,
  createCaseServices,
  createWaitingActions,
} from '#server/features/moderation/public.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import { createPageInvalidation } from '#server/pages/public.ts';
import { openAccountDeletion } from './open-account-deletion.ts';

/** Creates the services of moderators and administrators, which the console and the commands share. */
export const createAdministrationServices = (app: App) => {
  const { sql, clock, bus, jobs, mail: mailer } = app;
  const { campus, campusOnly } = app.config;
  const { pepper } = app.secrets;
  const audit = createAuditTrail({ sql, clock, pepper, actor: app.actor });
  const base = { sql, clock, audit, notify: createNotifier(jobs), invalidation: createPageInvalidation(bus) };
  const deals = createDealSettlingScheduler(jobs);
  const endWaitingActions = createWaitingActions(base).endAllOf;
  const accounts = {
    accountModeration: createAccountModeration({
      ...base,
      bus,
      mailer,
      listingModeration: {
        hideAllOf: (tx, userId) => hideListingsOf(app, tx, userId),
        showAllOf: (tx, userId) => showListingsOf(app, tx, userId),
      },
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
  const forms = createFormInbox({ sql, clock, audit });
  const cases = createCaseServices({
    ...base,
    jobs,
    mailer,
    assertNotLastAdministrator,
    listings: {
      takeDownWithin: (...args) => takeDownListingWithin(app, ...args),
      requestChangesWithin: (...args) => requestListingChangesWithin(app, ...args),
      changeReasonWithin: (...args) => changeTakeDownReasonWithin(app, ...args),
      restoreWithin: (...args) => restoreListingWithin(app, ...args),
    },
    review: { approveWithin: (...args) => approveListingWithin(app, ...args) },
    accounts: accounts.accountModeration,
  });
  return {
    ...cases,
    people: createPeopleService({ sql }),
    ...accounts,
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
      app,
      audit,
      cases: createCaseRemoval({ sql, jobs }),
      // Delete demo accounts even if this leaves no administrator, because everybody knows the password of
      // the demo accounts.
      deleteAccount: (id) => accounts.deletion.deleteAccount(id, { mayBeLastAdministrator: true }),
    }),
  };
};
