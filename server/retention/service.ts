import type { AccountDeletion } from '#server/account-deletion/public.ts';
import type { Forms } from '#server/forms/public.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { periods } from './periods.ts';
import { deleteExpired, listUnconfirmed, type RemovableKind } from './repository.ts';

export interface RetentionDeps {
  sql: Sql;
  clock: Clock;
  accountDeletion: Pick<AccountDeletion, 'deleteUnconfirmed'>;
  forms: Pick<Forms, 'removeOlderThan'>;
}

/** An id that sorts before all other ids. */
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Creates the service that deletes everything whose retention period has ended. Runs in two processes may overlap, and
 * a run may be interrupted at any point; the next run continues.
 */
export const createRetention = ({ sql, clock, accountDeletion, forms }: RetentionDeps) => {
  const getExpiry = (period: keyof typeof periods): Date =>
    secondsAfter(clock.now(), -periods[period].seconds);

  const removeUnconfirmed = async (): Promise<void> => {
    const before = getExpiry('unconfirmed');
    for (let after: string | undefined = firstId; after !== undefined; ) {
      const ids: string[] = await listUnconfirmed(sql, { before, after });
      for (const id of ids) await accountDeletion.deleteUnconfirmed(id, before);
      after = ids.at(-1);
    }
  };

  return {
    removeOverdue: async (): Promise<void> => {
      for (const kind of Object.keys(periods) as (keyof typeof periods)[]) {
        if (kind === 'unconfirmed') await removeUnconfirmed();
        else if (kind === 'forms') await forms.removeOlderThan(getExpiry(kind));
        else await deleteExpired(sql, kind satisfies RemovableKind, getExpiry(kind));
      }
    },
  };
};

export type Retention = ReturnType<typeof createRetention>;
