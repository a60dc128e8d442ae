import { type NotificationKind, notificationChannelRules } from '#contract/notifications.ts';
import type { App } from '#server/app.ts';
import { type DealNoticeDigest, isDeadlineWarning, renderDealNoticeContent } from './deal-notice-email.ts';
import type { MailDelivery } from './delivery.ts';
import { getMailExpiry, type Mail, type MailOf } from './mailer.ts';
import { type NotificationDigest, renderNotificationContent } from './notification-email.ts';
import { decryptMail, type MailPayload, mailQueue } from './outbox.ts';
import { layOutEmail, type RenderedEmail, renderEmail } from './templates.ts';
import { renderUnreadContent, type UnreadMessagesDigest } from './unread-email.ts';
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
    mail: MailOf<'first_message'>,
  ): Promise<{ id: string; wantsQuotes: boolean } | undefined>;
  /**
   * Returns the messages that are still unread. Returns undefined when there are none, when the recipient no
   * longer exists or has unsubscribed, in the recipient's quiet hours, or while the recipient is suspended. In
   * the last two cases, the messages wait for a later email.
   */
  findUnreadDigest(app: App, mail: MailOf<'unread_messages'>): Promise<UnreadMessagesDigest | undefined>;
  /**
   * Returns the notices that still apply. Returns undefined when there are none, or when the recipient no
   * longer exists, is suspended or has unsubscribed. Returns 'quiet' when the email must be
   * postponed, because the recipient has quiet hours.
   */
  findDealNotices(app: App, mail: MailOf<'deal_notices'>): Promise<DealNoticeDigest | 'quiet' | undefined>;
  /**
   * Returns the notifications that are still unread and true, and security events even if they were read. Returns
   * undefined when there are none, or when the recipient no longer exists, is suspended or has unsubscribed.
   */
  findNotificationDigest(app: App, mail: MailOf<'notifications'>): Promise<NotificationDigest | undefined>;
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
  if ('linkToken' in mail) return mail.linkToken === undefined ? [] : [mail.linkToken];
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
  const context = { campus, publicUrl };
  const buildStop = (userId: string, kind: NotificationKind) => ({
    kind,
    url: buildUnsubscribeUrl({ publicUrl, pepper, userId, kind }),
  });
  if (mail.kind === 'unread_messages') {
    const unread = await contents.findUnreadDigest(app, mail);
    const stop = buildStop(mail.userId, 'messages');
    return unread && layOutEmail(mail.to, renderUnreadContent(unread, publicUrl), campus, stop);
  }
  if (mail.kind === 'first_message') {
    const seller = await contents.findWillingSeller(app, mail);
    const { messageText, ...brief } = mail;
    const email = seller?.wantsQuotes ? { ...brief, messageText } : brief;
    return seller && renderEmail(email, context, buildStop(seller.id, 'messages'));
  }
  if (mail.kind === 'deal_notices') {
    const digest = await contents.findDealNotices(app, mail);
    if (digest === 'quiet') return 'quiet';
    const canStop = digest?.notices.every(({ kind }) => isDeadlineWarning(kind));
    const stop = canStop ? buildStop(mail.userId, 'deals') : undefined;
    return digest && layOutEmail(mail.to, renderDealNoticeContent(digest, context), campus, stop);
  }
  if (mail.kind === 'notifications') {
    const digest = await contents.findNotificationDigest(app, mail);
    const canStop = notificationChannelRules[mail.about].email === 'choice';
    const stop = canStop ? buildStop(mail.userId, mail.about) : undefined;
    return digest && layOutEmail(mail.to, renderNotificationContent(digest, publicUrl), campus, stop);
  }
  return renderEmail(mail, context);
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
