import type { AccountDeletionService } from '#server/features/account-deletion/public.ts';
import type { FormsService } from '#server/features/forms/public.ts';
import type { CaseRemoval } from '#server/features/moderation/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { retentionPeriods } from './periods.ts';
import { deleteExpiredRows, type ExpirableRowKind, listUnconfirmedAccounts } from './repository.ts';

export interface RetentionDeps {
  sql: Sql;
  clock: Clock;
  accountDeletion: Pick<AccountDeletionService, 'deleteUnconfirmed'>;
  forms: Pick<FormsService, 'removeOlderThan'>;
  cases: CaseRemoval;
}

/** An id that sorts before all other ids. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Creates the service that deletes everything whose retention period has ended. Runs in two processes may overlap, and
 * a run may be interrupted at any point; the next run continues.
 */
export const createRetentionService = ({ sql, clock, accountDeletion, forms, cases }: RetentionDeps) => {
  const getExpiry = (period: keyof typeof retentionPeriods): Date =>
    addSeconds(clock.now(), -retentionPeriods[period].seconds);

  const removeUnconfirmed = async (): Promise<void> => {
    const before = getExpiry('unconfirmed');
    for (let after: string | undefined = nilUuid; after !== undefined; ) {
      const ids: string[] = await listUnconfirmedAccounts(sql, { before, after });
      for (const id of ids) await accountDeletion.deleteUnconfirmed(id, before);
      after = ids.at(-1);
    }
  };

  return {
    removeOverdue: async (): Promise<void> => {
      for (const kind of Object.keys(retentionPeriods) as (keyof typeof retentionPeriods)[]) {
        if (kind === 'unconfirmed') await removeUnconfirmed();
        else if (kind === 'forms') await forms.removeOlderThan(getExpiry(kind));
        else if (kind === 'cases') await cases.removeResolvedBefore(getExpiry(kind));
        else await deleteExpiredRows(sql, kind satisfies ExpirableRowKind, getExpiry(kind));
      }
    },
  };
};

export type RetentionService = ReturnType<typeof createRetentionService>;
