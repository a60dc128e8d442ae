import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * Lists the verified addresses of an account with the end of its suspension (null for a permanent one). Returns an
 * empty array if the account is not suspended at the given time.
 */
export const listSuspendedAddresses = (
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<{ email: string; suspended_until: Date | null }[]> => tx<
  { email: string; suspended_until: Date | null }[]
>`
  WITH suspended AS (
    SELECT user_id, confirmed_at, suspended_until FROM private.credentials
    WHERE user_id = ${userId} AND suspended_at IS NOT NULL
      AND (suspended_until IS NULL OR suspended_until > ${now})
  )
  SELECT u.email, s.suspended_until FROM suspended s JOIN users u ON u.id = s.user_id
  WHERE s.confirmed_at IS NOT NULL
  UNION ALL
  SELECT a.email, s.suspended_until FROM suspended s JOIN private.campus_addresses a ON a.user_id = s.user_id
  WHERE a.verified_at IS NOT NULL`;

export const insertSuspendedAddress = async (
  tx: Queryable,
  { hash, until }: { hash: Buffer; until: Date },
): Promise<void> => {
  await tx`
    INSERT INTO private.suspended_addresses AS s (address_hash, until) VALUES (${hash}, ${until})
    ON CONFLICT (address_hash) DO UPDATE SET until = greatest(s.until, excluded.until)`;
};

export const isSuspendedAddress = async (
  sql: Queryable,
  hashes: readonly Buffer[],
  now: Date,
): Promise<boolean> => {
  const { count } = await sql`
    SELECT FROM private.suspended_addresses WHERE address_hash = ANY (${hashes}) AND until > ${now}`;
  return count > 0;
};

export const deleteSuspendedAddresses = async (tx: Queryable, hashes: readonly Buffer[]): Promise<void> => {
  await tx`DELETE FROM private.suspended_addresses WHERE address_hash = ANY (${hashes})`;
};
