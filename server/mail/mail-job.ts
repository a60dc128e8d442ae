import { type NotificationKind, notificationChannelRules } from '#contract/notifications.ts';
import type { App } from '#server/app.ts';
import type { DealNoticeDigest } from './deal-notice-email.ts';
import type { MailDelivery } from './delivery.ts';
import {
  type DealNoticesMail,
  type FirstMessageMail,
  getMailExpiry,
  isDeadlineWarning,
  type Mail,
  type NotificationDigest,
  type NotificationsMail,
  type UnreadMessagesDigest,
  type UnreadMessagesMail,
} from './mailer.ts';
import { decryptMail, type MailPayload, mailQueue } from './outbox.ts';
import {
  type RenderedEmail,
  renderDealNoticeEmail,
  renderEmail,
  renderNotificationEmail,
  renderUnreadEmail,
} from './templates.ts';
import { buildUnsubscribeUrl } from './unsubscribe-link.ts';

/** Functions of features that read the content of emails at the moment when the emails are sent. */
export interface MailContents {
  /**
   * Returns the seller's account id, and whether the email may quote messages. Returns undefined when the
   * account no longer exists, when the seller has read the message or unsubscribed, in the seller's quiet
   * hours, or while the seller is suspended. In the last two cases, a later email includes the message.
   */
  findWillingSeller(
    app: App,
    mail: FirstMessageMail,
  ): Promise<{ id: string; wantsQuotes: boolean } | undefined>;
  /**
   * Returns the messages that are still unread. Returns undefined when there are none, when the recipient no
   * longer exists or has unsubscribed, in the recipient's quiet hours, or while the recipient is suspended. In
   * the last two cases, the messages wait for a later email.
   */
  findUnreadDigest(app: App, mail: UnreadMessagesMail): Promise<UnreadMessagesDigest | undefined>;
  /**
   * Returns the notices that still apply. Returns undefined when there are none, or when the recipient no
   * longer exists, is suspended or has unsubscribed. Returns 'quiet' when the email must be
   * postponed, because the recipient has quiet hours.
   */
  findDealNotices(app: App, mail: DealNoticesMail): Promise<DealNoticeDigest | 'quiet' | undefined>;
  /**
   * Returns the notifications that are still unread and true, and security events even if they were read. Returns
   * undefined when there are none, or when the recipient no longer exists, is suspended or has unsubscribed.
   */
  findNotificationDigest(app: App, mail: NotificationsMail): Promise<NotificationDigest | undefined>;
}

/** What sending queued emails needs in addition to the App. */
export interface MailSending {
  delivery: MailDelivery;
  contents: MailContents;
}

/** How long an email is postponed before its recipient's quiet hours are checked again, in seconds. */
const postponementSeconds = 60;

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
 * Returns the email, or undefined when none may be sent. In the recipient's quiet hours, an email about messages,
 * notifications or deals is postponed in one of three ways, because different rows record what waits; other emails are
 * sent at once:
 *
 * - About messages: it is dropped, and the conversations are marked as waiting again.
 * - About notifications: it is dropped, and the notifications become due again.
 * - About deals: returns 'quiet', and the caller queues the same email again.
 */
const composeEmail = async (
  app: App,
  contents: MailContents,
  mail: Mail,
): Promise<RenderedEmail | 'quiet' | undefined> => {
  const { campus, publicUrl } = app.config;
  const { pepper } = app.secrets;
  const addStopUrl = (userId: string, kind: NotificationKind) => ({
    campus,
    publicUrl,
    stopUrl: buildUnsubscribeUrl({ publicUrl, pepper, userId, kind }),
  });
  if (mail.kind === 'unread_messages') {
    const unread = await contents.findUnreadDigest(app, mail);
    return unread && renderUnreadEmail(mail.to, unread, addStopUrl(mail.userId, 'messages'));
  }
  if (mail.kind === 'first_message') {
    const seller = await contents.findWillingSeller(app, mail);
    const { messageText, ...brief } = mail;
    return (
      seller &&
      renderEmail(seller.wantsQuotes ? { ...brief, messageText } : brief, addStopUrl(seller.id, 'messages'))
    );
  }
  if (mail.kind === 'deal_notices') {
    const digest = await contents.findDealNotices(app, mail);
    if (digest === 'quiet') return 'quiet';
    const canStop = digest?.notices.every(({ kind }) => isDeadlineWarning(kind));
    const context = canStop ? addStopUrl(mail.userId, 'deals') : { campus, publicUrl };
    return digest && renderDealNoticeEmail(mail.to, digest, context);
  }
  if (mail.kind === 'notifications') {
    const digest = await contents.findNotificationDigest(app, mail);
    const canStop = notificationChannelRules[mail.about].email === 'choice';
    const context = canStop ? addStopUrl(mail.userId, mail.about) : { campus, publicUrl };
    return digest && renderNotificationEmail(mail.to, digest, context);
  }
  return renderEmail(mail, { campus, publicUrl });
};

/**
 * Sends a queued email. Drops an email that has become obsolete because its code or link expired, its messages were read
 * or its deals changed in the meantime, or its recipient unsubscribed or no longer exists.
 */
export const sendQueuedMail = async (
  app: App,
  payload: MailPayload,
  { delivery, contents }: MailSending,
): Promise<void> => {
  const mail = decryptMail(app.secrets.pepper, payload);
  const expiry = getMailExpiry(mail);
  if ('decoy' in mail && mail.decoy) return;
  if (expiry && expiry <= app.clock.now()) return;
  const email = await composeEmail(app, contents, mail);
  if (email === 'quiet')
    return app.jobs.enqueue(app.sql, mailQueue, payload, { delaySeconds: postponementSeconds });
  if (email)
    await delivery.deliver(email).catch(rethrowWithoutSecrets([...listMailSecrets(mail), email.subject]));
};
