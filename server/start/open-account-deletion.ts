import { type CampusMailboxes, toCanonicalEmail } from '#contract/campus.ts';
import {
  type AccountDeletionService,
  createAccountDeletion,
} from '#server/features/account-deletion/public.ts';
import {
  assertNotLastAdministrator,
  createSuspendedAddressService,
} from '#server/features/accounts/public.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import { createDealSettlingScheduler } from '#server/features/deals/public.ts';
import { lockListingChanges } from '#server/features/listings/public.ts';
import { createWaitingActions } from '#server/features/moderation/public.ts';
import { createFileRemovalScheduler } from '#server/features/photos/public.ts';
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { deleteRateLimitCounts } from '#server/platform/rate-limits.ts';

/** Creates the account deletion service with its dependencies on other features, for the server and for commands. */
export const openAccountDeletion = ({
  jobs,
  pepper,
  campus,
  ...deps
}: {
  campus: CampusMailboxes;
  jobs: Pick<JobQueue, 'enqueue'>;
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
  bus: Bus;
  audit: Pick<AuditTrail, 'note'>;
}): AccountDeletionService =>
  createAccountDeletion({
    ...deps,
    toMailbox: (email) => toCanonicalEmail(campus, email),
    invalidation: createPageInvalidation(deps.bus),
    listings: { lockListingChanges },
    deals: createDealSettlingScheduler(jobs),
    removeFiles: createFileRemovalScheduler(jobs),
    assertNotLastAdministrator,
    endWaitingActions: createWaitingActions(deps).endAllOf,
    keepSuspendedAddresses: createSuspendedAddressService({ clock: deps.clock, pepper, campus }).keep,
    deleteRateLimitCounts,
  });
