import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';

/** What a person must not do while their account goes, held until the transaction ends. */
export interface HeldAccount {
  email: string;
  confirmed: boolean;
  /** When credentials were last set: for an unconfirmed account, the last sign-up. */
  signedUpAt: Date;
  hasListings: boolean;
  /** False where a conversation was begun while the locks were being taken: then it must be tried anew. */
  whole: boolean;
}

/**
 * Locks all of an account that others may be changing, in the order everyone else locks it in: conversations before
 * their listings (who sends the first message), both before people (who sends), reset links before credentials (who
 * resets), credentials before people (who confirms), people before their photos (who changes the avatar). Answers
 * undefined where there is no such account (any more).
 */
export const holdAccount = async (tx: Transaction, userId: string): Promise<HeldAccount | undefined> => {
  const { count: held } = await tx`
    SELECT 1 FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId} ORDER BY id FOR UPDATE`;
  const { count: listings } = await tx`
    SELECT 1 FROM listings WHERE user_id = ${userId} ORDER BY id FOR UPDATE`;
  await tx`SELECT 1 FROM private.reset_tokens WHERE user_id = ${userId} FOR UPDATE`;
  const [credentials] = await tx<{ confirmed: boolean; updated_at: Date }[]>`
    SELECT confirmed_at IS NOT NULL AS confirmed, updated_at
    FROM private.credentials WHERE user_id = ${userId} FOR UPDATE`;
  const [person] = await tx<{ email: string }[]>`SELECT email FROM users WHERE id = ${userId} FOR UPDATE`;
  if (!person || !credentials) return undefined;
  // From here on nobody can begin one: that takes a lock on both people.
  const { count: present } = await tx`
    SELECT 1 FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId}`;
  return {
    email: person.email,
    confirmed: credentials.confirmed,
    signedUpAt: credentials.updated_at,
    hasListings: listings > 0,
    whole: present === held,
  };
};

/** Whether a code that was sent to the address can still be used. */
export const hasLivingCode = async (sql: Queryable, email: string, now: Date): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.codes WHERE email = ${email} AND code_hash IS NOT NULL AND expires_at > ${now}`;
  return rows.length > 0;
};

/** Ends a person's sessions and answers which. */
export const deleteSessions = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    DELETE FROM private.sessions WHERE user_id = ${userId} RETURNING id`;
  return rows.map(({ id }) => id);
};

/** The addresses of every photo and avatar of a person. */
export const listPhotoUrls = async (tx: Transaction, userId: string): Promise<string[]> => {
  const rows = await tx<{ url: string }[]>`SELECT url FROM private.objects WHERE owner_id = ${userId}`;
  return rows.map(({ url }) => url);
};

/** Deletes the conversations that nobody could read any more, and those in which nobody wrote anything. */
export const deleteIdleConversations = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`
    DELETE FROM conversations
    WHERE (buyer_id = ${userId} OR seller_id = ${userId})
      AND (last_seq = 0 OR buyer_id IS NULL OR seller_id IS NULL)`;
};

/**
 * Clears a person's side of their conversations: who it was, what they read and when they were there. Returns the
 * conversations, each with the person at the other end.
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

/** Deletes what is kept under the address rather than under the person: codes, and copies of mail. */
export const deleteByAddress = async (tx: Transaction, email: string): Promise<void> => {
  await tx`DELETE FROM private.codes WHERE email = ${email}`;
  await tx`DELETE FROM private.mailbox WHERE recipient = ${email}`;
};

/** Deletes the person; what belongs to a person goes with them, what others may read on loses their name. */
export const deletePerson = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`DELETE FROM users WHERE id = ${userId}`;
};
