import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import type { JobQueue, QueueDefinition } from '#server/platform/jobs.ts';
import { decrypt, encrypt } from '#server/platform/secrets.ts';
import { getMailExpiry, type Mail, type Mailer } from './mailer.ts';

/** The data of a job that sends an email: the email in encrypted form. */
export interface MailPayload {
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
export const createOutbox = (jobs: Pick<JobQueue, 'enqueue'>, pepper: Buffer): Mailer => ({
  assertSending: () => {},
  send: (tx, mail) => jobs.enqueue(tx, mailQueue, { sealed: encrypt(pepper, JSON.stringify(mail)) }),
});

const throwMailOff = (): never => {
  throw createProblem('mail_off');
};

/**
 * The mailer for QUAD_MAIL=off. Queuing an email with a code or a link throws `mail_off`,
 * whether or not the address has an account, so that nobody waits for an email that never arrives. So does a reply to a
 * form, which would never reach anybody. Notifications are dropped, because their content is visible on the site.
 */
export const disabledMailer: Mailer = {
  assertSending: throwMailOff,
  send: async (_tx, mail) => {
    if (getMailExpiry(mail) || mail.kind === 'form_answer') throwMailOff();
  },
};

/** Decrypts the email of a job. */
export const decryptMail = (pepper: Buffer, { sealed }: MailPayload): Mail =>
  JSON.parse(decrypt(pepper, sealed)) as Mail;
