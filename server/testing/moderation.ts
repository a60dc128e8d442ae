import { createAuditTrail } from '#server/features/audit/public.ts';
import { createDealSettlingScheduler } from '#server/features/deals/public.ts';
import {
  hideListingsOf,
  requestListingChangesWithin,
  restoreListing,
  showListingsOf,
  takeDownListing,
} from '#server/features/listings/public.ts';
import { createWaitingActions } from '#server/features/moderation/public.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import { createPageInvalidation } from '#server/pages/public.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import type { TestApp } from './app.ts';

/**
 * Returns the functions with which moderators take listings down and restore them. They work on a test application and
 * publish changes of pages on the given bus, by default on one that nobody listens to.
 */
export const createTestListingModeration = (
  testApp: Pick<TestApp, 'app'>,
  bus: Bus = createInProcessBus(),
) => {
  const app = { ...testApp.app, bus };
  return {
    takeDown: (name: string, reason: string) => takeDownListing(app, name, reason),
    restore: (name: string) => restoreListing(app, name),
    requestChangesWithin: (tx: Transaction, id: string, reason: string) =>
      requestListingChangesWithin(app, tx, id, reason),
  };
};

/**
 * Creates the service with which administrators suspend accounts. It works on a test application and the given bus, by
 * default on one that nobody listens to.
 */
export const createTestAccountModeration = (
  { app, sql, clock, jobs, mailer }: Pick<TestApp, 'app' | 'sql' | 'clock' | 'jobs' | 'mailer'>,
  bus: Bus = createInProcessBus(),
): AccountModeration => {
  const audit = createAuditTrail({ sql, clock, pepper: Buffer.from('pepper') });
  return createAccountModeration({
    sql,
    clock,
    invalidation: createPageInvalidation(bus),
    audit,
    deals: createDealSettlingScheduler(jobs),
    notify: createNotifier(jobs),
    bus,
    mailer,
    listingModeration: {
      hideAllOf: (tx, userId) => hideListingsOf(app, tx, userId),
      showAllOf: (tx, userId) => showListingsOf(app, tx, userId),
    },
    endWaitingActions: createWaitingActions({ clock, audit }).endAllOf,
  });
};
