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

/** Iterates over the files that stored applications refer to. */
export async function* listResumeFiles(sql: Queryable): AsyncGenerator<{ key: string; derived: boolean }> {
  const batches = sql<{ key: string }[]>`
    SELECT content #>> '{resume,key}' AS key FROM private.forms
    WHERE content #>> '{resume,key}' IS NOT NULL`.cursor(200);
  for await (const rows of batches) for (const { key } of rows) yield { key, derived: false };
}
