import type { DealParty } from '#contract/deal-states.ts';
import { createProblem } from '#contract/errors.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * What the owner of a mailbox can do when their address cannot be added to an account: log in to the account that has it,
 * sign up with it, or only ask for help.
 */
export type CampusAddressAdvice = 'log_in' | 'sign_up' | 'support';

/**
 * All kinds of email, with the values that their texts need. Dates are in ISO 8601 format. A decoy email is
 * queued like any other but never sent, so that a request for an address without an account takes as long as
 * a request for an existing account.
 */
export type Mail =
  | { kind: 'signup_code'; to: string; code: string; expiresAt: string; decoy?: boolean }
  | { kind: 'login_code'; to: string; code: string; expiresAt: string; decoy?: boolean }
  | { kind: 'campus_code'; to: string; code: string; expiresAt: string }
  | {
      kind: 'campus_address_taken';
      to: string;
      expiresAt: string;
      /** What the owner of the mailbox can do. Emails that an earlier version has queued do not say it. */
      advice?: CampusAddressAdvice | undefined;
    }
  | { kind: 'campus_address_moved'; to: string; campusEmail: string }
  | { kind: 'account_deleted'; to: string }
  | {
      kind: 'account_suspended';
      to: string;
      /** When the suspension ends by itself. It is absent if an administrator must lift the suspension. */
      until?: string | undefined;
      reason?: string | undefined;
      /** Token of the link for an appeal, because a suspended person cannot log in. */
      appealToken?: string | undefined;
    }
  | { kind: 'suspension_lifted'; to: string }
  | {
      kind: 'appeal_decided';
      to: string;
      isGranted: boolean;
      reason: string;
      /** When the suspension that remains ends by itself. It is absent if an administrator must lift the suspension. */
      until?: string | undefined;
    }
  | {
      kind: 'decision_made';
      to: string;
      /** What was decided, as a sentence without a period. */
      title: string;
      text: string;
      /** Token of the link for an appeal. It is absent if the decision reverses another one. */
      appealToken?: string | undefined;
    }
  | { kind: 'reset_link'; to: string; token: string; expiresAt: string; decoy?: boolean }
  | {
      kind: 'first_message';
      to: string;
      sellerName: string;
      buyerName: string;
      listingTitle: string;
      /** Text of the message. It is absent in emails to people who want brief emails. */
      messageText?: string | undefined;
      /**
       * Whether the buyer wrote a message. An offer without one is an event line, which the server writes. Absent in emails
       * that earlier versions queued.
       */
      isWritten?: boolean | undefined;
      conversationId: string;
      /** The sequence number of the last quoted message. It is absent in emails that earlier versions queued. */
      toSeq?: number | undefined;
    }
  | {
      kind: 'unread_messages';
      to: string;
      userId: string;
      /**
       * The messages to notify about. Messages that have been read by the time the email is sent
       * are left out of it.
       */
      waiting: { conversationId: string; fromSeq: number; toSeq: number }[];
    }
  | {
      kind: 'handover';
      to: string;
      readerName: string;
      otherName: string;
      /** The party that receives the email. */
      reader: DealParty;
      news: HandoverChange;
      /** Title of the listing. */
      title: string;
      place: string;
      time: string;
      conversationId: string;
      /** Content of the iCalendar file to attach. */
      calendar: string;
    }
  | {
      kind: 'deal_notices';
      to: string;
      userId: string;
      /**
       * The notices to send. Notices that no longer apply when the email is sent are omitted.
       * Either all of them are warnings before deadlines, or there is only one notice.
       */
      notices: { dealId: string; kind: DealNoticeKind; at: string }[];
    }
  | {
      kind: 'notifications';
      to: string;
      userId: string;
      about: NotificationKind;
      /**
       * The notifications to send. Those that have been read by the time the email is sent are omitted, except
       * security events.
       */
      ids: string[];
      /**
       * For each notification, the number of its events that no earlier email contained. It is absent in
       * emails that earlier versions queued.
       */
      newCounts?: number[] | undefined;
    }
  | {
      kind: 'form';
      to: string;
      subject: string;
      /** Email address of the person who sent the form, if the form asks for it. */
      replyTo?: string;
      /** The values that were entered into the form, by field label. */
      facts: Record<string, string>;
      /** The message that was entered into the form. */
      text?: string;
      attachment?: Attachment;
    }
  | {
      kind: 'form_answer';
      to: string;
      /** The topic that was chosen in the form. */
      subject: string;
      text: string;
      /** The message that the person sent with a form and that this email answers. */
      question?: string;
    };

