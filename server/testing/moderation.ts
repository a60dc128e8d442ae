import { type AccountModeration, createAccountModeration } from '#server/features/accounts/public.ts';
import { createAuditTrail } from '#server/features/audit/public.ts';
import { createDealSettlingScheduler } from '#server/features/deals/public.ts';
import { createListingModeration, type ListingModeration } from '#server/features/listings/public.ts';
import { createWaitingActions } from '#server/features/moderation/public.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import { createPageInvalidation } from '#server/pages/public.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import type { TestApp } from './app.ts';

type ModerationDeps = Pick<TestApp, 'sql' | 'clock' | 'jobs'>;

const createDeps = ({ sql, clock, jobs }: ModerationDeps, bus: Bus) => ({
  sql,
  clock,
  invalidation: createPageInvalidation(bus),
  audit: createAuditTrail({ sql, clock, pepper: Buffer.from('pepper') }),
  deals: createDealSettlingScheduler(jobs),
  notify: createNotifier(jobs),
});

/**
 * Creates the service with which moderators take listings down and restore them. It works on a test application and
 * publishes changes of pages on the given bus, by default on one that nobody listens to.
 */
export const createTestListingModeration = (
  testApp: ModerationDeps,
  bus: Bus = createInProcessBus(),
): ListingModeration => createListingModeration(createDeps(testApp, bus));

/**
 * Creates the service with which administrators suspend accounts. It works on a test application and the given bus, by
 * default on one that nobody listens to.
 */
export const createTestAccountModeration = (
  testApp: ModerationDeps & Pick<TestApp, 'mailer'>,
  bus: Bus = createInProcessBus(),
): AccountModeration => {
  const deps = createDeps(testApp, bus);
  return createAccountModeration({
    ...deps,
    bus,
    mailer: testApp.mailer,
    listingModeration: createTestListingModeration(testApp, bus),
    endWaitingActions: createWaitingActions(deps).endAllOf,
  });
};
