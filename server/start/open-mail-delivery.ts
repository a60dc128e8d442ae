import type { Config } from '#server/config.ts';
import { createDevMailboxDelivery, createSmtpDelivery, type MailDelivery } from '#server/mail/delivery.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import type { Sql } from '#server/platform/postgres/database.ts';

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
