import type { Campus } from '#contract/campus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Jobs, Queue } from '#server/platform/jobs.ts';
import { seal, unseal } from '#server/platform/secrets.ts';
import type { Delivery } from './delivery.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { expiryOf, type Mail } from './mails.ts';
import { writeLetter } from './templates.ts';

/** Sealed, because a code or a reset link in a queue's table would be a key under the doormat. */
export const mailQueue: Queue<{ sealed: string }> = { name: 'mail', retries: 12, retryDelay: 2 };

/** The mailer that queues every mail in the transaction of the row that causes it. */
export const createOutbox = (jobs: Jobs, pepper: Buffer): Mailer =>
  createMailer((tx, mail) => jobs.enqueue(tx, mailQueue, { sealed: seal(pepper, JSON.stringify(mail)) }));

interface PostmanDeps {
  delivery: Delivery;
  clock: Clock;
  pepper: Buffer;
  campus: Campus;
  publicUrl: string;
}

/** Sends what is queued. A mail whose code or link has expired meanwhile is dropped: it would only confuse. */
export const startPostman = async (
  jobs: Jobs,
  { delivery, clock, pepper, campus, publicUrl }: PostmanDeps,
): Promise<void> => {
  await jobs.work(mailQueue, async ({ sealed }) => {
    const mail = JSON.parse(unseal(pepper, sealed)) as Mail;
    const expiry = expiryOf(mail);
    if ('decoy' in mail && mail.decoy) return;
    if (expiry && expiry <= clock.now()) return;
    await delivery.deliver(writeLetter(mail, campus, publicUrl));
  });
};
