import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * Returns the SQL condition that the owner of an account can use the console now, with the account's row of
 * private.credentials as `credentials`: a role, a confirmed address, a verified second factor, and no suspension.
 */
export const toCanUseConsoleSql = (sql: Queryable, credentials: ReturnType<Queryable>) => sql`(
  ${credentials}.console_role IS NOT NULL AND ${credentials}.suspended_at IS NULL
  AND ${credentials}.confirmed_at IS NOT NULL AND EXISTS (
    SELECT FROM private.second_factors f
    WHERE f.user_id = ${credentials}.user_id AND f.kind = 'totp' AND f.verified_at IS NOT NULL))`;
