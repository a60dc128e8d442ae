import type { MailSettings } from './config.ts';
import { createDisabledMailer, type Mailer } from './mail/mailer.ts';
import { createOutbox } from './mail/outbox.ts';
import type { Jobs } from './platform/jobs.ts';

/** Returns the mailer that is configured: one that queues mail, or with MAIL=off one that refuses codes and links. */
export const openMailer = (mail: MailSettings, jobs: Pick<Jobs, 'enqueue'>, pepper: Buffer): Mailer =>
  mail.by === 'nothing' ? createDisabledMailer() : createOutbox(jobs, pepper);
