import type { Queryable, Transaction } from '#server/platform/database.ts';

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

/** The conversations of a person, each with who is at the other end. */
export const listOtherParties = async (
  tx: Transaction,
  userId: string,
): Promise<{ conversation_id: string; user_id: string }[]> =>
  tx<{ conversation_id: string; user_id: string }[]>`
    SELECT id AS conversation_id, CASE WHEN buyer_id = ${userId} THEN seller_id ELSE buyer_id END AS user_id
    FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId}`;

/** Deletes what is kept under the address rather than under the person: codes, and copies of mail. */
export const deleteByAddress = async (tx: Transaction, email: string): Promise<void> => {
  await tx`DELETE FROM private.codes WHERE email = ${email}`;
  await tx`DELETE FROM private.mailbox WHERE recipient = ${email}`;
};

/** Clears a person's side of their conversations: who it was, what they read and when they were there. */
export const clearConversationSides = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`
    UPDATE conversations SET buyer_id = NULL, buyer_read_seq = 0, buyer_seen_at = NULL, buyer_waiting_since = NULL,
      buyer_waiting_from = NULL
    WHERE buyer_id = ${userId}`;
  await tx`
    UPDATE conversations SET seller_id = NULL, seller_read_seq = 0, seller_seen_at = NULL,
      seller_waiting_since = NULL, seller_waiting_from = NULL
    WHERE seller_id = ${userId}`;
};

/** Deletes the person; what belongs to a person goes with them, what others may read on loses their name. */
export const deletePerson = async (tx: Transaction, userId: string): Promise<void> => {
  await tx`DELETE FROM users WHERE id = ${userId}`;
};
