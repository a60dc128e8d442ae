import type { NotificationKind } from '#contract/notifications.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { DealNoticeKind } from './deal-notice-email.ts';
import type { SelfContainedMail } from './templates.ts';

/** An email whose content is read at the moment when it is sent. */
type DigestMail = { to: string; userId: string } & (
  | {
      kind: 'unread_messages';
      /**
       * The messages to notify about. Messages that have been read by the time the email is sent
       * are left out of it.
       */
      waiting: { conversationId: string; fromSeq: number; toSeq: number }[];
    }
  | {
      kind: 'deal_notices';
      /**
       * The notices to send. Notices that no longer apply when the email is sent are omitted.
       * Either all of them are warnings before deadlines, or there is only one notice.
       */
      notices: { dealId: string; kind: DealNoticeKind; at: string }[];
    }
  | {
      kind: 'notifications';
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
);

/** An email of any kind, with the values that its text needs. Dates are in ISO 8601 format. */
export type Mail = SelfContainedMail | DigestMail;

/** An email of one kind. */
export type MailOf<Kind extends Mail['kind']> = Extract<Mail, { kind: Kind }>;

/** Returns the time after which an email is useless, or undefined when the email does not expire. */
export const getMailExpiry = (mail: Mail): Date | undefined =>
  'expiresAt' in mail ? new Date(mail.expiresAt) : undefined;

export interface Mailer {
  /** Queues an email in the caller's transaction; it is sent soon after the transaction commits. */
  send(tx: Queryable, mail: Mail): Promise<void>;
  /**
   * Throws `mail_off` when mail is off. Call it before starting work that makes sense only if an email can be
   * sent.
   */
  assertSending(): void;
}
