import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

/**
 * Replaces the code for an email address. Returns false and changes nothing while the cooldown lasts or when the
 * daily limit is used up.
 */
export const replaceCode = async (
  sql: Queryable,
  code: {
    email: string;
    purpose: 'signup' | 'otp';
    hash: Buffer;
    now: Date;
    expiresAt: Date;
    /** The cooldown has passed if the previous code was sent at or before this time. */
    cooledAt: Date;
    /** Daily counts that started at or before this time are reset. */
    dayAgo: Date;
    maxCodesPerDay: number;
    attempts: number;
    /**
     * Whether to skip the cooldown if the previous code cannot confirm a sign-up, because it is
     * used up or was created before the account existed.
     */
    replaceUnusable: boolean;
    /**
     * Whether the code counts toward the daily limit of the address; requests from a known device have their own
     * budget.
     */
    counted: boolean;
  },
): Promise<boolean> => {
  const rows = await sql`
    INSERT INTO private.codes AS c
      (email, purpose, code_hash, sent_at, expires_at, day_started, day_codes)
    VALUES (${code.email}, ${code.purpose}, ${code.hash}, ${code.now}, ${code.expiresAt}, ${code.now},
      ${code.counted ? 1 : 0})
    ON CONFLICT (email) DO UPDATE SET
      purpose = excluded.purpose,
      code_hash = excluded.code_hash,
      attempts = 0,
      sent_at = excluded.sent_at,
      expires_at = excluded.expires_at,
      day_started = CASE WHEN c.day_started <= ${code.dayAgo} THEN excluded.day_started ELSE c.day_started END,
      day_attempts = CASE WHEN c.day_started <= ${code.dayAgo} THEN 0 ELSE c.day_attempts END,
      day_codes = CASE WHEN c.day_started <= ${code.dayAgo} THEN 0 ELSE c.day_codes END + excluded.day_codes
    WHERE (c.sent_at <= ${code.cooledAt} OR c.sent_at > ${code.now}
        OR (${code.replaceUnusable}
          AND (c.purpose <> 'signup' OR c.code_hash IS NULL OR c.attempts >= ${code.attempts})))
      AND (NOT ${code.counted} OR c.day_started <= ${code.dayAgo} OR c.day_codes < ${code.maxCodesPerDay})
    RETURNING email`;
  return rows.length > 0;
};

export interface CodeState {
  purpose: 'signup' | 'otp';
  code_hash: Buffer | null;
  attempts: number;
  sent_at: Date;
  expires_at: Date;
  day_started: Date;
  day_attempts: number;
  day_codes: number;
}

export const findCode = async (sql: Queryable, email: string): Promise<CodeState | undefined> => {
  const [state] = await sql<CodeState[]>`
    SELECT purpose, code_hash, attempts, sent_at, expires_at, day_started, day_attempts, day_codes
    FROM private.codes WHERE email = ${email}`;
  return state;
};

/**
 * Counts an attempt at the valid code and returns the code's hash, or undefined when no attempts are left or there is
 * no valid code. `counted` states whether the attempt also counts toward the daily limit of the email address.
 */
export const consumeCodeAttempt = async (
  sql: Queryable,
  attempt: {
    email: string;
    now: Date;
    dayAgo: Date;
    attempts: number;
    maxAttemptsPerDay: number;
    counted: boolean;
  },
): Promise<Buffer | undefined> => {
  const { dayAgo, counted } = attempt;
  const [row] = await sql<{ code_hash: Buffer }[]>`
    UPDATE private.codes SET
      attempts = attempts + 1,
      day_attempts = CASE WHEN day_started <= ${dayAgo} THEN 0 ELSE day_attempts END + ${counted ? 1 : 0},
      day_codes = CASE WHEN day_started <= ${dayAgo} THEN 0 ELSE day_codes END,
      day_started = CASE WHEN day_started <= ${dayAgo} THEN ${attempt.now} ELSE day_started END
    WHERE email = ${attempt.email} AND code_hash IS NOT NULL AND expires_at > ${attempt.now}
      AND attempts < ${attempt.attempts}
      AND (NOT ${counted} OR day_started <= ${dayAgo} OR day_attempts < ${attempt.maxAttemptsPerDay})
    RETURNING code_hash`;
  return row?.code_hash;
};

