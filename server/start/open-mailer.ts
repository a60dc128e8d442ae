import type { Config, MailSettings } from '#server/config.ts';
import { createDevMailboxDelivery, createSmtpDelivery, type MailDelivery } from '#server/mail/delivery.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { createOutbox, disabledMailer } from '#server/mail/outbox.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';

/**
 * Creates the configured mailer: one that queues emails or, with QUAD_MAIL=off, one that refuses to send codes and links.
 */
export const openMailer = (mail: MailSettings, jobs: Pick<JobQueue, 'enqueue'>, pepper: Buffer): Mailer =>
  mail.by === 'nothing' ? disabledMailer : createOutbox(jobs, pepper);

/**
 * Creates the configured delivery, which sends queued emails. Returns undefined while mail is off; emails
 * that were queued earlier then stay in the queue and are sent once mail is on again. The job queue deletes them
 * after 14 days, its default retention.
 */
export const openMailDelivery = (
  { mail, mailFrom }: Pick<Config, 'mail' | 'mailFrom'>,
  {
    sql,
    clock,
    files,
    printLine,
  }: { sql: Sql; clock: Clock; files: FileStore; printLine: (line: string) => void },
): MailDelivery | undefined => {
  if (mail.by === 'nothing') return undefined;
  return mail.by === 'smtp'
    ? createSmtpDelivery(mail.url, mailFrom, files)
    : createDevMailboxDelivery(sql, clock, printLine);
};
