import { type AccountModeration, createAccountModeration } from '#server/accounts/public.ts';
import { createAuditTrail } from '#server/audit/public.ts';
import { createDealSettlingScheduler } from '#server/deals/public.ts';
import { createListingModeration } from '#server/listings/public.ts';
import { createNotifier } from '#server/notifications/public.ts';
import { createPageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { TestApp } from './app.ts';

/**
 * Creates the service with which administrators suspend accounts. It works on a test application and the
 * given bus.
 */
export const createTestAccountModeration = (
  { sql, clock, jobs, mailer }: TestApp,
  bus: Bus,
): AccountModeration => {
  const invalidation = createPageInvalidation(bus);
  const audit = createAuditTrail({ sql, clock, pepper: Buffer.from('pepper') });
  const [deals, notify] = [createDealSettlingScheduler(jobs), createNotifier(jobs)];
  const listingModeration = createListingModeration({ sql, clock, invalidation, audit, deals, notify });
  return createAccountModeration({
    sql,
    clock,
    bus,
    invalidation,
    listingModeration,
    audit,
    mailer,
    notify,
    deals,
  });
};