/**
 * Consumes a correct code and removes its attempt from the daily count. Returns true for exactly one of several
 * concurrent callers.
 */
export const consumeCode = async (
  sql: Queryable,
  code: { email: string; hash: Buffer; counted: boolean },
): Promise<boolean> => {
  const rows = await sql`
    UPDATE private.codes SET code_hash = NULL, day_attempts = day_attempts - ${code.counted ? 1 : 0}
    WHERE email = ${code.email} AND code_hash = ${code.hash}
    RETURNING email`;
  return rows.length > 0;
};

/**
 * Stores an auth password. Returns false and stores nothing when the account no longer has the password with the hash
 * `accountPasswordHash`, because it was changed while the log-in was checked.
 */
export const insertAuthPassword = async (
  sql: Queryable,
  credential: {
    hash: Buffer;
    userId: string;
    accountPasswordHash: string | null;
    method: string;
    expiresAt: Date;
    /** When the person entered their credentials elsewhere, if this is known. */
    authenticatedAt?: Date | null;
  },
): Promise<boolean> => {
  const { count } = await sql`
    INSERT INTO private.auth_passwords (password_hash, user_id, method, expires_at, authenticated_at)
    SELECT ${credential.hash}, user_id, ${credential.method}, ${credential.expiresAt}, ${credential.authenticatedAt ?? null}::timestamptz
    FROM private.credentials
    WHERE user_id = ${credential.userId} AND password_hash IS NOT DISTINCT FROM ${credential.accountPasswordHash}
    FOR SHARE`;
  return count > 0;
};

/**
 * Deletes an auth password, the one-time password that a log-in returns, and returns the account for which it was
 * issued. Only one of several concurrent callers gets the account; the others get undefined. The account's row is
 * locked first, in the same order as when an account is suspended or its password is changed, to avoid deadlocks.
 */
export const consumeAuthPassword = async (
  sql: Queryable,
  hash: Buffer,
): Promise<Omit<Tables['auth_passwords'], 'password_hash'> | undefined> => {
  const [row] = await sql<Omit<Tables['auth_passwords'], 'password_hash'>[]>`
    WITH issued AS (
      SELECT a.password_hash FROM private.auth_passwords a JOIN private.credentials c ON c.user_id = a.user_id
      WHERE a.password_hash = ${hash} FOR SHARE OF c
    )
    DELETE FROM private.auth_passwords a USING issued WHERE a.password_hash = issued.password_hash
    RETURNING a.user_id, a.method, a.expires_at, a.authenticated_at`;
  return row;
};

/** Returns the id of the account for which an auth password was issued, even if the password has expired. */
export const findAuthPasswordOwner = async (sql: Queryable, hash: Buffer): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.auth_passwords WHERE password_hash = ${hash}`;
  return row?.user_id;
};

/**
 * Stores a new reset link in place of the account's previous one. Returns false within the cooldown of the previous
 * link or when the email address has no account.
 */
export const replaceResetToken = async (
  sql: Queryable,
  token: { email: string; hash: Buffer; expiresAt: Date; cooledExpiry: Date },
): Promise<boolean> => {
  const rows = await sql`
    INSERT INTO private.reset_tokens AS t (user_id, token_hash, expires_at)
    SELECT id, ${token.hash}, ${token.expiresAt} FROM users WHERE email = ${token.email}
    ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at
    WHERE t.expires_at <= ${token.cooledExpiry}
    RETURNING user_id`;
  return rows.length > 0;
};

export const isValidResetToken = async (sql: Queryable, hash: Buffer, now: Date): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.reset_tokens WHERE token_hash = ${hash} AND expires_at > ${now}`;
  return rows.length > 0;
};

/** Consumes a valid reset link and returns its account id. Succeeds for exactly one of several concurrent callers. */
export const consumeResetToken = async (
  sql: Queryable,
  hash: Buffer,
  now: Date,
): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    DELETE FROM private.reset_tokens WHERE token_hash = ${hash} AND expires_at > ${now} RETURNING user_id`;
  return row?.user_id;
};
