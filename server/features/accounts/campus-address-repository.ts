import { type CampusMailboxes, isSameMailbox } from '#contract/campus.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import { toMailboxKeySql } from './mailbox-repository.ts';

/** A campus email address that a person added to an account that logs in with another address. */
export interface AddedCampusAddress {
  email: string;
  /** When the person entered the code mailed to this address, or null until then. */
  verified_at: Date | null;
}

export const findAddedCampusAddress = async (
  sql: Queryable,
  userId: string,
): Promise<AddedCampusAddress | undefined> => {
  const [row] = await sql<AddedCampusAddress[]>`
    SELECT email, verified_at FROM private.campus_addresses WHERE user_id = ${userId}`;
  return row;
};

/** The parts of an account that determine whether it may add a campus address. */
export interface BadgeEligibility {
  email: string;
  usc_verified: boolean;
  /** When an administrator removed the badge, or null if none did. */
  badge_removed_at: Date | null;
}

/**
 * Returns the state of an account's badge and locks the person's row until the transaction ends.
 */
export const findAndLockBadgeEligibility = async (
  tx: Queryable,
  userId: string,
): Promise<BadgeEligibility | undefined> => {
  const [row] = await tx<BadgeEligibility[]>`
    SELECT u.email, u.usc_verified, c.badge_removed_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.id = ${userId} FOR NO KEY UPDATE OF u`;
  return row;
};

/** Stores an unverified campus address for the account, replacing an earlier unverified address. */
export const saveUnverifiedAddress = async (
  tx: Queryable,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> => {
  await tx`
    INSERT INTO private.campus_addresses AS a (user_id, email, requested_at)
    VALUES (${userId}, ${email}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, requested_at = excluded.requested_at
    WHERE a.verified_at IS NULL`;
};

/** The account because of which an address cannot be added to another one. */
export interface AddressConflict {
  /** Whether the account logs in with the address. Otherwise, the address was added to it. */
  is_login_address: boolean;
  suspended_at: Date | null;
  /** When an administrator removed the badge, or null if none did. */
  badge_removed_at: Date | null;
}

/**
 * Returns the account because of which the address cannot be added to another one: a confirmed account that logs in with
 * an address of the same mailbox, or an account with such a verified campus address that is suspended or whose badge an
 * administrator removed. Returns undefined if there is none.
 */
export const findAddressConflict = async (
  sql: Queryable,
  campus: CampusMailboxes,
  email: string,
): Promise<AddressConflict | undefined> => {
  const rows = await sql<(AddressConflict & { email: string })[]>`
    SELECT u.email, true AS is_login_address, c.suspended_at, c.badge_removed_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE ${toMailboxKeySql(fragment`u.email`, email)} AND c.confirmed_at IS NOT NULL
    UNION ALL
    SELECT a.email, false, c.suspended_at, c.badge_removed_at
    FROM private.campus_addresses a JOIN private.credentials c ON c.user_id = a.user_id
    WHERE ${toMailboxKeySql(fragment`a.email`, email)} AND a.verified_at IS NOT NULL
      AND (c.suspended_at IS NOT NULL OR c.badge_removed_at IS NOT NULL)`;
  return rows.find((row) => isSameMailbox(campus, row.email, email));
};

export interface CampusAddressHolder {
  user_id: string;
  /** The email address with which the person logs in. */
  login_email: string;
  suspended_at: Date | null;
  /** When an administrator removed the badge, or null if none did. */
  badge_removed_at: Date | null;
}

/**
 * Returns the account to which a campus address of this mailbox was added and verified, or undefined if there is none.
 * Until the transaction ends, the account can neither be suspended nor lose its badge, and keeps the address.
 */
export const findAndLockCampusAddressHolder = async (
  tx: Queryable,
  campus: CampusMailboxes,
  email: string,
): Promise<CampusAddressHolder | undefined> => {
  const holders = await tx<(CampusAddressHolder & { email: string })[]>`
    SELECT a.user_id, a.email, u.email AS login_email, c.suspended_at, c.badge_removed_at
    FROM private.campus_addresses a
      JOIN users u ON u.id = a.user_id
      JOIN private.credentials c ON c.user_id = a.user_id
    WHERE ${toMailboxKeySql(fragment`a.email`, email)} AND a.verified_at IS NOT NULL
    FOR NO KEY UPDATE OF u FOR SHARE OF c FOR UPDATE OF a`;
  return holders.find((holder) => isSameMailbox(campus, holder.email, email));
};

/**
 * Marks the account's unverified campus address as verified and grants the badge. Call this in a transaction that has
 * locked the person's row. Returns false when this address is no longer the account's unverified address.
 */
export const verifyCampusAddress = async (
  tx: Queryable,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<boolean> => {
  const rows = await tx`
    WITH verified AS (
      UPDATE private.campus_addresses SET verified_at = ${now}
      WHERE user_id = ${userId} AND email = ${email} AND verified_at IS NULL
      RETURNING user_id
    )
    UPDATE users SET usc_verified = true, updated_at = ${now}
    FROM verified WHERE users.id = verified.user_id
    RETURNING users.id`;
  return rows.length > 0;
};

/**
 * Removes the account's campus address and, if the address was verified, also the badge. Call this in a transaction
 * that has locked the person's row. Returns whether the badge was removed.
 */
export const removeAddedCampusAddress = async (
  tx: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> => {
  const rows = await tx`
    WITH removed AS (
      DELETE FROM private.campus_addresses WHERE user_id = ${userId} RETURNING user_id, verified_at
    )
    UPDATE users SET usc_verified = false, updated_at = ${now}
    FROM removed WHERE users.id = removed.user_id AND removed.verified_at IS NOT NULL
    RETURNING users.id`;
  return rows.length > 0;
};
