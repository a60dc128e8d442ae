import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';

/** An account that is locked for deletion until the transaction ends. */
export interface LockedAccount {
  email: string;
  confirmed: boolean;
  /** When the credentials were last set; for an unconfirmed account, the time of its last sign-up. */
  signedUpAt: Date;
  hasListings: boolean;
  /**
   * Whether all conversations are locked. False when one was created while the locks were being acquired; the caller
   * then retries.
   */
  complete: boolean;
}

/**
 * Locks every row of an account that other transactions may be changing, in the same order as they do: conversations
 * before listings (as when a first message is sent), both before people (as when sending), reset links before
 * credentials (as when a password is reset), credentials before people (as when an account is confirmed), and people
 * before their photos (as when an avatar changes). Returns undefined when the account does not exist or no longer
 * exists.
 */
export const lockAccount = async (tx: Transaction, userId: string): Promise<LockedAccount | undefined> => {
  const { count: locked } = await tx`
    SELECT 1 FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId} ORDER BY id FOR UPDATE`;
  const { count: listings } = await tx`
    SELECT 1 FROM listings WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
  await tx`SELECT 1 FROM private.reset_tokens WHERE user_id = ${userId} FOR UPDATE`;
  const [credentials] = await tx<{ confirmed: boolean; updated_at: Date }[]>`
    SELECT confirmed_at IS NOT NULL AS confirmed, updated_at
    FROM private.credentials WHERE user_id = ${userId} FOR UPDATE`;
  const [person] = await tx<{ email: string }[]>`SELECT email FROM users WHERE id = ${userId} FOR UPDATE`;
  if (!person || !credentials) return undefined;
  // From here on, nobody can create a conversation with this person, because creating one locks both people.
  const { count: current } = await tx`
    SELECT 1 FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId}`;
  return {
    email: person.email,
    confirmed: credentials.confirmed,
    signedUpAt: credentials.updated_at,
    hasListings: listings > 0,
    complete: current === locked,
  };
};

/** Returns whether a code that was sent to the email address is still valid. */
export const hasValidCode = async (sql: Queryable, email: string, now: Date): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.codes WHERE email = ${email} AND code_hash IS NOT NULL AND expires_at > ${now}`;
  return rows.length > 0;
};

/** Deletes all sessions of a person and returns their ids. */
export const deleteSessions = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    DELETE FROM private.sessions WHERE user_id = ${userId} RETURNING id`;
  return rows.map(({ id }) => id);
};

/** Lists the URLs of all photos and avatars of a person. */
export const listPhotoUrls = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx<{ url: string }[]>`SELECT url FROM private.objects WHERE owner_id = ${userId}`;
  return rows.map(({ url }) => url);
};

/** Deletes the person's conversations that have no messages or that nobody could read after the deletion. */
export const deleteIdleConversations = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`
    DELETE FROM conversations
    WHERE (buyer_id = ${userId} OR seller_id = ${userId})
      AND (last_seq = 0 OR buyer_id IS NULL OR seller_id IS NULL)`;
};

/**
 * Clears a person's side of their conversations: their id, read position and last visit. Returns each conversation with
 * the id of the other party.
 */
export const clearConversationSides = async (
  tx: Transaction,
  userId: string,
): Promise<{ conversation_id: string; user_id: string }[]> =>
  tx<{ conversation_id: string; user_id: string }[]>`
    UPDATE conversations SET
      buyer_id = nullif(buyer_id, ${userId}),
      buyer_read_seq = CASE WHEN buyer_id = ${userId} THEN 0 ELSE buyer_read_seq END,
      buyer_seen_at = CASE WHEN buyer_id = ${userId} THEN NULL ELSE buyer_seen_at END,
      buyer_waiting_since = CASE WHEN buyer_id = ${userId} THEN NULL ELSE buyer_waiting_since END,
      buyer_waiting_from = CASE WHEN buyer_id = ${userId} THEN NULL ELSE buyer_waiting_from END,
      seller_id = nullif(seller_id, ${userId}),
      seller_read_seq = CASE WHEN seller_id = ${userId} THEN 0 ELSE seller_read_seq END,
      seller_seen_at = CASE WHEN seller_id = ${userId} THEN NULL ELSE seller_seen_at END,
      seller_waiting_since = CASE WHEN seller_id = ${userId} THEN NULL ELSE seller_waiting_since END,
      seller_waiting_from = CASE WHEN seller_id = ${userId} THEN NULL ELSE seller_waiting_from END
    WHERE buyer_id = ${userId} OR seller_id = ${userId}
    RETURNING id AS conversation_id, coalesce(buyer_id, seller_id) AS user_id`;

/** Deletes data that is stored by email address instead of account id: codes, and copies of emails. */
export const deleteByAddress = async (tx: Transaction, email: string): Promise<void> => {
  await tx`DELETE FROM private.codes WHERE email = ${email}`;
  await tx`DELETE FROM private.mailbox WHERE recipient = ${email}`;
};

/**
 * Deletes the person. Rows that belong to them are deleted by cascade; messages that others can still read lose their
 * sender.
 */
export const deletePerson = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`DELETE FROM users WHERE id = ${userId}`;
};
