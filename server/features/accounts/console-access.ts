import { type ConsoleRole, isConsoleRoleSufficient } from '#contract/console.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction, type Sql, type Transaction } from '#server/platform/postgres/database.ts';
import type { ConsoleRoleCheck } from '#server/platform/process/request-context.ts';
import { findConsoleAccess, setConsoleRole } from './console-access-repository.ts';
import { assertNotLastAdministrator } from './last-administrator.ts';

/**
 * Creates the function that checks whether a session may make a call of the moderation console. It reads the role from
 * the database for every call, so a revoked role stops working immediately. Throws not_authenticated when the session
 * has ended or the account is suspended, role_required when the role is not sufficient, and second_factor_required
 * when the second-factor check was not passed in the session.
 */
export const createConsoleRoleCheck =
  (sql: Sql): ConsoleRoleCheck =>
  async ({ sessionId }, needed) => {
    const access = await findConsoleAccess(sql, sessionId);
    if (!access) throw createProblem('not_authenticated');
    if (!access.role || !isConsoleRoleSufficient(access.role, needed)) throw createProblem('role_required');
    if (!access.hasSecondFactor) throw createProblem('second_factor_required');
    return access.role;
  };

interface ConsoleRolesDeps {
  sql: Sql;
  clock: Clock;
  audit: Pick<AuditTrail, 'note'>;
  notify: Notifier;
  /** Ends the actions of this moderator that have not taken effect. */
  endWaitingActions(tx: Transaction, userId: string): Promise<void>;
}

/** Creates the service with which administrators grant and revoke roles. */
export const createConsoleRoleService = ({
  sql,
  clock,
  audit,
  notify,
  endWaitingActions,
}: ConsoleRolesDeps) => ({
  /**
   * Sets the console role of an account and notifies its owner. A null `role` removes the account's role. Does nothing
   * when the account has this role already. Throws last_administrator when the account would lose the administrator
   * role and no other account can grant roles.
   */
  set: (userId: string, role: ConsoleRole | null): Promise<void> =>
    runInTransaction(sql, async (tx) => {
      if (role === null) await endWaitingActions(tx, userId);
      if (role !== 'administrator') await assertNotLastAdministrator(tx, userId);
      if (!(await setConsoleRole(tx, userId, role))) return;
      await audit.note({ event: 'role_changed', userId, detail: role ?? 'user' }, tx);
      const facts = { at: clock.now().toISOString(), role: role ?? ('user' as const) };
      await notify(tx, 'role_changed', [{ subjectId: null, facts, userIds: [userId] }]);
    }),
});

export type ConsoleRoleService = ReturnType<typeof createConsoleRoleService>;
