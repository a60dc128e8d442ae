import { problem } from '#contract/errors.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * All kinds of email, with the values that their texts need. Dates are ISO 8601. A decoy email is queued like any other
 * but never sent, so that a request for an address without an account takes as long as one for an existing account.
 */
export type Mail =
  | { kind: 'signup_code'; to: string; code: string; expiresAt: string; decoy?: boolean }
  | { kind: 'login_code'; to: string; code: string; expiresAt: string; decoy?: boolean }
  | { kind: 'reset_link'; to: string; token: string; expiresAt: string; decoy?: boolean }
  | {
      kind: 'first_message';
      to: string;
      sellerName: string;
      buyerName: string;
      listingTitle: string;
      messageText: string;
      conversationId: string;
    }
  | {
      kind: 'unread_messages';
      to: string;
      userId: string;
      /** The messages to notify about; which of them are still unread is read when the email is sent. */
      waiting: { conversationId: string; fromSeq: number; toSeq: number }[];
    }
  | {
      kind: 'form';
      to: string;
      subject: string;
      /** Email address of the author, if the form has a field for it. */
      replyTo?: string;
      /** The form's values by label. */
      facts: Record<string, string>;
      /** The message text. */
      text?: string;
      attachment?: Attachment;
    };

/** A stored file attached to an email. */
export interface Attachment {
  filename: string;
  contentType: string;
  /** Key of the file in the file store. */
  key: string;
}

/** The content of an email about unread messages. */
export interface UnreadDigest {
  readerName: string;
  /** At least one conversation, newest first. */
  conversations: UnreadConversation[];
}

export interface UnreadConversation {
  id: string;
  otherName: string;
  listingTitle: string;
  /** Number of unread messages that no email has mentioned yet. */
  count: number;
  /** The beginnings of the newest unread messages, oldest first. */
  beginnings: string[];
}

type Parts<Kind extends Mail['kind']> = Omit<Extract<Mail, { kind: Kind }>, 'kind'>;

/** Returns when an email becomes useless; undefined when it does not expire. */
export const getExpiry = (mail: Mail): Date | undefined =>
  'expiresAt' in mail ? new Date(mail.expiresAt) : undefined;

export type CodeMail = Parts<'signup_code'>;
export type ResetMail = Parts<'reset_link'>;
export type FirstMessageMail = Parts<'first_message'>;
export type UnreadMessagesMail = Parts<'unread_messages'>;
export type FormMail = Parts<'form'>;

/** Queues emails in the caller's transaction; they are sent soon after it commits. */
export interface Mailer {
  /** Throws `mail_off` when mail is off. Call it before work that is useless unless an email follows. */
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

const throwMailOff = (): never => {
  throw problem('mail_off');
};

/**
 * Creates the mailer for MAIL=off. Emails with codes or links throw `mail_off`, for known and unknown addresses alike,
 * so that nobody waits for one that never arrives. Notifications are dropped, because their content is visible on the
 * site.
 */
export const createDisabledMailer = (): Mailer => ({
  ...createMailer(async (_tx, mail) => (getExpiry(mail) ? throwMailOff() : undefined)),
  assertSending: throwMailOff,
});
