import type { Sql } from '#server/platform/postgres/database.ts';

type Condition = ReturnType<Sql>;

/** Rows per statement; each statement is its own short transaction. */
const batch = 1000;

/** What is removed: the table, its key, and the condition for rows that expired before an instant. */
const removals = {
  // The daily cap counts from no later than the last code's expiry; the index on the time of sending finds the rows.
  codes: ['private.codes', 'email', (sql, before) => sql`sent_at <= ${before} AND expires_at <= ${before}`],
  resetTokens: ['private.reset_tokens', 'user_id', (sql, before) => sql`expires_at <= ${before}`],
  authPasswords: ['private.auth_passwords', 'password_hash', (sql, before) => sql`expires_at <= ${before}`],
  sessions: ['private.sessions', 'id', (sql, before) => sql`last_used_at <= ${before}`],
  refreshTokens: ['private.refresh_tokens', 'token_hash', (sql, before) => sql`replaced_at <= ${before}`],
  rateCounts: ['private.rate_limits', 'key', (sql, before) => sql`expire <= ${before.getTime()}`],
  knownDevices: ['private.known_devices', 'id', (sql, before) => sql`last_used_at <= ${before}`],
  signingKeys: ['private.signing_keys', 'kid', (sql, before) => sql`verifies_until <= ${before}`],
  mailbox: ['private.mailbox', 'id', (sql, before) => sql`created_at <= ${before}`],
  securityEvents: ['private.security_events', 'id', (sql, before) => sql`at <= ${before}`],
  emptyConversations: ['conversations', 'id', (sql, before) => sql`last_seq = 0 AND created_at <= ${before}`],
} satisfies Record<string, [table: string, key: string, isOver: (sql: Sql, before: Date) => Condition]>;

export type Removable = keyof typeof removals;

/** Removes expired rows of a kind in batches; skips rows that are locked elsewhere. */
export const removeBefore = async (sql: Sql, kind: Removable, before: Date): Promise<void> => {
  const [name, key, isOver] = removals[kind];
  const table = sql(name);
  for (;;) {
    const { count } = await sql`
      DELETE FROM ${table} WHERE ${sql(key)} IN (
        SELECT ${sql(key)} FROM ${table} WHERE ${isOver(sql, before)}
        LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
    if (count < batch) return;
  }
};

/** Lists a page of accounts that stayed unconfirmed since before an instant, ordered by id, after a given id. */
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
