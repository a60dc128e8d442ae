import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

/** A decision against which the person concerned may appeal. */
export interface AppealableAction
  extends Pick<Tables['moderation_actions'], 'id' | 'case_id' | 'action' | 'applied_at' | 'restored_at'> {
  person_id: string | null;
}

/** Finds a decision by its id or by the hash of the token in an email, and locks its case until the transaction ends. */
export const findAppealableAction = async (
  tx: Queryable,
  by: { id: string } | { hash: Buffer },
): Promise<AppealableAction | undefined> => {
  const [row] = await tx<AppealableAction[]>`
    SELECT a.id, a.case_id, a.action, c.person_id, a.applied_at, a.restored_at
    FROM private.moderation_actions a JOIN private.moderation_cases c ON c.id = a.case_id
    WHERE ${'id' in by ? fragment`a.id = ${by.id}` : fragment`a.appeal_hash = ${by.hash}`}
    FOR NO KEY UPDATE OF c`;
  return row;
};

/** Stores an appeal. Returns false when there is one against this decision already. */
export const insertAppeal = async (
  tx: Queryable,
  appeal: { actionId: string; personId: string; text: string; now: Date },
): Promise<boolean> => {
  const { count } = await tx`
    INSERT INTO private.moderation_appeals (action_id, person_id, appeal_text, created_at)
    VALUES (${appeal.actionId}, ${appeal.personId}, ${appeal.text}, ${appeal.now}) ON CONFLICT DO NOTHING`;
  return count > 0;
};

/**
 * Lists the email addresses of those of the people with these ids who are suspended, and when their suspensions end by
 * themselves, or null.
 */
export const listSuspendedPeople = (
  tx: Queryable,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<{ email: string; suspended_until: Date | null }[]> => tx<
  { email: string; suspended_until: Date | null }[]
>`
  SELECT u.email, c.suspended_until FROM users u JOIN private.credentials c ON c.user_id = u.id
  WHERE u.id = ANY (${[...ids]}::uuid[]) AND c.suspended_at IS NOT NULL
    AND (c.suspended_until IS NULL OR c.suspended_until > ${now})`;

/** Opens a resolved case again because of an appeal. */
export const reopenCase = async (tx: Queryable, id: string, now: Date): Promise<void> => {
  await tx`
    UPDATE private.moderation_cases SET resolved_at = NULL, reopened_at = ${now}, updated_at = ${now},
      risk = greatest(risk, 2), assigned_to = NULL, assigned_until = NULL
    WHERE id = ${id}`;
};
