import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction, type Sql, type Transaction } from '#server/platform/postgres/database.ts';
import { lockAccount } from './account-repository.ts';
import { deleteSecondFactors } from './second-factor-repository.ts';
import { resetSecondFactorChecks } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

interface RemovalDeps {
  clock: Clock;
  audit: Pick<AuditTrail, 'note'>;
  notify: Notifier;
}

/**
 * Creates the function that removes the second factors of an account in a transaction and returns the ids of the
 * sessions that the removal ended.
 */
export const createSecondFactorRemover =
  ({ clock, audit, notify }: RemovalDeps) =>
  async (tx: Transaction, userId: string, by: 'owner' | 'administrator'): Promise<string[]> => {
    if (!(await lockAccount(tx, userId)) || !(await deleteSecondFactors(tx, userId)))
      throw createProblem('second_factor_not_found');
    const ended = await resetSecondFactorChecks(tx, userId);
    await audit.note({ event: 'second_factor_removed', userId }, tx);
    const facts = { at: clock.now().toISOString(), by_administrator: by === 'administrator' };
    await notify(tx, 'second_factor_removed', [{ subjectId: null, facts, userIds: [userId] }]);
    return ended;
  };

/** Creates the service with which administrators help people who lost their second factor. */
export const createSecondFactorAdministrationService = (
  deps: RemovalDeps & { sql: Sql; bus: Pick<Bus, 'publish'> },
) => {
  const remove = createSecondFactorRemover(deps);
  return {
    /**
     * Removes the second factor of an account and notifies its owner. Throws second_factor_not_found when the account
     * has none.
     */
    remove: async (userId: string): Promise<void> => {
      const ended = await runInTransaction(deps.sql, (tx) => remove(tx, userId, 'administrator'));
      await publishSessionEnd(deps.bus, userId, ended);
    },
  };
};

export type SecondFactorAdministrationService = ReturnType<typeof createSecondFactorAdministrationService>;
