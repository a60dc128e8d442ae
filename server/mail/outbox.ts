import { z } from 'zod';
import type { Campus } from '#contract/campus.ts';
import { type NotificationKind, notificationChannelRules } from '#contract/notifications.ts';
import type { Clock } from '#server/platform/clock.ts';
import { declareQueueJob, type Job, type JobQueue, type QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { decrypt, encrypt } from '#server/platform/secrets.ts';
import type { DealNoticeDigest } from './deal-notice-email.ts';
import type { MailDelivery } from './delivery.ts';
import {
  createMailer,
  type DealNoticesMail,
  type FirstMessageMail,
  getMailExpiry,
  isDeadlineWarning,
  type Mail,
  type Mailer,
  type NotificationDigest,
  type NotificationsMail,
  type UnreadMessagesDigest,
  type UnreadMessagesMail,
} from './mailer.ts';
import {
  type RenderedEmail,
  renderDealNoticeEmail,
  renderEmail,
  renderNotificationEmail,
  renderUnreadEmail,
} from './templates.ts';
import { buildUnsubscribeUrl } from './unsubscribe-link.ts';

/** The data of a job that sends an email: the email in encrypted form. */
interface MailPayload {
  sealed: string;
}

/**
 * The queue of emails to send. They are encrypted, because anybody who can read the job table could otherwise use the
 * codes and reset links in them.
 */
export const mailQueue: QueueDefinition<MailPayload> = {
  name: 'mail',
  // The first 12 retries take about two hours. One an hour follows for three days.
  retries: 12 + 3 * 24,
  retryDelay: 2,
  payload: z.object({ sealed: z.string() }),
};

/** Creates the mailer that queues every email in the transaction of the change that causes it. */
export const createOutbox = (jobs: Pick<JobQueue, 'enqueue'>, pepper: Buffer): Mailer =>
  createMailer((tx, mail) => jobs.enqueue(tx, mailQueue, { sealed: encrypt(pepper, JSON.stringify(mail)) }));

/** How long an email is postponed before its recipient's quiet hours are checked again, in seconds. */
const postponementSeconds = 60;

/** Returns the function that postpones an email to a recipient who has quiet hours: queues it again with a delay. */
export const createMailPostponer =
  (jobs: Pick<JobQueue, 'enqueue'>, sql: Queryable) =>
  (mail: MailPayload): Promise<void> =>
    jobs.enqueue(sql, mailQueue, mail, { delaySeconds: postponementSeconds });

/** Reads the content of emails about messages at the moment when the emails are sent. */
export interface UnreadMailSource {
  /**
   * Returns the seller's account id, and whether the email may quote messages. Returns undefined when the
   * account no longer exists, when the seller has read the message or unsubscribed, in the seller's quiet
   * hours, or while the seller is suspended. In the last two cases, a later email includes the message.
   */
  findWillingSeller(mail: FirstMessageMail): Promise<{ id: string; wantsQuotes: boolean } | undefined>;
  /**
   * Returns the messages that are still unread. Returns undefined when there are none, when the recipient no
   * longer exists or has unsubscribed, in the recipient's quiet hours, or while the recipient is suspended. In
   * the last two cases, the messages wait for a later email.
   */
  findUnread(mail: UnreadMessagesMail): Promise<UnreadMessagesDigest | undefined>;
}

/** Reads the content of emails about deals at the moment when the emails are sent. */
export interface DealNoticeSource {
  /**
   * Returns the notices that still apply. Returns undefined when there are none, or when the recipient no
   * longer exists, is suspended or has unsubscribed. Returns 'quiet' when the email must be
   * postponed, because the recipient has quiet hours.
   */
  findNotices(mail: DealNoticesMail): Promise<DealNoticeDigest | 'quiet' | undefined>;
}

/** Reads the content of emails about notifications at the moment when the emails are sent. */
export interface NotificationMailSource {
  /**
   * Returns the notifications that are still unread and true, and security events even if they were read. Returns
   * undefined when there are none, or when the recipient no longer exists, is suspended or has unsubscribed.
   */
  findNotifications(mail: NotificationsMail): Promise<NotificationDigest | undefined>;
}

export interface MailJobDeps {
  delivery: MailDelivery;
  clock: Clock;
  pepper: Buffer;
  campus: Campus;
  publicUrl: string;
  unreadMail: UnreadMailSource;
  dealNotices: DealNoticeSource;
  notifications: NotificationMailSource;
  /** Postpones an email: queues it again with a delay. */
  postpone(mail: MailPayload): Promise<void>;
}

const listMailSecrets = (mail: Mail): string[] => {
  if ('code' in mail) return [mail.code];
  if ('appealToken' in mail) return mail.appealToken === undefined ? [] : [mail.appealToken];
  return 'token' in mail ? [mail.token] : [];
};

/**
 * Returns an error handler that rethrows an error without the given secrets. Mail servers may quote
 * the email that they refuse, and the error is written to the log. The stack and the cause are dropped, because they would repeat the quotation.
 */
const rethrowWithoutSecrets =
  (secrets: readonly string[]) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(secrets.reduce((text, secret) => text.replaceAll(secret, '[removed]'), reason));
  };

