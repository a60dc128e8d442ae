/**
 * Everything Quad writes to people, each with what its text needs. Dates travel as ISO 8601.
 * A decoy is queued like any other and never sent: an address without an account then costs the same time.
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
      /** Which messages wait; what of them is unread is looked up when the mail leaves. */
      waiting: { conversationId: string; fromSeq: number; toSeq: number }[];
    }
  | {
      kind: 'form';
      to: string;
      subject: string;
      /** Who wrote it, where the form asks. */
      replyTo?: string;
      /** What was filled in, by label. */
      facts: Record<string, string>;
      /** The message itself. */
      text?: string;
      attachment?: Attachment;
    };

/** A stored file that goes with a mail. */
export interface Attachment {
  filename: string;
  contentType: string;
  /** Its key in the file store. */
  key: string;
}

/** What a mail about unread messages says. */
export interface UnreadDigest {
  readerName: string;
  /** At least one, the latest first. */
  conversations: UnreadConversation[];
}

export interface UnreadConversation {
  id: string;
  otherName: string;
  listingTitle: string;
  /** Unread messages that no mail has told of. */
  count: number;
  /** How the newest of them begin, oldest first. */
  beginnings: string[];
}

type Parts<Kind extends Mail['kind']> = Omit<Extract<Mail, { kind: Kind }>, 'kind'>;

/** A mail that is worth nothing after this instant; undefined when it keeps. */
export const expiryOf = (mail: Mail): Date | undefined =>
  'expiresAt' in mail ? new Date(mail.expiresAt) : undefined;

export type CodeMail = Parts<'signup_code'>;
export type ResetMail = Parts<'reset_link'>;
export type FirstMessageMail = Parts<'first_message'>;
export type UnreadMessagesMail = Parts<'unread_messages'>;
export type FormMail = Parts<'form'>;
