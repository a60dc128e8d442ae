import type { Queryable } from '#server/platform/database.ts';
import type { CodeMail, FirstMessageMail, FormMail, Mail, ResetMail, UnreadMessagesMail } from './mails.ts';

/** Writes to people: each mail is queued in the caller's transaction and sent soon after it commits. */
export interface Mailer {
  sendSignupCode(tx: Queryable, mail: CodeMail): Promise<void>;
  sendLoginCode(tx: Queryable, mail: CodeMail): Promise<void>;
  sendResetLink(tx: Queryable, mail: ResetMail): Promise<void>;
  sendFirstMessage(tx: Queryable, mail: FirstMessageMail): Promise<void>;
  sendUnreadMessages(tx: Queryable, mail: UnreadMessagesMail): Promise<void>;
  sendForm(tx: Queryable, mail: FormMail): Promise<void>;
}

/** A mailer over any way of handing mails on: the outbox in real life, a list in tests. */
export const createMailer = (hand: (tx: Queryable, mail: Mail) => Promise<void>): Mailer => ({
  sendSignupCode: (tx, mail) => hand(tx, { kind: 'signup_code', ...mail }),
  sendLoginCode: (tx, mail) => hand(tx, { kind: 'login_code', ...mail }),
  sendResetLink: (tx, mail) => hand(tx, { kind: 'reset_link', ...mail }),
  sendFirstMessage: (tx, mail) => hand(tx, { kind: 'first_message', ...mail }),
  sendUnreadMessages: (tx, mail) => hand(tx, { kind: 'unread_messages', ...mail }),
  sendForm: (tx, mail) => hand(tx, { kind: 'form', ...mail }),
});
