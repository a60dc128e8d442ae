/**
 * All kinds of email, with the values that their texts need. Dates are ISO 8601. A decoy is queued like any other but
 * never sent, so that a request for an address without an account takes the same time.
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
      /** Address of the author, where the form asks for it. */
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
  /** Its key in the file store. */
  key: string;
}

/** The content of an email about unread messages. */
export interface UnreadDigest {
  readerName: string;
  /** At least one, newest first. */
  conversations: UnreadConversation[];
}

export interface UnreadConversation {
  id: string;
  otherName: string;
  listingTitle: string;
  /** Number of unread messages that no email has mentioned yet. */
  count: number;
  /** The beginnings of the newest of them, oldest first. */
  beginnings: string[];
}

type Parts<Kind extends Mail['kind']> = Omit<Extract<Mail, { kind: Kind }>, 'kind'>;

/** Returns when an email becomes useless; undefined when it does not expire. */
export const expiryOf = (mail: Mail): Date | undefined =>
  'expiresAt' in mail ? new Date(mail.expiresAt) : undefined;

export type CodeMail = Parts<'signup_code'>;
export type ResetMail = Parts<'reset_link'>;
export type FirstMessageMail = Parts<'first_message'>;
export type UnreadMessagesMail = Parts<'unread_messages'>;
export type FormMail = Parts<'form'>;