/** How the agreement about a handover changed. */
export type HandoverChange = 'agreed' | 'changed' | 'cancelled';

/** Reminders, warnings and questions that parties get about their deals. */
export type DealNoticeKind =
  | 'offer_ending'
  | 'hold_ending'
  | 'handover_day'
  | 'handover_hour'
  | 'did_you_meet'
  | 'overdue'
  | 'item_not_back';

/**
 * Returns whether a notice warns about a deadline. The setting for emails about messages also applies to
 * these warnings.
 */
export const isDeadlineWarning = (kind: DealNoticeKind): boolean =>
  kind === 'offer_ending' || kind === 'hold_ending';

/** A stored file attached to an email. */
export interface Attachment {
  filename: string;
  contentType: string;
  /** Key of the file in the file store. */
  key: string;
}

/** The content of an email about unread messages. */
export interface UnreadMessagesDigest {
  readerName: string;
  /** The conversations with unread messages, newest first. There is at least one. */
  conversations: UnreadConversation[];
}

export interface UnreadConversation {
  id: string;
  otherName: string;
  listingTitle: string;
  /** Number of unread messages that no email has mentioned yet. */
  count: number;
  /** Whether the other person wrote one of them. The others are event lines, which the server writes. */
  isWritten: boolean;
  /** The beginnings of the newest unread messages, oldest first. */
  beginnings: string[];
}

/** The content of an email about notifications of one kind. */
export interface NotificationDigest {
  readerName: string;
  about: NotificationKind;
  /**
   * The notifications, latest first. There is at least one. `path` is the path of the page that a
   * notification links to. The text is empty for people who want brief emails.
   */
  items: { title: string; text: string; path: string }[];
}

type MailFields<Kind extends Mail['kind']> = Omit<Extract<Mail, { kind: Kind }>, 'kind'>;

/** Returns the time after which an email is useless, or undefined when the email does not expire. */
export const getMailExpiry = (mail: Mail): Date | undefined =>
  'expiresAt' in mail ? new Date(mail.expiresAt) : undefined;

export type VerificationCodeMail = MailFields<'signup_code'>;
export type CampusAddressCodeMail = MailFields<'campus_code'>;
export type CampusAddressTakenMail = MailFields<'campus_address_taken'>;
export type CampusAddressMovedMail = MailFields<'campus_address_moved'>;
export type PasswordResetMail = MailFields<'reset_link'>;
export type AccountDeletedMail = MailFields<'account_deleted'>;
export type AccountSuspendedMail = MailFields<'account_suspended'>;
export type SuspensionLiftedMail = MailFields<'suspension_lifted'>;
export type AppealDecidedMail = MailFields<'appeal_decided'>;
export type DecisionMail = MailFields<'decision_made'>;
export type FirstMessageMail = MailFields<'first_message'>;
export type UnreadMessagesMail = MailFields<'unread_messages'>;
export type HandoverMail = MailFields<'handover'>;
export type DealNoticesMail = MailFields<'deal_notices'>;
export type NotificationsMail = MailFields<'notifications'>;
export type FormMail = MailFields<'form'>;
export type FormReplyMail = MailFields<'form_answer'>;

