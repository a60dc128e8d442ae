import { setForParty } from '#server/features/conversations/sql.ts';
import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';

/** An account that is locked for deletion until the transaction ends. */
export interface AccountToDelete {
  email: string;
  /** The verified campus email address that the person added, or null when there is none. */
  campusEmail: string | null;
  confirmed: boolean;
  /** When the credentials last changed. For an unconfirmed account, this is the time of its latest sign-up. */
  credentialsUpdatedAt: Date;
  hasListings: boolean;
  /**
   * Whether all conversations and deals of the account are locked. False when a conversation or deal was created while
   * the locks were being acquired. The caller must then retry.
   */
  complete: boolean;
}

/**
 * Locks the rows of an account that other transactions may change. Returns undefined when the account does not exist.
 * To prevent deadlocks, it locks them in the order that the other transactions use: listings, deals, conversations,
 * reset links, credentials, then the person. For example, a transition of a deal locks the listing, the deal and the
 * conversation, sending a message locks the conversation before the people, and a password reset locks the reset link
 * before the credentials. Photos come after the person in this order; they are locked when the deletion removes them.
 */
export const lockAccount = async (tx: Transaction, userId: string): Promise<AccountToDelete | undefined> => {
  await tx`
    SELECT 1 FROM listings
    WHERE id IN (
      SELECT id FROM listings WHERE user_id = ${userId}
      UNION ALL SELECT listing_id FROM deals WHERE buyer_id = ${userId})
    ORDER BY id FOR NO KEY UPDATE`;
  const { count: lockedDeals } = await tx`
    SELECT 1 FROM deals WHERE buyer_id = ${userId} OR seller_id = ${userId} ORDER BY id FOR NO KEY UPDATE`;
  const { count: lockedConversations } = await tx`
    SELECT 1 FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId} ORDER BY id FOR UPDATE`;
  // Lock the listings against new references (FOR UPDATE) only after the conversations, because sending a first message
  // locks its conversation before its listing; the other order could cause a deadlock.
  const { count: listings } = await tx`
    SELECT 1 FROM listings WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
  await tx`SELECT 1 FROM private.reset_tokens WHERE user_id = ${userId} FOR UPDATE`;
  const [credentials] = await tx<{ confirmed: boolean; updated_at: Date }[]>`
    SELECT confirmed_at IS NOT NULL AS confirmed, updated_at
    FROM private.credentials WHERE user_id = ${userId} FOR UPDATE`;
  const [person] = await tx<{ email: string; campus_email: string | null }[]>`
    SELECT u.email, a.email AS campus_email
    FROM users u LEFT JOIN private.campus_addresses a ON a.user_id = u.id AND a.verified_at IS NOT NULL
    WHERE u.id = ${userId} FOR UPDATE OF u`;
  if (!person || !credentials) return undefined;
  // From here on, nobody can create a conversation or a deal with this person, because creating either locks both
  // people.
  const [current] = await tx<{ conversations: number; deals: number }[]>`
    SELECT (SELECT count(*) FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId}) AS conversations,
      (SELECT count(*) FROM deals WHERE buyer_id = ${userId} OR seller_id = ${userId}) AS deals`;
  return {
    email: person.email,
    campusEmail: person.campus_email,
    confirmed: credentials.confirmed,
    credentialsUpdatedAt: credentials.updated_at,
    hasListings: listings > 0,
    complete: current?.conversations === lockedConversations && current.deals === lockedDeals,
  };
};

export const hasValidEmailCode = async (sql: Queryable, email: string, now: Date): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.codes WHERE email = ${email} AND code_hash IS NOT NULL AND expires_at > ${now}`;
  return rows.length > 0;
};

export const deleteSessions = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    DELETE FROM private.sessions WHERE user_id = ${userId} RETURNING id`;
  return rows.map(({ id }) => id);
};

export const listPhotoUrls = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx<{ url: string }[]>`SELECT url FROM private.objects WHERE owner_id = ${userId}`;
  return rows.map(({ url }) => url);
};

/** Deletes the person's conversations that have no messages or that nobody could read after the deletion. */
export const deleteAbandonedConversations = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`
    DELETE FROM conversations
    WHERE (buyer_id = ${userId} OR seller_id = ${userId})
      AND (last_seq = 0 OR buyer_id IS NULL OR seller_id IS NULL)`;
};

/**
 * Removes a person from their conversations: clears their id, read position, last visit and the
 * state of pending emails about unread messages. Returns the id of each conversation with the id of
 * the other party.
 */
export const removePersonFromConversations = async (
  tx: Transaction,
  userId: string,
): Promise<{ conversation_id: string; user_id: string }[]> =>
  tx<{ conversation_id: string; user_id: string }[]>`
    UPDATE conversations SET
      ${setForParty(userId, () => ({
        id: null,
        read_seq: 0,
        acted_seq: 0,
        seen_at: null,
        waiting_since: null,
        waiting_from: null,
        archived_seq: null,
        muted_until: null,
        marked_unread: false,
      }))}
    WHERE buyer_id = ${userId} OR seller_id = ${userId}
    RETURNING id AS conversation_id, coalesce(buyer_id, seller_id) AS user_id`;

/**
 * Deletes the codes that are stored under these keys: email addresses, or keys from `toCampusCodeKey` for codes that
 * verify a campus email address.
 */
export const deleteVerificationCodes = async (tx: Transaction, keys: string[]): Promise<void> => {
  await tx`DELETE FROM private.codes WHERE email = ANY (${keys})`;
};

/** Deletes the emails to these addresses from the development mailbox. */
export const deleteDevMailboxEmails = async (tx: Transaction, addresses: string[]): Promise<void> => {
  await tx`DELETE FROM private.mailbox WHERE recipient = ANY (${addresses})`;
};

/**
 * Deletes the person. Rows that belong to them are deleted by cascade; messages that others can still read lose their
 * sender.
 */
export const deletePerson = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`DELETE FROM users WHERE id = ${userId}`;
};
