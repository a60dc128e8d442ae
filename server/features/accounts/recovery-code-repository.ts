import type { Queryable } from '#server/platform/postgres/database.ts';

export interface RecoveryCodesRow {
  id: string;
  name: string | null;
  remaining: number;
}

/** Returns the set of recovery codes of an account, or undefined when it has none. */
export const findRecoveryCodes = async (
  sql: Queryable,
  userId: string,
): Promise<RecoveryCodesRow | undefined> => {
  const [row] = await sql<RecoveryCodesRow[]>`
    SELECT f.id, f.name, (SELECT count(*)::int FROM private.recovery_codes c WHERE c.factor_id = f.id) AS remaining
    FROM private.second_factors f
    WHERE f.user_id = ${userId} AND f.kind = 'recovery_code' AND f.verified_at IS NOT NULL`;
  return row;
};

export const insertRecoveryFactor = async (
  tx: Queryable,
  factor: { userId: string; name: string; now: Date },
): Promise<string> => {
  const [row] = await tx<{ id: string }[]>`
    INSERT INTO private.second_factors (user_id, kind, name, created_at, verified_at, updated_at)
    VALUES (${factor.userId}, 'recovery_code', ${factor.name}, ${factor.now}, ${factor.now}, ${factor.now})
    RETURNING id`;
  return (row as { id: string }).id;
};

/** Replaces all recovery codes of a set and resets its count of wrong codes. */
export const replaceRecoveryCodes = async (
  tx: Queryable,
  { id, hashes, now }: { id: string; hashes: readonly Buffer[]; now: Date },
): Promise<void> => {
  await tx`DELETE FROM private.recovery_codes WHERE factor_id = ${id}`;
  for (const hash of hashes)
    await tx`INSERT INTO private.recovery_codes (factor_id, code_hash) VALUES (${id}, ${hash})`;
  await tx`
    UPDATE private.second_factors SET updated_at = ${now}, wrong_codes = 0, last_wrong_at = NULL WHERE id = ${id}`;
};

/**
 * Consumes a recovery code and resets the count of wrong codes. Returns true for exactly one of several concurrent
 * callers, and false for a code that does not exist.
 */
export const consumeRecoveryCode = async (
  tx: Queryable,
  { id, hash }: { id: string; hash: Buffer },
): Promise<boolean> => {
  const { count } = await tx`
    WITH used AS (
      DELETE FROM private.recovery_codes WHERE factor_id = ${id} AND code_hash = ${hash} RETURNING factor_id
    )
    UPDATE private.second_factors f SET wrong_codes = 0, last_wrong_at = NULL FROM used WHERE f.id = used.factor_id`;
  return count > 0;
};
