import { type ConsoleRole, isConsoleRoleSufficient } from '#contract/console.ts';
import { createProblem } from '#contract/errors.ts';
import { type App, react } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { findConsoleAccess, setConsoleRole } from './console-access-repository.ts';
import { assertNotLastAdministrator } from './last-administrator.ts';

/**
 * Checks whether a session may make a call of the moderation console, and returns the role of its account. Reads the
 * role from the database for every call, so a revoked role stops working immediately. Throws not_authenticated when the
 * session has ended or the account is suspended, role_required when the role is not sufficient, and
 * second_factor_required when the second-factor check was not passed in the session.
 */
export const requireConsoleRole = async (
  { sql }: App,
  { sessionId }: Pick<Session, 'sessionId'>,
  needed: ConsoleRole,
): Promise<ConsoleRole> => {
  const access = await findConsoleAccess(sql, sessionId);
  if (!access) throw createProblem('not_authenticated');
  if (!access.role || !isConsoleRoleSufficient(access.role, needed)) throw createProblem('role_required');
  if (!access.hasSecondFactor) throw createProblem('second_factor_required');
  return access.role;
};

/**
 * Sets the console role of an account and notifies its owner. A null `role` removes the account's role. Does nothing
 * when the account has this role already. Throws last_administrator when the account would lose the administrator
 * role and no other account can grant roles.
 */
export const changeConsoleRole = (app: App, userId: string, role: ConsoleRole | null): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    if (role === null) await react(app, tx, 'before_role_loss', { userId });
    if (role !== 'administrator') await assertNotLastAdministrator(tx, userId);
    if (!(await setConsoleRole(tx, userId, role))) return;
    await noteSecurityEvent(app, { event: 'role_changed', userId, detail: role ?? 'user' }, tx);
    const facts = { at: app.clock.now().toISOString(), role: role ?? ('user' as const) };
    await notify(app, tx, 'role_changed', [{ subjectId: null, facts, userIds: [userId] }]);
  });
