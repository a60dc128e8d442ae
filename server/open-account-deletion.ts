import { type AccountDeletion, createAccountDeletion } from '#server/account-deletion/service.ts';
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Audit } from './audit/service.ts';
import { forgetCounts } from './http/rate-limits.ts';
import { lockListingChanges } from './listings/service.ts';
import { createFileRemoval } from './photos/removal.ts';
import type { Clock } from './platform/clock.ts';
import type { Jobs } from './platform/jobs.ts';

/** Opens account deletion for a process that does not serve, such as a command. */
export const openAccountDeletion = ({
  jobs,
  ...deps
}: {
  jobs: Pick<Jobs, 'enqueue'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  audit: Pick<Audit, 'note'>;
}): AccountDeletion =>
  createAccountDeletion({
    ...deps,
    invalidation: createPageInvalidation(deps.bus),
    listings: { lockListingChanges },
    removeFiles: createFileRemoval(jobs),
    forgetCounts,
  });
