import { iterateRows } from '#server/platform/postgres/cursor.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, json } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface FormRow extends Pick<Tables['forms'], 'id' | 'kind' | 'user_id' | 'email' | 'created_at'> {
  content: Record<string, unknown>;
}

/**
 * Stores a form unless there is one with its id. If the sender's account has been deleted in the meantime, the form is
 * stored without a sender. Returns whether it was stored.
 */
export const insertForm = async (sql: Queryable, row: FormRow): Promise<boolean> => {
  const { count } = await sql`
    INSERT INTO private.forms (id, kind, user_id, email, content, created_at)
    VALUES (${row.id}, ${row.kind}, (SELECT id FROM users WHERE id = ${row.user_id} FOR KEY SHARE), ${row.email},
            ${json(row.content)}, ${row.created_at})
    ON CONFLICT (id) DO NOTHING`;
  return count > 0;
};

export const hasForm = async (sql: Queryable, id: string): Promise<boolean> => {
  const { count } = await sql`SELECT FROM private.forms WHERE id = ${id}`;
  return count > 0;
};

/** Returns those of the keys that are resumes of stored applications. */
export const listReferencedResumes = async (sql: Queryable, keys: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ key: string }[]>`
    SELECT content #>> '{resume,key}' AS key FROM private.forms
    WHERE content #>> '{resume,key}' = ANY (${[...keys]})`;
  return rows.map(({ key }) => key);
};

/** Iterates over the keys of the resume files of all stored applications. */
export async function* listResumeFiles(sql: Queryable): AsyncGenerator<{ key: string; derived: boolean }> {
  const resumes = iterateRows<{ key: string }>(
    sql,
    fragment`
      SELECT content #>> '{resume,key}' AS key FROM private.forms
      WHERE content #>> '{resume,key}' IS NOT NULL`,
  );
  for await (const { key } of resumes) yield { key, derived: false };
}

/**
 * Deletes up to `limit` forms that were marked as done before the given time, or, if they were never done, that arrived
 * before it. Skips rows that other transactions have locked. Returns the resume key of each deleted form, or null.
 */
export const deleteExpiredForms = async (
  tx: Queryable,
  { before, limit }: { before: Date; limit: number },
): Promise<(string | null)[]> => {
  const rows = await tx<{ key: string | null }[]>`
    DELETE FROM private.forms WHERE id IN (
      SELECT id FROM private.forms WHERE coalesce(done_at, created_at) <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING content #>> '{resume,key}' AS key`;
  return rows.map(({ key }) => key);
};
