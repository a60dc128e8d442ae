import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Returns the SQL condition that the owner of an account can currently use the console: the account has a role, a
 * confirmed address and a second factor (an authenticator app or a passkey), and is not suspended. `credentials` is the table or alias with the
 * account's row of private.credentials.
 */
export const toConsoleAccessSql = (credentials: Fragment) => fragment`(
  ${credentials}.console_role IS NOT NULL AND ${credentials}.suspended_at IS NULL
  AND ${credentials}.confirmed_at IS NOT NULL AND (
    EXISTS (SELECT FROM private.second_factors f
      WHERE f.user_id = ${credentials}.user_id AND f.kind = 'totp' AND f.verified_at IS NOT NULL)
    OR EXISTS (SELECT FROM private.passkeys p WHERE p.user_id = ${credentials}.user_id)))`;

/**
 * Returns the SQL condition that a person can tell that somebody's account exists: it is confirmed, and not suspended
 * unless the two have a conversation. Otherwise nobody could tell a suspended account from a missing one.
 * `credentials` is the table or alias with the account's row of private.credentials.
 */
export const toKnownPersonSql = (credentials: Fragment, viewerId: string) => fragment`(
  ${credentials}.confirmed_at IS NOT NULL AND (${credentials}.suspended_at IS NULL OR EXISTS (
    SELECT FROM conversations WHERE (buyer_id, seller_id) IN (
      (${credentials}.user_id, ${viewerId}::uuid), (${viewerId}::uuid, ${credentials}.user_id)))))`;

/** Returns the SQL condition that a person was a member of the campus and no longer is one. */
export const toFormerMemberSql = (userId: string | Fragment) =>
  fragment`EXISTS (SELECT FROM private.memberships WHERE user_id = ${userId} AND ended_at IS NOT NULL)`;
