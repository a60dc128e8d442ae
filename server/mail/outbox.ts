import { z } from 'zod';
import type { Campus } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Job, type Jobs, onQueue, type Queue } from '#server/platform/jobs.ts';
import { decrypt, encrypt } from '#server/platform/secrets.ts';
import type { Delivery } from './delivery.ts';
import {
  createMailer,
  type FirstMessageMail,
  getExpiry,
  type Mail,
  type Mailer,
  type UnreadDigest,
  type UnreadMessagesMail,
} from './mailer.ts';
import { type Email, renderEmail, renderUnreadEmail } from './templates.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

/**
 * The queue of emails to send. They are encrypted, because anybody who can read the job table could otherwise use the
 * codes and reset links in them.
 */
export const mailQueue: Queue<{ sealed: string }> = {
  name: 'mail',
  retries: 12,
  retryDelay: 2,
  payload: z.object({ sealed: z.string() }),
};

/** Creates the mailer that queues every email in the transaction of the change that causes it. */
export const createOutbox = (jobs: Pick<Jobs, 'enqueue'>, pepper: Buffer): Mailer =>
  createMailer((tx, mail) => jobs.enqueue(tx, mailQueue, { sealed: encrypt(pepper, JSON.stringify(mail)) }));

/** Reads the data of emails about messages at the moment they are sent. */
export interface UnreadMailSource {
  /** Returns the seller's account id; undefined when the account no longer exists or has unsubscribed. */
  findWillingSeller(mail: FirstMessageMail): Promise<string | undefined>;
  /**
   * Returns the messages that are still unread; undefined when there are none, or when the recipient no longer exists
   * or has unsubscribed.
   */
  findUnread(mail: UnreadMessagesMail): Promise<UnreadDigest | undefined>;
}

export interface MailJobDeps {
  delivery: Delivery;
  clock: Clock;
  pepper: Buffer;
  campus: Campus;
  publicUrl: string;
  unreadMail: UnreadMailSource;
}

const listSecrets = (mail: Mail): string[] => {
  if ('code' in mail) return [mail.code];
  return 'token' in mail ? [mail.token] : [];
};

/**
 * Returns an error handler that rethrows an error without the given secrets. Mail servers may quote the email they
 * refuse, and the error is written to the log and the queue. The stack and cause are dropped, because they would repeat
 * the text.
 */
const rethrowWithout =
  (secrets: readonly string[]) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(secrets.reduce((text, secret) => text.replaceAll(secret, '[removed]'), reason));
  };

/**
 * Declares the job that sends queued emails. It drops those that became obsolete: an expired code or link, messages
 * that were read in the meantime, a recipient who unsubscribed or no longer exists.
 */
export const mailJob = ({ delivery, clock, pepper, campus, publicUrl, unreadMail }: MailJobDeps): Job => {
  const stopUrl = (userId: string) => unsubscribeUrl({ publicUrl, pepper, userId });

  const composeEmail = async (mail: Mail): Promise<Email | undefined> => {
    if (mail.kind === 'unread_messages') {
      const unread = await unreadMail.findUnread(mail);
      return (
        unread && renderUnreadEmail(mail.to, unread, { campus, publicUrl, stopUrl: stopUrl(mail.userId) })
      );
    }
    if (mail.kind === 'first_message') {
      const sellerId = await unreadMail.findWillingSeller(mail);
      return sellerId === undefined
        ? undefined
        : renderEmail(mail, { campus, publicUrl, stopUrl: stopUrl(sellerId) });
    }
    return renderEmail(mail, { campus, publicUrl });
  };

  return onQueue(mailQueue, async ({ sealed }) => {
    const mail = JSON.parse(decrypt(pepper, sealed)) as Mail;
    const expiry = getExpiry(mail);
    if ('decoy' in mail && mail.decoy) return;
    if (expiry && expiry <= clock.now()) return;
    const email = await composeEmail(mail);
    if (email) await delivery.deliver(email).catch(rethrowWithout([...listSecrets(mail), email.subject]));
  });
};
