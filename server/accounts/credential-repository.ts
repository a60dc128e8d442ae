import type { Queryable } from '#server/platform/database.ts';

/**
 * Puts a new code in the place of the address's older one. False, and nothing changed, while the cooldown or the
 * daily cap forbids it.
 */
export const replaceCode = async (
  sql: Queryable,
  code: {
    email: string;
    purpose: 'signup' | 'otp';
    hash: Buffer;
    now: Date;
    expiresAt: Date;
    /** Nothing sent after this instant: the cooldown is over. */
    cooledAt: Date;
    /** A day begun before this instant is over. */
    dayAgo: Date;
    codesADay: number;
    /** Tries that a code may be given. */
    attempts: number;
    /** Skips the cooldown for a code that can confirm no sign-up: used up, or made before there was an account. */
    replaceUnusable: boolean;
  },
): Promise<boolean> => {
  const rows = await sql`
    INSERT INTO private.codes AS c
      (email, purpose, code_hash, sent_at, expires_at, day_started, day_codes)
    VALUES (${code.email}, ${code.purpose}, ${code.hash}, ${code.now}, ${code.expiresAt}, ${code.now}, 1)
    ON CONFLICT (email) DO UPDATE SET
      purpose = excluded.purpose,
      code_hash = excluded.code_hash,
      attempts = 0,
      sent_at = excluded.sent_at,
      expires_at = excluded.expires_at,
      day_started = CASE WHEN c.day_started <= ${code.dayAgo} THEN excluded.day_started ELSE c.day_started END,
      day_attempts = CASE WHEN c.day_started <= ${code.dayAgo} THEN 0 ELSE c.day_attempts END,
      day_codes = CASE WHEN c.day_started <= ${code.dayAgo} THEN 1 ELSE c.day_codes + 1 END
    WHERE (c.sent_at <= ${code.cooledAt} OR c.sent_at > ${code.now}
        OR (${code.replaceUnusable}
          AND (c.purpose <> 'signup' OR c.code_hash IS NULL OR c.attempts >= ${code.attempts})))
      AND (c.day_started <= ${code.dayAgo} OR c.day_codes < ${code.codesADay})
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

/** Uses up one try of the living code and answers its hash; undefined when there is no try left (or no code). */
export const takeAttempt = async (
  sql: Queryable,
  attempt: { email: string; now: Date; dayAgo: Date; attempts: number; attemptsADay: number },
): Promise<Buffer | undefined> => {
  const [row] = await sql<{ code_hash: Buffer }[]>`
    UPDATE private.codes SET
      attempts = attempts + 1,
      day_attempts = CASE WHEN day_started <= ${attempt.dayAgo} THEN 1 ELSE day_attempts + 1 END,
      day_codes = CASE WHEN day_started <= ${attempt.dayAgo} THEN 0 ELSE day_codes END,
      day_started = CASE WHEN day_started <= ${attempt.dayAgo} THEN ${attempt.now} ELSE day_started END
    WHERE email = ${attempt.email} AND code_hash IS NOT NULL AND expires_at > ${attempt.now}
      AND attempts < ${attempt.attempts}
      AND (day_started <= ${attempt.dayAgo} OR day_attempts < ${attempt.attemptsADay})
    RETURNING code_hash`;
  return row?.code_hash;
};

/** Uses a code up, giving the try back; true for exactly one caller. */
export const consumeCode = async (sql: Queryable, email: string, hash: Buffer): Promise<boolean> => {
  const rows = await sql`
    UPDATE private.codes SET code_hash = NULL, day_attempts = day_attempts - 1
    WHERE email = ${email} AND code_hash = ${hash}
    RETURNING email`;
  return rows.length > 0;
};

export const insertAuthPassword = async (
  sql: Queryable,
  credential: { hash: Buffer; userId: string; method: string; expiresAt: Date },
): Promise<void> => {
  await sql`
    INSERT INTO private.auth_passwords (password_hash, user_id, method, expires_at)
    VALUES (${credential.hash}, ${credential.userId}, ${credential.method}, ${credential.expiresAt})`;
};

/** Takes a hidden credential out of the world and answers whose it was; for exactly one caller. */
export const takeAuthPassword = async (
  sql: Queryable,
  hash: Buffer,
): Promise<{ user_id: string; method: string; expires_at: Date } | undefined> => {
  const [row] = await sql<{ user_id: string; method: string; expires_at: Date }[]>`
    DELETE FROM private.auth_passwords WHERE password_hash = ${hash} RETURNING user_id, method, expires_at`;
  return row;
};

/** Makes the link of a person; false when the last one is younger than the cooldown or there is no such account. */
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

/** Uses a link up and answers whose it was; for exactly one caller, and only while it lives. */
export const takeResetToken = async (
  sql: Queryable,
  hash: Buffer,
  now: Date,
): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    DELETE FROM private.reset_tokens WHERE token_hash = ${hash} AND expires_at > ${now} RETURNING user_id`;
  return row?.user_id;
};
