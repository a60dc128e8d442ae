import type { MailSettings } from '#server/config.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { createOutbox, disabledMailer } from '#server/mail/outbox.ts';
import type { JobQueue } from '#server/platform/jobs.ts';

/**
 * Creates the configured mailer: one that queues emails or, with QUAD_MAIL=off, one that refuses to send codes and links.
 */
export const openMailer = (mail: MailSettings, jobs: Pick<JobQueue, 'enqueue'>, pepper: Buffer): Mailer =>
  mail.by === 'nothing' ? disabledMailer : createOutbox(jobs, pepper);
