import type { ConsoleRole } from '#contract/console.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { ActionRow } from './action-repository.ts';

/** An action that was withdrawn before it took effect. */
export interface WithdrawnAction extends Pick<ActionRow, 'case_id' | 'action'> {
  person_id: string | null;
}

/** Withdraws an action before it takes effect. Returns undefined when it was too late. */
export const withdrawAction = async (
  tx: Queryable,
  id: string,
  now: Date,
): Promise<WithdrawnAction | undefined> => {
  const [row] = await tx<WithdrawnAction[]>`
    UPDATE private.moderation_actions a SET undone_at = ${now} FROM private.moderation_cases c
    WHERE a.id = ${id} AND c.id = a.case_id AND a.applied_at IS NULL AND a.undone_at IS NULL
      AND a.takes_effect_at > ${now}
    RETURNING a.case_id, a.action, c.person_id`;
  return row;
};

/** Withdraws an action that has not taken effect, because it cannot be carried out, and stores the reason. */
export const withdrawFailedAction = async (
  sql: Queryable,
  id: string,
  { failure, now }: { failure: string; now: Date },
): Promise<WithdrawnAction | undefined> => {
  const [row] = await sql<WithdrawnAction[]>`
    UPDATE private.moderation_actions a SET undone_at = ${now}, failure = ${failure} FROM private.moderation_cases c
    WHERE a.id = ${id} AND c.id = a.case_id AND a.applied_at IS NULL AND a.undone_at IS NULL
    RETURNING a.case_id, a.action, c.person_id`;
  return row;
};

/** Withdraws all actions of a moderator that have not taken effect, and stores the reason. Skips locked ones. */
export const withdrawWaitingActionsOf = (
  tx: Queryable,
  moderatorId: string,
  { failure, now }: { failure: string; now: Date },
): Promise<WithdrawnAction[]> => tx<WithdrawnAction[]>`
  UPDATE private.moderation_actions a SET undone_at = ${now}, failure = ${failure} FROM private.moderation_cases c
  WHERE c.id = a.case_id AND a.id IN (
    SELECT id FROM private.moderation_actions
    WHERE actor_id = ${moderatorId} AND applied_at IS NULL AND undone_at IS NULL FOR UPDATE SKIP LOCKED)
  RETURNING a.case_id, a.action, c.person_id`;

/** Ends the reservation of a case. */
export const releaseCase = async (tx: Queryable, id: string): Promise<void> => {
  await tx`UPDATE private.moderation_cases SET assigned_to = NULL, assigned_until = NULL WHERE id = ${id}`;
};

/** Ends the reservations of a moderator. Skips locked cases. */
export const releaseCasesOf = async (tx: Queryable, moderatorId: string): Promise<void> => {
  await tx`
    UPDATE private.moderation_cases SET assigned_to = NULL, assigned_until = NULL WHERE id IN (
      SELECT id FROM private.moderation_cases WHERE assigned_to = ${moderatorId} FOR NO KEY UPDATE SKIP LOCKED)`;
};

/** Returns the current role of a moderator, or undefined if they have none, are suspended or have left. */
export const findCurrentRole = async (tx: Queryable, userId: string): Promise<ConsoleRole | undefined> => {
  const [row] = await tx<{ role: ConsoleRole }[]>`
    SELECT console_role AS role FROM private.credentials
    WHERE user_id = ${userId} AND console_role IS NOT NULL AND suspended_at IS NULL`;
  return row?.role;
};
