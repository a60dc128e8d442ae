import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { FormRow } from './repository.ts';

/** A form with its state; it is open until an administrator marks it as done. */
export interface FormSubmission extends FormRow {
  /**
   * Email address of the account that sent the form, or null when nobody was signed in or the account was deleted.
   */
  sender_email: string | null;
  done_at: Date | null;
  /** The actor (see the audit trail) that marked the form as done. */
  done_by: string | null;
}

export interface FormFilter {
  kind: FormRow['kind'] | null;
  state: 'open' | 'done' | 'all';
  /** Id of a form; the result contains only older forms. */
  before: string | null;
  limit: number;
}

/** Lists forms, newest first. */
export const listSubmittedForms = (sql: Queryable, { kind, state, before, limit }: FormFilter) => {
  const inState =
    state === 'all'
      ? fragment`true`
      : state === 'open'
        ? fragment`f.done_at IS NULL`
        : fragment`f.done_at IS NOT NULL`;
  return sql<FormSubmission[]>`
    SELECT f.id, f.kind, f.user_id, f.email, f.content, f.created_at, f.done_at, f.done_by, u.email AS sender_email
    FROM private.forms f LEFT JOIN users u ON u.id = f.user_id
    WHERE ${inState} AND ${kind === null ? fragment`true` : fragment`f.kind = ${kind}`}
      AND (${before}::uuid IS NULL
        OR (f.created_at, f.id) < (SELECT created_at, id FROM private.forms WHERE id = ${before}))
    ORDER BY f.created_at DESC, f.id DESC LIMIT ${limit}`;
};

export const findForm = async (sql: Queryable, id: string): Promise<FormSubmission | undefined> => {
  const [form] = await sql<FormSubmission[]>`
    SELECT f.id, f.kind, f.user_id, f.email, f.content, f.created_at, f.done_at, f.done_by, u.email AS sender_email
    FROM private.forms f LEFT JOIN users u ON u.id = f.user_id WHERE f.id = ${id}`;
  return form;
};

/** Marks a form as done, or as open if `done` is null. Returns false when it already had that state. */
export const setFormDone = async (
  sql: Queryable,
  id: string,
  done: { at: Date; by: string } | null,
): Promise<boolean> => {
  const { count } = await sql`
    UPDATE private.forms SET done_at = ${done?.at ?? null}, done_by = ${done?.by ?? null}
    WHERE id = ${id} AND (done_at IS NULL) = ${done !== null}`;
  return count > 0;
};
