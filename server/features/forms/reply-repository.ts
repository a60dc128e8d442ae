import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

/** The author of a reply: an administrator in the console, or the user of a command. */
export type FormReplyAuthor = { userId: string } | { name: string };

export interface FormReplyRow extends Pick<Tables['form_answers'], 'id' | 'answer_text' | 'created_at'> {
  author: string | null;
}

/** Locks a form until the transaction ends. Returns false when it does not exist. */
export const lockForm = async (tx: Queryable, id: string): Promise<boolean> => {
  const { count } = await tx`SELECT FROM private.forms WHERE id = ${id} FOR UPDATE`;
  return count > 0;
};

/** Lists the replies to a form, oldest first. */
export const listFormReplies = (sql: Queryable, formId: string): Promise<FormReplyRow[]> =>
  sql<FormReplyRow[]>`
    SELECT a.id, a.answer_text, coalesce(a.author_name, u.full_name, u.email) AS author, a.created_at
    FROM private.form_answers a LEFT JOIN users u ON u.id = a.author_id
    WHERE a.form_id = ${formId} ORDER BY a.created_at, a.id`;

/** Stores a reply. Returns false when its id was stored before. */
export const insertFormReply = async (
  tx: Queryable,
  { author, ...reply }: { id: string; formId: string; author: FormReplyAuthor; text: string; now: Date },
): Promise<boolean> => {
  const { count } = await tx`
    INSERT INTO private.form_answers (id, form_id, author_id, author_name, answer_text, created_at)
    VALUES (${reply.id}, ${reply.formId}, ${'userId' in author ? author.userId : null},
      ${'name' in author ? author.name : null}, ${reply.text}, ${reply.now})
    ON CONFLICT (id) DO NOTHING`;
  return count > 0;
};

/**
 * Returns the account, with its log-in address, that has this address as its verified campus address or its log-in
 * address, or undefined when there is none. The campus address comes first, because a log-in address that somebody else
 * signed up with afterwards is not confirmed. If `hasSender`, unconfirmed accounts do not count, because the account of
 * the sender is known.
 */
export const findAccountByAddress = async (
  sql: Queryable,
  { email, hasSender }: { email: string; hasSender: boolean },
): Promise<{ id: string; email: string } | undefined> => {
  const address = email.toLowerCase();
  const [account] = await sql<{ id: string; email: string }[]>`
    SELECT id, email FROM users WHERE id = coalesce(
      (SELECT user_id FROM private.campus_addresses WHERE email = ${address} AND verified_at IS NOT NULL),
      (SELECT u.id FROM users u JOIN private.credentials c ON c.user_id = u.id
        WHERE u.email = ${address} AND (c.confirmed_at IS NOT NULL OR NOT ${hasSender}::boolean)))`;
  return account;
};
