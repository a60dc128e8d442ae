import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type SecondFactorKind = 'totp' | 'recovery_code';

/** A second factor as its owner sees it, in the format of the Supabase client. */
export interface AccountFactor {
  id: string;
  factor_type: SecondFactorKind;
  friendly_name: string | null;
  status: 'verified' | 'unverified';
  created_at: string;
  updated_at: string;
}

/** Returns an SQL expression for the JSON array of second factors (`AccountFactor`) of the account `user_id`. */
export const toAccountFactorsSql = (userId: Fragment) => fragment`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'factor_type', f.kind, 'friendly_name', f.name,
      'status', CASE WHEN f.verified_at IS NULL THEN 'unverified' ELSE 'verified' END,
      'created_at', f.created_at, 'updated_at', f.updated_at) ORDER BY f.created_at, f.id), '[]')
    FROM private.second_factors f WHERE f.user_id = ${userId})`;

/** Returns whether an account needs its second factor at every log-in. */
export const hasVerifiedSecondFactor = async (sql: Queryable, userId: string): Promise<boolean> => {
  const { count } = await sql`
    SELECT FROM private.second_factors WHERE user_id = ${userId} AND kind = 'totp' AND verified_at IS NOT NULL`;
  return count > 0;
};

/** Begins the enrollment of an authenticator app in place of an unfinished one, and returns its id. */
export const startTotpEnrollment = async (
  tx: Queryable,
  factor: { userId: string; name: string | null; sealedSecret: string; now: Date },
): Promise<string> => {
  await tx`
    DELETE FROM private.second_factors
    WHERE user_id = ${factor.userId} AND kind = 'totp' AND verified_at IS NULL`;
  const [row] = await tx<{ id: string }[]>`
    INSERT INTO private.second_factors (user_id, kind, name, sealed_secret, created_at, updated_at)
    VALUES (${factor.userId}, 'totp', ${factor.name}, ${factor.sealedSecret}, ${factor.now}, ${factor.now})
    RETURNING id`;
  return (row as { id: string }).id;
};

export interface SecondFactorRow extends Pick<Tables['second_factors'], 'id' | 'kind' | 'verified_at'> {
  /** The encrypted secret of an authenticator app, and null for recovery codes. */
  sealed_secret: Tables['second_factors']['sealed_secret'];
}

export const findFactor = async (
  sql: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<SecondFactorRow | undefined> => {
  const [factor] = await sql<SecondFactorRow[]>`
    SELECT id, kind, verified_at, sealed_secret FROM private.second_factors
    WHERE id = ${id} AND user_id = ${userId}`;
  return factor;
};

/**
 * Creates a challenge for a session and a factor in place of the previous one. Returns the id of the new challenge.
 */
export const replaceChallenge = async (
  sql: Queryable,
  challenge: { sessionId: string; factorId: string; now: Date },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO private.factor_challenges (session_id, factor_id, created_at)
    VALUES (${challenge.sessionId}, ${challenge.factorId}, ${challenge.now})
    ON CONFLICT (session_id, factor_id) DO UPDATE SET id = gen_random_uuid(), created_at = excluded.created_at
    RETURNING id`;
  return (row as { id: string }).id;
};

export const isValidChallenge = async (
  sql: Queryable,
  challenge: { id: string; sessionId: string; factorId: string; after: Date },
): Promise<boolean> => {
  const { count } = await sql`
    SELECT FROM private.factor_challenges
    WHERE id = ${challenge.id} AND session_id = ${challenge.sessionId} AND factor_id = ${challenge.factorId}
      AND created_at > ${challenge.after}`;
  return count > 0;
};

export const deleteChallenge = async (tx: Queryable, id: string): Promise<void> => {
  await tx`DELETE FROM private.factor_challenges WHERE id = ${id}`;
};

/**
 * The delay of the next attempt after wrong codes in a row: none until there are `freeWrongCodes` of them, then a delay
 * that doubles with each further wrong code.
 */
export interface WrongCodeRule {
  freeWrongCodes: number;
  firstDelaySeconds: number;
  maxDoublings: number;
  /** The count of wrong codes is reset when this time has passed since the last wrong code. */
  forgottenAfterSeconds: number;
}

// SQL expression for the earliest time at which a second factor may be tried again, or null when there is no delay.
const nextAttemptAt = (rule: WrongCodeRule) => fragment`
  CASE WHEN wrong_codes >= ${rule.freeWrongCodes}::int
    THEN last_wrong_at + make_interval(secs => ${rule.firstDelaySeconds}::int
      * power(2, least(wrong_codes - ${rule.freeWrongCodes}::int, ${rule.maxDoublings}::int)))
  END`;

/**
 * Counts an attempt as a wrong code before the code is compared, so that parallel attempts cannot exceed the limit.
 * Returns false and counts nothing while attempts are delayed.
 */
export const beginFactorAttempt = async (
  sql: Queryable,
  attempt: { id: string; now: Date; forgottenBefore: Date; rule: WrongCodeRule },
): Promise<boolean> => {
  const { id, now, forgottenBefore, rule } = attempt;
  const { count } = await sql`
    UPDATE private.second_factors SET
      wrong_codes = CASE WHEN last_wrong_at <= ${forgottenBefore} THEN 0 ELSE wrong_codes END + 1,
      last_wrong_at = ${now}
    WHERE id = ${id}
      AND (last_wrong_at <= ${forgottenBefore} OR coalesce(${nextAttemptAt(rule)} <= ${now}, true))`;
  return count > 0;
};

/** Returns when the next attempt is possible, or undefined when it is possible now. */
export const findNextAttemptTime = async (
  sql: Queryable,
  id: string,
  rule: WrongCodeRule,
): Promise<Date | undefined> => {
  const [factor] = await sql<{ at: Date | null }[]>`
    SELECT ${nextAttemptAt(rule)} AS at FROM private.second_factors WHERE id = ${id}`;
  return factor?.at ?? undefined;
};

/**
 * Accepts a correct code: resets the count of wrong codes and finishes an enrollment. Returns false and changes nothing
 * when a code of the same or a later time step was accepted before.
 */
export const acceptTotpCode = async (
  tx: Queryable,
  code: { id: string; step: number; now: Date },
): Promise<boolean> => {
  const { count } = await tx`
    UPDATE private.second_factors SET last_used_step = ${code.step}, wrong_codes = 0, last_wrong_at = NULL,
      updated_at = CASE WHEN verified_at IS NULL THEN ${code.now} ELSE updated_at END,
      verified_at = coalesce(verified_at, ${code.now})
    WHERE id = ${code.id} AND (last_used_step IS NULL OR last_used_step < ${code.step})`;
  return count > 0;
};

/**
 * Deletes all second factors of an account, including the recovery codes. Returns whether one of the factors was a
 * verified authenticator app, whose codes every log-in required.
 */
export const deleteSecondFactors = async (tx: Queryable, userId: string): Promise<boolean> => {
  const rows = await tx<{ verified: boolean }[]>`
    DELETE FROM private.second_factors WHERE user_id = ${userId}
    RETURNING kind = 'totp' AND verified_at IS NOT NULL AS verified`;
  return rows.some(({ verified }) => verified);
};

export const deleteFactor = async (tx: Queryable, id: string): Promise<void> => {
  await tx`DELETE FROM private.second_factors WHERE id = ${id}`;
};
