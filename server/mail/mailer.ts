import { problem } from '#contract/errors.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type CodeMail,
  expiryOf,
  type FirstMessageMail,
  type FormMail,
  type Mail,
  type ResetMail,
  type UnreadMessagesMail,
} from './mails.ts';

/** Queues emails in the caller's transaction; they are sent soon after it commits. */
export interface Mailer {
  /** Throws `mail_off` where no mail is sent: for work that is worth nothing without the code that follows. */
  assertSending(): void;
  sendSignupCode(tx: Queryable, mail: CodeMail): Promise<void>;
  sendLoginCode(tx: Queryable, mail: CodeMail): Promise<void>;
  sendResetLink(tx: Queryable, mail: ResetMail): Promise<void>;
  sendFirstMessage(tx: Queryable, mail: FirstMessageMail): Promise<void>;
  sendUnreadMessages(tx: Queryable, mail: UnreadMessagesMail): Promise<void>;
  sendForm(tx: Queryable, mail: FormMail): Promise<void>;
}

/** Creates a mailer on top of a function that queues emails: the outbox in production, a list in tests. */
export const createMailer = (enqueue: (tx: Queryable, mail: Mail) => Promise<void>): Mailer => ({
  assertSending: () => {},
  sendSignupCode: (tx, mail) => enqueue(tx, { kind: 'signup_code', ...mail }),
  sendLoginCode: (tx, mail) => enqueue(tx, { kind: 'login_code', ...mail }),
  sendResetLink: (tx, mail) => enqueue(tx, { kind: 'reset_link', ...mail }),
  sendFirstMessage: (tx, mail) => enqueue(tx, { kind: 'first_message', ...mail }),
  sendUnreadMessages: (tx, mail) => enqueue(tx, { kind: 'unread_messages', ...mail }),
  sendForm: (tx, mail) => enqueue(tx, { kind: 'form', ...mail }),
});

const refuse = (): never => {
  throw problem('mail_off');
};

/**
 * Creates the mailer for MAIL=off. Codes and links are refused, for known and unknown addresses alike: nobody
 * must wait for one that never comes. Notifications are dropped: what they are about is stored elsewhere.
 */
export const createDisabledMailer = (): Mailer => ({
  ...createMailer(async (_tx, mail) => (expiryOf(mail) ? refuse() : undefined)),
  assertSending: refuse,
});
