import { type ConsoleRole, isConsoleRoleSufficient } from '#contract/console.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/audit/public.ts';
import type { Notifier } from '#server/notifications/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { ConsoleRoleCheck } from '#server/platform/process/request-context.ts';
import { findConsoleAccess, setConsoleRole } from './console-access-repository.ts';
import { assertNotLastAdministrator } from './last-administrator.ts';

/**
 * Creates the function that checks whether a session may make a call of the moderation console. It reads the role from
 * the database for every call, so a revoked role stops working immediately. Throws role_required, and
 * second_factor_required when the session has no second factor.
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
}

/** Creates the service with which administrators grant and take away roles. */
export const createConsoleRoleService = ({ sql, clock, audit, notify }: ConsoleRolesDeps) => ({
  /**
   * Sets the console role of an account and notifies its owner; null removes the role. Throws last_administrator when
   * nobody would be left who can grant roles.
   */
  set: (userId: string, role: ConsoleRole | null): Promise<void> =>
    runInTransaction(sql, async (tx) => {
      if (role !== 'administrator') await assertNotLastAdministrator(tx, userId);
      await setConsoleRole(tx, userId, role);
      await audit.note({ event: 'role_changed', userId, detail: role ?? 'user' }, tx);
      const facts = { at: clock.now().toISOString(), role: role ?? ('user' as const) };
      await notify(tx, 'role_changed', [{ subjectId: userId, facts, userIds: [userId] }]);
    }),
});

export type ConsoleRoleService = ReturnType<typeof createConsoleRoleService>;
