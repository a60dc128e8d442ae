import type { Queryable } from '#server/platform/database.ts';

export interface Account {
  id: string;
  email: string;
  full_name: string | null;
  password_hash: string | null;
  confirmed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const findAccountByEmail = async (sql: Queryable, email: string): Promise<Account | undefined> => {
  const [account] = await sql<Account[]>`
    SELECT u.id, u.email, u.full_name, c.password_hash, c.confirmed_at, u.created_at, u.updated_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.email = ${email}`;
  return account;
};

export const findAccount = async (sql: Queryable, id: string): Promise<Account | undefined> => {
  const [account] = await sql<Account[]>`
    SELECT u.id, u.email, u.full_name, c.password_hash, c.confirmed_at, u.created_at, u.updated_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.id = ${id}`;
  return account;
};

/** Answers the new account's id; undefined when the address already has one. */
export const insertAccount = async (
  sql: Queryable,
  account: { email: string; fullName: string | null; passwordHash: string; now: Date },
): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    WITH person AS (
      INSERT INTO users (email, full_name, created_at, updated_at)
      VALUES (${account.email}, ${account.fullName}, ${account.now}, ${account.now})
      ON CONFLICT (email) DO NOTHING
      RETURNING id
    )
    INSERT INTO private.credentials (user_id, password_hash, updated_at)
    SELECT id, ${account.passwordHash}, ${account.now} FROM person
    RETURNING user_id`;
  return row?.user_id;
};

/** Changes a sign-up that nobody has confirmed yet; false when it has been confirmed meanwhile. */
export const changeUnconfirmed = async (
  sql: Queryable,
  change: { userId: string; fullName: string | null; passwordHash: string | null; now: Date },
): Promise<boolean> => {
  const rows = await sql`
    WITH pending AS (
      UPDATE private.credentials SET password_hash = ${change.passwordHash}, updated_at = ${change.now}
      WHERE user_id = ${change.userId} AND confirmed_at IS NULL
      RETURNING user_id
    )
    UPDATE users SET full_name = coalesce(${change.fullName}, full_name), updated_at = ${change.now}
    FROM pending WHERE users.id = pending.user_id
    RETURNING users.id`;
  return rows.length > 0;
};

/** Notes that the address is its owner's; a campus address makes the person verified. */
export const confirmAccount = async (
  sql: Queryable,
  account: { userId: string; campusAddress: boolean; now: Date },
): Promise<void> => {
  await sql`
    WITH confirmed AS (
      UPDATE private.credentials SET confirmed_at = ${account.now}, updated_at = ${account.now}
      WHERE user_id = ${account.userId} AND confirmed_at IS NULL
      RETURNING user_id
    )
    UPDATE users SET usc_verified = ${account.campusAddress}, updated_at = ${account.now}
    FROM confirmed WHERE users.id = confirmed.user_id`;
};

export const setPassword = async (
  sql: Queryable,
  change: { userId: string; passwordHash: string; now: Date },
): Promise<void> => {
  await sql`
    UPDATE private.credentials SET password_hash = ${change.passwordHash}, updated_at = ${change.now}
    WHERE user_id = ${change.userId}`;
};

export const setFullName = async (
  sql: Queryable,
  change: { userId: string; fullName: string; now: Date },
): Promise<void> => {
  await sql`
    UPDATE users SET full_name = ${change.fullName}, updated_at = ${change.now} WHERE id = ${change.userId}`;
};