/** Queues emails in the caller's transaction; they are sent soon after the transaction commits. */
export interface Mailer {
  /**
   * Throws `mail_off` when mail is off. Call it before starting work that makes sense only if an email can be
   * sent.
   */
  assertSending(): void;
  sendSignupCode(tx: Queryable, mail: VerificationCodeMail): Promise<void>;
  sendLoginCode(tx: Queryable, mail: VerificationCodeMail): Promise<void>;
  sendCampusCode(tx: Queryable, mail: CampusAddressCodeMail): Promise<void>;
  /**
   * Tells the owner of a campus email address that somebody tried to add it to another account, and
   * why that failed.
   */
  sendCampusAddressTaken(tx: Queryable, mail: CampusAddressTakenMail): Promise<void>;
  /**
   * Tells a person that their campus email address was verified for another account, so theirs no
   * longer has it. Sent to their log-in email address.
   */
  sendCampusAddressMoved(tx: Queryable, mail: CampusAddressMovedMail): Promise<void>;
  /** Tells a person that an administrator deleted their account. */
  sendAccountDeleted(tx: Queryable, mail: AccountDeletedMail): Promise<void>;
  /** Tells a person that their account was suspended, so that they cannot log in. */
  sendAccountSuspended(tx: Queryable, mail: AccountSuspendedMail): Promise<void>;
  /** Tells a person that the suspension of their account was lifted, so that they can log in again. */
  sendSuspensionLifted(tx: Queryable, mail: SuspensionLiftedMail): Promise<void>;
  /** Tells a person who is still suspended how their appeal was decided. */
  sendAppealDecided(tx: Queryable, mail: AppealDecidedMail): Promise<void>;
  /** Tells a person who is suspended, and reads no notifications, what else a moderator decided about them. */
  sendDecision(tx: Queryable, mail: DecisionMail): Promise<void>;
  sendResetLink(tx: Queryable, mail: PasswordResetMail): Promise<void>;
  sendFirstMessage(tx: Queryable, mail: FirstMessageMail): Promise<void>;
  sendUnreadMessages(tx: Queryable, mail: UnreadMessagesMail): Promise<void>;
  /**
   * Tells a party that a handover was agreed, changed or cancelled. Recipients cannot unsubscribe from these
   * emails.
   */
  sendHandover(tx: Queryable, mail: HandoverMail): Promise<void>;
  /** Sends a person reminders, warnings and questions about their deals. */
  sendDealNotices(tx: Queryable, mail: DealNoticesMail): Promise<void>;
  /** Sends a person their notifications of one kind. */
  sendNotifications(tx: Queryable, mail: NotificationsMail): Promise<void>;
  sendForm(tx: Queryable, mail: FormMail): Promise<void>;
  sendFormReply(tx: Queryable, mail: FormReplyMail): Promise<void>;
}

/** Creates a mailer on top of a function that queues emails: the outbox in production, a list in tests. */
export const createMailer = (enqueue: (tx: Queryable, mail: Mail) => Promise<void>): Mailer => ({
  assertSending: () => {},
  sendSignupCode: (tx, mail) => enqueue(tx, { kind: 'signup_code', ...mail }),
  sendLoginCode: (tx, mail) => enqueue(tx, { kind: 'login_code', ...mail }),
  sendCampusCode: (tx, mail) => enqueue(tx, { kind: 'campus_code', ...mail }),
  sendCampusAddressTaken: (tx, mail) => enqueue(tx, { kind: 'campus_address_taken', ...mail }),
  sendCampusAddressMoved: (tx, mail) => enqueue(tx, { kind: 'campus_address_moved', ...mail }),
  sendAccountDeleted: (tx, mail) => enqueue(tx, { kind: 'account_deleted', ...mail }),
  sendAccountSuspended: (tx, mail) => enqueue(tx, { kind: 'account_suspended', ...mail }),
  sendSuspensionLifted: (tx, mail) => enqueue(tx, { kind: 'suspension_lifted', ...mail }),
  sendAppealDecided: (tx, mail) => enqueue(tx, { kind: 'appeal_decided', ...mail }),
  sendDecision: (tx, mail) => enqueue(tx, { kind: 'decision_made', ...mail }),
  sendResetLink: (tx, mail) => enqueue(tx, { kind: 'reset_link', ...mail }),
  sendFirstMessage: (tx, mail) => enqueue(tx, { kind: 'first_message', ...mail }),
  sendUnreadMessages: (tx, mail) => enqueue(tx, { kind: 'unread_messages', ...mail }),
  sendHandover: (tx, mail) => enqueue(tx, { kind: 'handover', ...mail }),
  sendDealNotices: (tx, mail) => enqueue(tx, { kind: 'deal_notices', ...mail }),
  sendNotifications: (tx, mail) => enqueue(tx, { kind: 'notifications', ...mail }),
  sendForm: (tx, mail) => enqueue(tx, { kind: 'form', ...mail }),
  sendFormReply: (tx, mail) => enqueue(tx, { kind: 'form_answer', ...mail }),
});

const throwMailOff = (): never => {
  throw createProblem('mail_off');
};

/**
 * Creates the mailer for MAIL=off. Queuing an email with a code or a link throws `mail_off`,
 * whether or not the address has an account, so that nobody waits for an email that never arrives.
 * Notifications are dropped, because their content is visible on the site.
 */
export const createDisabledMailer = (): Mailer => ({
  ...createMailer(async (_tx, mail) => (getMailExpiry(mail) ? throwMailOff() : undefined)),
  assertSending: throwMailOff,
  // Refuse to answer forms while mail is off, because the reply would never reach anybody.
  sendFormReply: throwMailOff,
});
