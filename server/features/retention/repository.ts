import type { Sql } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, identifier } from '#server/platform/postgres/sql-fragments.ts';

/** Number of rows per DELETE statement; each statement is its own short transaction. */
const rowsPerBatch = 1000;

/**
 * For each kind of expired rows: their table, its primary key, and the condition for rows that expired before
 * a given time.
 */
const expiryRules = {
  // A code's row also holds the daily counts of its email address, so it is deleted only a day
  // after its last code expired. The condition on sent_at is redundant and only allows the query to
  // use an index.
  codes: ['private.codes', 'email', (before) => fragment`sent_at <= ${before} AND expires_at <= ${before}`],
  campusAddresses: [
    'private.campus_addresses',
    'user_id',
    (before) => fragment`verified_at IS NULL AND requested_at <= ${before}`,
  ],
  resetTokens: ['private.reset_tokens', 'user_id', (before) => fragment`expires_at <= ${before}`],
  authPasswords: ['private.auth_passwords', 'password_hash', (before) => fragment`expires_at <= ${before}`],
  signOnFlows: ['private.sign_on_flows', 'token_hash', (before) => fragment`expires_at <= ${before}`],
  passkeyChallenges: ['private.passkey_challenges', 'id', (before) => fragment`expires_at <= ${before}`],
  sessions: ['private.sessions', 'id', (before) => fragment`last_used_at <= ${before}`],
  enrollments: [
    'private.second_factors',
    'id',
    (before) => fragment`verified_at IS NULL AND created_at <= ${before}`,
  ],
  refreshTokens: ['private.refresh_tokens', 'token_hash', (before) => fragment`replaced_at <= ${before}`],
  rateCounts: ['private.rate_limits', 'key', (before) => fragment`expire <= ${before.getTime()}`],
  heartbeats: ['private.replication_heartbeats', 'writer', (before) => fragment`written_at <= ${before}`],
  knownDevices: ['private.known_devices', 'id', (before) => fragment`last_used_at <= ${before}`],
  suspendedAddresses: [
    'private.suspended_addresses',
    'address_hash',
    (before) => fragment`until <= ${before}`,
  ],
  signingKeys: ['private.signing_keys', 'kid', (before) => fragment`verifies_until <= ${before}`],
  mailbox: ['private.mailbox', 'id', (before) => fragment`created_at <= ${before}`],
  securityEvents: ['private.security_events', 'id', (before) => fragment`at <= ${before}`],
  listingPrices: ['listing_prices', 'id', (before) => fragment`until <= ${before}`],
  notifications: ['notifications', 'id', (before) => fragment`created_at <= ${before}`],
  wantedPosts: ['wanted_posts', 'id', (before) => fragment`until <= ${before}::timestamptz::date`],
  emptyConversations: ['conversations', 'id', (before) => fragment`last_seq = 0 AND created_at <= ${before}`],
} satisfies Record<string, [table: string, key: string, isExpired: (before: Date) => Fragment]>;

export type ExpirableRowKind = keyof typeof expiryRules;

/** Deletes expired rows of one kind in batches; skips rows that other transactions have locked. */
export const deleteExpiredRows = async (sql: Sql, kind: ExpirableRowKind, before: Date): Promise<void> => {
  const [name, key, isExpired] = expiryRules[kind];
  const table = identifier(name);
  for (;;) {
    const { count } = await sql`
      DELETE FROM ${table} WHERE ${identifier(key)} IN (
        SELECT ${identifier(key)} FROM ${table} WHERE ${isExpired(before)}
        LIMIT ${rowsPerBatch} FOR UPDATE SKIP LOCKED)`;
    if (count < rowsPerBatch) return;
  }
};

/**
 * Lists the ids of up to 100 unconfirmed accounts that last signed up at or before `before`,
 * ordered by id and starting after the id `after`.
 */
export const listUnconfirmedAccounts = async (
  sql: Sql,
  { before, after }: { before: Date; after: string },
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.credentials
    WHERE confirmed_at IS NULL AND updated_at <= ${before} AND user_id > ${after}
    ORDER BY user_id LIMIT 100`;
  return rows.map(({ user_id }) => user_id);
};
