import { type CampusMailboxes, isSameMailbox, toCanonicalEmail } from '#contract/campus.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** A confirmed account that logs in with an address of a mailbox. */
export interface MailboxAccount {
  id: string;
  email: string;
  suspended_at: Date | null;
  /** When an administrator removed the badge, or null if none did. */
  badge_removed_at: Date | null;
}

/** Returns the SQL condition that an address column may lead to the same mailbox; `isSameMailbox` decides. */
export const toMailboxKeySql = (column: Fragment, email: string) =>
  fragment`private.mailbox_key(${column}) = private.mailbox_key(${email})`;

/**
 * Finds the confirmed account that logs in with an address of the same mailbox. There can be several only from before
 * a mailbox had one account; then the one with exactly this address is returned, otherwise the oldest.
 */
export const findMailboxAccount = async (
  sql: Queryable,
  campus: CampusMailboxes,
  email: string,
): Promise<MailboxAccount | undefined> => {
  const accounts = await sql<MailboxAccount[]>`
    SELECT u.id, u.email, c.suspended_at, c.badge_removed_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE ${toMailboxKeySql(fragment`u.email`, email)} AND c.confirmed_at IS NOT NULL
    ORDER BY u.email <> ${email}, u.created_at, u.id`;
  return accounts.find((account) => isSameMailbox(campus, account.email, email));
};

/**
 * Finds the confirmed account to which a mailbox belongs: the one that logs in with an address of it or, if there is none, the
 * one to which such a campus address was added. `email` of the result is the log-in address.
 */
export const findMailboxOwner = async (
  sql: Queryable,
  campus: CampusMailboxes,
  email: string,
): Promise<Pick<MailboxAccount, 'id' | 'email'> | undefined> => {
  const account = await findMailboxAccount(sql, campus, email);
  if (account) return account;
  const holders = await sql<{ id: string; email: string; added: string }[]>`
    SELECT u.id, u.email, a.email AS added
    FROM private.campus_addresses a JOIN users u ON u.id = a.user_id JOIN private.credentials c ON c.user_id = u.id
    WHERE ${toMailboxKeySql(fragment`a.email`, email)} AND a.verified_at IS NOT NULL AND c.confirmed_at IS NOT NULL`;
  return holders.find(({ added }) => isSameMailbox(campus, added, email));
};

/**
 * Returns the address with which the person with this mailbox logs in, or the given address when there is no confirmed
 * account.
 */
export const findLoginAddress = async (
  sql: Queryable,
  campus: CampusMailboxes,
  email: string,
): Promise<string> => (await findMailboxAccount(sql, campus, email))?.email ?? email;

/**
 * Returns whether two people have the same mailbox, by the addresses with which they log in and their verified campus
 * addresses.
 */
export const haveSameMailbox = async (
  sql: Queryable,
  campus: CampusMailboxes,
  [one, other]: readonly [string, string],
): Promise<boolean> => {
  const rows = await sql<{ id: string; email: string }[]>`
    SELECT id, email FROM users WHERE id IN (${one}, ${other})
    UNION ALL
    SELECT user_id, email FROM private.campus_addresses WHERE user_id IN (${one}, ${other}) AND verified_at IS NOT NULL`;
  const [mailboxes, others] = [one, other].map(
    (person) =>
      new Set(rows.filter(({ id }) => id === person).map(({ email }) => toCanonicalEmail(campus, email))),
  );
  return others !== undefined && mailboxes !== undefined && !mailboxes.isDisjointFrom(others);
};

/** Takes a lock on a mailbox, so that other transactions that prove its ownership wait until this transaction ends. */
export const lockMailbox = async (tx: Queryable, campus: CampusMailboxes, email: string): Promise<void> => {
  const key = `campus address ${toCanonicalEmail(campus, email)}`;
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
};
