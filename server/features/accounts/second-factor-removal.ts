import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { lockAccount } from './account-repository.ts';
import { removePasskeysWithin } from './passkey-removal.ts';
import { deleteSecondFactors } from './second-factor-repository.ts';
import { deleteWaitingSessions, resetSecondFactorChecks } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

/**
 * Removes the authenticator app and the recovery codes of an account in a transaction, and for an administrator the passkeys,
 * too. Returns the ids of the sessions that the removal ended: those that waited for the second-factor check.
 */
export const removeSecondFactorsWithin = async (
  app: App,
  tx: Transaction,
  userId: string,
  by: 'owner' | 'administrator',
): Promise<string[]> => {
  if (!(await lockAccount(tx, userId))) throw createProblem('second_factor_not_found');
  const hadPasskeys =
    by === 'administrator' && (await removePasskeysWithin(app, tx, { userId, byAdministrator: true }));
  const hadApp = await deleteSecondFactors(tx, userId);
  if (!hadApp && !hadPasskeys) throw createProblem('second_factor_not_found');
  // Without an app no session waits for the check.
  const ended = hadApp ? await deleteWaitingSessions(tx, userId) : [];
  await resetSecondFactorChecks(tx, userId);
  if (!hadApp) return ended;
  await noteSecurityEvent(app, { event: 'second_factor_removed', userId }, tx);
  const facts = { at: app.clock.now().toISOString(), by_administrator: by === 'administrator' };
  await notify(app, tx, 'second_factor_removed', [{ subjectId: null, facts, userIds: [userId] }]);
  return ended;
};

/**
 * Removes the authenticator app, the recovery codes and the passkeys of an account whose owner has lost them, for
 * administrators, and notifies the owner. Throws second_factor_not_found when the account has none.
 */
export const removeLostSecondFactor = async (app: App, userId: string): Promise<void> => {
  const ended = await runInTransaction(app.sql, (tx) =>
    removeSecondFactorsWithin(app, tx, userId, 'administrator'),
  );
  await publishSessionEnd(app, userId, ended);
};
