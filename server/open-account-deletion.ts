import { type AccountDeletionService, createAccountDeletion } from '#server/account-deletion/public.ts';
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { assertNotLastAdministrator, createSuspendedAddresses } from './accounts/public.ts';
import type { Audit } from './audit/public.ts';
import { createDealHooks } from './deals/public.ts';
import { lockListingChanges } from './listings/public.ts';
import { createFileRemoval } from './photos/public.ts';
import type { Clock } from './platform/clock.ts';
import type { Jobs } from './platform/jobs.ts';
import { deleteRateLimitCounts } from './platform/rate-limits.ts';

/** Creates the account deletion service with its dependencies on other features, for the server and for commands. */
export const openAccountDeletion = ({
  jobs,
  pepper,
  ...deps
}: {
  jobs: Pick<Jobs, 'enqueue'>;
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
  bus: Bus;
  audit: Pick<Audit, 'note'>;
}): AccountDeletionService =>
  createAccountDeletion({
    ...deps,
    invalidation: createPageInvalidation(deps.bus),
    listings: { lockListingChanges },
    deals: createDealHooks(jobs),
    removeFiles: createFileRemoval(jobs),
    assertNotLastAdministrator,
    keepSuspendedAddresses: createSuspendedAddresses({ clock: deps.clock, pepper }).keep,
    deleteRateLimitCounts,
  });