/**
 * Declares the job that sends queued emails. It drops an email that has become obsolete because its
 * code or link expired, its messages were read or its deals changed in the meantime, or its recipient unsubscribed or no
 * longer exists.
 */
export const createMailJob = ({
  delivery,
  clock,
  pepper,
  campus,
  publicUrl,
  unreadMail,
  dealNotices,
  notifications,
  postpone,
}: MailJobDeps): Job => {
  const stopUrl = (userId: string, kind: NotificationKind) =>
    buildUnsubscribeUrl({ publicUrl, pepper, userId, kind });

  /**
   * Returns the email, or undefined when none may be sent. In the recipient's quiet hours, an email about messages,
   * notifications or deals is postponed in one of three ways, because different rows record what waits; other emails are
   * sent at once:
   *
   * - About messages: it is dropped, and the conversations are marked as waiting again.
   * - About notifications: it is dropped, and the notifications become due again.
   * - About deals: returns 'quiet', and the caller queues the same email again.
   */
  const composeEmail = async (mail: Mail): Promise<RenderedEmail | 'quiet' | undefined> => {
    if (mail.kind === 'unread_messages') {
      const unread = await unreadMail.findUnread(mail);
      return (
        unread &&
        renderUnreadEmail(mail.to, unread, { campus, publicUrl, stopUrl: stopUrl(mail.userId, 'messages') })
      );
    }
    if (mail.kind === 'first_message') {
      const seller = await unreadMail.findWillingSeller(mail);
      const { messageText, ...brief } = mail;
      return (
        seller &&
        renderEmail(seller.wantsQuotes ? { ...brief, messageText } : brief, {
          campus,
          publicUrl,
          stopUrl: stopUrl(seller.id, 'messages'),
        })
      );
    }
    if (mail.kind === 'deal_notices') {
      const digest = await dealNotices.findNotices(mail);
      if (digest === 'quiet') return 'quiet';
      const canStop = digest?.notices.every(({ kind }) => isDeadlineWarning(kind));
      return (
        digest &&
        renderDealNoticeEmail(mail.to, digest, {
          campus,
          publicUrl,
          ...(canStop ? { stopUrl: stopUrl(mail.userId, 'deals') } : {}),
        })
      );
    }
    if (mail.kind === 'notifications') {
      const digest = await notifications.findNotifications(mail);
      const canStop = notificationChannelRules[mail.about].email === 'choice';
      return (
        digest &&
        renderNotificationEmail(mail.to, digest, {
          campus,
          publicUrl,
          ...(canStop ? { stopUrl: stopUrl(mail.userId, mail.about) } : {}),
        })
      );
    }
    return renderEmail(mail, { campus, publicUrl });
  };

  return declareQueueJob(mailQueue, async ({ sealed }) => {
    const mail = JSON.parse(decrypt(pepper, sealed)) as Mail;
    const expiry = getMailExpiry(mail);
    if ('decoy' in mail && mail.decoy) return;
    if (expiry && expiry <= clock.now()) return;
    const email = await composeEmail(mail);
    if (email === 'quiet') return postpone({ sealed });
    if (email)
      await delivery.deliver(email).catch(rethrowWithoutSecrets([...listMailSecrets(mail), email.subject]));
  });
};
