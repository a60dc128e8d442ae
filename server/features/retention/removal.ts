import type { App } from '#server/app.ts';
import { deleteUnconfirmedAccount } from '#server/features/account-deletion/public.ts';
import { removeFormsOlderThan } from '#server/features/forms/public.ts';
import { removeCasesResolvedBefore } from '#server/features/moderation/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { retentionPeriods } from './periods.ts';
import { deleteExpiredRows, type ExpirableRowKind, listUnconfirmedAccounts } from './repository.ts';

/** An id that sorts before all other ids. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

const removeUnconfirmedAccounts = async (app: App, before: Date): Promise<void> => {
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    const ids: string[] = await listUnconfirmedAccounts(app.sql, { before, after });
    for (const id of ids) await deleteUnconfirmedAccount(app, id, before);
    after = ids.at(-1);
  }
};

/**
 * Deletes everything whose retention period has ended. Runs in two processes may overlap, and a run may be interrupted
 * at any point; the next run continues.
 */
export const removeOverdueData = async (app: App): Promise<void> => {
  for (const kind of Object.keys(retentionPeriods) as (keyof typeof retentionPeriods)[]) {
    const before = addSeconds(app.clock.now(), -retentionPeriods[kind].seconds);
    if (kind === 'unconfirmed') await removeUnconfirmedAccounts(app, before);
    else if (kind === 'forms') await removeFormsOlderThan(app, before);
    else if (kind === 'cases') await removeCasesResolvedBefore(app, before);
    else await deleteExpiredRows(app.sql, kind satisfies ExpirableRowKind, before);
  }
};
