import type { Config, MailSettings } from './config.ts';
import { createMailboxDelivery, createSmtpDelivery, type Delivery } from './mail/delivery.ts';
import { createDisabledMailer, type Mailer } from './mail/mailer.ts';
import { createOutbox } from './mail/outbox.ts';
import type { Clock } from './platform/clock.ts';
import type { Files } from './platform/files/files.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Sql } from './platform/postgres/database.ts';

/** Returns the mailer that is configured: one that queues mail, or with MAIL=off one that refuses codes and links. */
export const openMailer = (mail: MailSettings, jobs: Pick<Jobs, 'enqueue'>, pepper: Buffer): Mailer =>
  mail.by === 'nothing' ? createDisabledMailer() : createOutbox(jobs, pepper);

/**
 * Returns what sends queued mail, if it is configured. With mail off, what was queued before stays in the queue and is
 * sent once a mail server is configured again.
 */
export const openDelivery = (
  { mail, mailFrom }: Pick<Config, 'mail' | 'mailFrom'>,
  { sql, clock, files, say }: { sql: Sql; clock: Clock; files: Files; say: (line: string) => void },
): Delivery | undefined => {
  if (mail.by === 'nothing') return undefined;
  return mail.by === 'smtp'
    ? createSmtpDelivery(mail.url, mailFrom, files)
    : createMailboxDelivery(sql, clock, say);
};
