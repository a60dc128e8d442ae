import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * Inserts an account without a password or a name and returns its id, or undefined when the email address already has
 * an account.
 */
export const insertAccountWithoutPassword = async (
  sql: Queryable,
  { email, now }: { email: string; now: Date },
): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    WITH person AS (
      INSERT INTO users (email, created_at, updated_at) VALUES (${email}, ${now}, ${now})
      ON CONFLICT (email) DO NOTHING
      RETURNING id
    )
    INSERT INTO private.credentials (user_id, updated_at) SELECT id, ${now} FROM person
    RETURNING user_id`;
  return row?.user_id;
};
