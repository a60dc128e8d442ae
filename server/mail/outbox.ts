import { z } from 'zod';
import type { Campus } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Job, type Jobs, onQueue, type Queue } from '#server/platform/jobs.ts';
import { decrypt, encrypt } from '#server/platform/secrets.ts';
import type { Delivery } from './delivery.ts';
import {
  createMailer,
  expiryOf,
  type FirstMessageMail,
  type Mail,
  type Mailer,
  type UnreadDigest,
  type UnreadMessagesMail,
} from './mailer.ts';
import { type Email, renderEmail, renderUnreadEmail } from './templates.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

/** Encrypted, because anybody who can read the job table could otherwise use its codes and reset links. */
export const mailQueue: Queue<{ sealed: string }> = {
  name: 'mail',
  retries: 12,
  retryDelay: 2,
  payload: z.object({ sealed: z.string() }),
};

/** Creates the mailer that queues every email in the transaction of the change that causes it. */
export const createOutbox = (jobs: Pick<Jobs, 'enqueue'>, pepper: Buffer): Mailer =>
  createMailer((tx, mail) => jobs.enqueue(tx, mailQueue, { sealed: encrypt(pepper, JSON.stringify(mail)) }));

/** What emails about messages read at the moment they are sent. */
export interface UnreadMailSource {
  /** Returns the seller's account id; undefined when the seller is gone or has unsubscribed. */
  findWillingSeller(mail: FirstMessageMail): Promise<string | undefined>;
  /** Returns what is still unread; undefined when nothing is, or when the recipient is gone or has unsubscribed. */
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

const secretsIn = (mail: Mail): string[] => {
  if ('code' in mail) return [mail.code];
  return 'token' in mail ? [mail.token] : [];
};

/**
 * Mail servers may quote what they refuse, and the reason goes into the log and the queue: the error is thrown again
 * with the quoted secrets cut out, and without a stack or cause that would repeat them.
 */
const rethrowWithout =
  (secrets: readonly string[]) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(secrets.reduce((text, secret) => text.replaceAll(secret, '[removed]'), reason));
  };

/**
 * Declares the job that sends queued emails. It drops those that became obsolete: an expired code or link, messages
 * that were read, a recipient who unsubscribed or is gone.
 */
export const mailJob = ({ delivery, clock, pepper, campus, publicUrl, unreadMail }: MailJobDeps): Job => {
  const stopUrl = (userId: string) => unsubscribeUrl({ publicUrl, pepper, userId });

  const compose = async (mail: Mail): Promise<Email | undefined> => {
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
    const expiry = expiryOf(mail);
    if ('decoy' in mail && mail.decoy) return;
    if (expiry && expiry <= clock.now()) return;
    const email = await compose(mail);
    if (email) await delivery.deliver(email).catch(rethrowWithout([...secretsIn(mail), email.subject]));
  });
};
