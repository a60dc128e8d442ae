import { maxListedSessions, type OwnSession } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { sessionLifetimeSeconds } from './session-authentication.ts';
import { deleteOwnSession, listSessions } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

/** Lists the caller's sessions: the current one first, then the others, most recently used first. */
export const listOwnSessions = async (
  { sql, clock }: App,
  { userId, sessionId }: Session,
): Promise<{ items: OwnSession[] }> => {
  const usedAfter = addSeconds(clock.now(), -sessionLifetimeSeconds);
  const rows = await listSessions(sql, { userId, first: sessionId, usedAfter, limit: maxListedSessions });
  return {
    items: rows.map((row) => ({
      id: row.id,
      device_name: row.device_name,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      is_current: row.id === sessionId,
      awaits_second_factor: row.awaits_second_factor,
    })),
  };
};

/** Ends one of the caller's sessions everywhere. Throws session_not_found when the caller has no such session. */
export const endOwnSession = async (app: App, { userId }: Session, id: string): Promise<void> => {
  if (!(await deleteOwnSession(app.sql, { id, userId }))) throw createProblem('session_not_found');
  await noteSecurityEvent(app, { event: 'session_ended', userId });
  await publishSessionEnd(app, userId, [id]);
};
