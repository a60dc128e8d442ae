import type { Campus } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Jobs, Queue } from '#server/platform/jobs.ts';
import { seal, unseal } from '#server/platform/secrets.ts';
import type { Delivery } from './delivery.ts';
import { createMailer, type Mailer } from './mailer.ts';
import {
  expiryOf,
  type FirstMessageMail,
  type Mail,
  type UnreadDigest,
  type UnreadMessagesMail,
} from './mails.ts';
import { type Email, renderEmail, renderUnreadEmail } from './templates.ts';
import { unsubscribeUrl } from './unsubscribe-link.ts';

/** Sealed, because a code or a reset link in a queue's table would be a key under the doormat. */
export const mailQueue: Queue<{ sealed: string }> = { name: 'mail', retries: 12, retryDelay: 2 };

/** The mailer that queues every mail in the transaction of the row that causes it. */
export const createOutbox = (jobs: Pick<Jobs, 'enqueue'>, pepper: Buffer): Mailer =>
  createMailer((tx, mail) => jobs.enqueue(tx, mailQueue, { sealed: seal(pepper, JSON.stringify(mail)) }));

/** What mails about messages depend on as things stand when they leave. */
export interface UnreadMailSource {
  /** The account of the seller a first message is told to; undefined when gone or not wanting mail any more. */
  findWillingSeller(mail: FirstMessageMail): Promise<string | undefined>;
  /** What is still unread; undefined when that is nothing, or the reader is gone or wants no mail any more. */
  findUnread(mail: UnreadMessagesMail): Promise<UnreadDigest | undefined>;
}

interface MailWorkerDeps {
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
 * Sends what is queued. A mail that has lost its point meanwhile is dropped: a code or link that expired, messages
 * that were read, a reader who switched such mail off or is gone.
 */
export const startMailWorker = async (
  jobs: Jobs,
  { delivery, clock, pepper, campus, publicUrl, unreadMail }: MailWorkerDeps,
): Promise<void> => {
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

  await jobs.work(mailQueue, async ({ sealed }) => {
    const mail = JSON.parse(unseal(pepper, sealed)) as Mail;
    const expiry = expiryOf(mail);
    if ('decoy' in mail && mail.decoy) return;
    if (expiry && expiry <= clock.now()) return;
    const email = await compose(mail);
    if (email) await delivery.deliver(email).catch(rethrowWithout([...secretsIn(mail), email.subject]));
  });
};
