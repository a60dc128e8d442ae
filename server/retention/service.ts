import type { AccountDeletion } from '#server/account-deletion/public.ts';
import type { Forms } from '#server/forms/public.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { periods } from './periods.ts';
import { listUnconfirmed, type Removable, removeBefore } from './repository.ts';

export interface RetentionDeps {
  sql: Sql;
  clock: Clock;
  accountDeletion: Pick<AccountDeletion, 'deleteUnconfirmed'>;
  forms: Pick<Forms, 'removeOlderThan'>;
}

/** Sorts before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Removes everything whose retention period has ended. Two runs may overlap in two processes, and a run may be
 * interrupted anywhere; the next one continues.
 */
export const createRetention = ({ sql, clock, accountDeletion, forms }: RetentionDeps) => {
  const endOf = (period: keyof typeof periods): Date => secondsAfter(clock.now(), -periods[period].seconds);

  const removeUnconfirmed = async (): Promise<void> => {
    const before = endOf('unconfirmed');
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
        else if (kind === 'forms') await forms.removeOlderThan(endOf(kind));
        else await removeBefore(sql, kind satisfies Removable, endOf(kind));
      }
    },
  };
};

export type Retention = ReturnType<typeof createRetention>;
