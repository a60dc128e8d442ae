import type { Queryable } from '#server/platform/postgres/database.ts';

export interface FormRow {
  id: string;
  kind: 'report' | 'contact' | 'application' | 'deletion-request';
  user_id: string | null;
  email: string | null;
  content: Record<string, unknown>;
  created_at: Date;
}

/** Stores a form, without a sender when the account was deleted in the meantime. */
export const insertForm = async (sql: Queryable, row: FormRow): Promise<void> => {
  await sql`
    INSERT INTO private.forms (id, kind, user_id, email, content, created_at)
    VALUES (${row.id}, ${row.kind}, (SELECT id FROM users WHERE id = ${row.user_id} FOR KEY SHARE), ${row.email},
            ${sql.json(row.content as never)}, ${row.created_at})`;
};

/** Yields the keys of all stored resumes in batches. */
export const readResumeKeys = (sql: Queryable): AsyncIterable<{ key: string }[]> =>
  sql<{ key: string }[]>`
    SELECT content #>> '{resume,key}' AS key FROM private.forms WHERE content #>> '{resume,key}' IS NOT NULL`.cursor(
    200,
  );
