import type { Sql } from '#server/platform/database.ts';

/** Rows of one statement: each is a short transaction of its own. */
const batch = 1000;

/** A statement that removes at most `limit` rows and answers how many; rows another process holds are left to it. */
type Removal = (sql: Sql, before: Date, limit: number) => Promise<{ count: number }>;

const removals = {
  // The daily cap counts from no later than the last code's expiry; by when it was sent the index finds the rows.
  codes: (sql, before, limit) => sql`
    DELETE FROM private.codes WHERE email IN (
      SELECT email FROM private.codes
      WHERE sent_at <= ${before} AND expires_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  resetTokens: (sql, before, limit) => sql`
    DELETE FROM private.reset_tokens WHERE user_id IN (
      SELECT user_id FROM private.reset_tokens WHERE expires_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  authPasswords: (sql, before, limit) => sql`
    DELETE FROM private.auth_passwords WHERE password_hash IN (
      SELECT password_hash FROM private.auth_passwords WHERE expires_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  sessions: (sql, before, limit) => sql`
    DELETE FROM private.sessions WHERE id IN (
      SELECT id FROM private.sessions WHERE last_used_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  refreshTokens: (sql, before, limit) => sql`
    DELETE FROM private.refresh_tokens WHERE token_hash IN (
      SELECT token_hash FROM private.refresh_tokens WHERE replaced_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  rateCounts: (sql, before, limit) => sql`
    DELETE FROM private.rate_limits WHERE key IN (
      SELECT key FROM private.rate_limits WHERE expire <= ${before.getTime()}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  mailbox: (sql, before, limit) => sql`
    DELETE FROM private.mailbox WHERE id IN (
      SELECT id FROM private.mailbox WHERE created_at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  securityEvents: (sql, before, limit) => sql`
    DELETE FROM private.security_events WHERE id IN (
      SELECT id FROM private.security_events WHERE at <= ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
} satisfies Record<string, Removal>;

export type Removable = keyof typeof removals;

/** Removes everything of a kind whose moment lies before an instant, a batch at a time. */
export const removeBefore = async (sql: Sql, kind: Removable, before: Date): Promise<void> => {
  for (;;) {
    const { count } = await removals[kind](sql, before, batch);
    if (count < batch) return;
  }
};

/** Accounts that nobody has confirmed since an instant, in the order of their ids, those after one. */
export const listUnconfirmed = async (
  sql: Sql,
  { before, after }: { before: Date; after: string },
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.credentials
    WHERE confirmed_at IS NULL AND updated_at <= ${before} AND user_id > ${after}
    ORDER BY user_id LIMIT 100`;
  return rows.map(({ user_id }) => user_id);
};
