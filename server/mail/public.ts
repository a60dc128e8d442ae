/** What features may use of mail. */
export type { Mailer } from './mailer.ts';
export type { FormMail } from './mails.ts';
export type { UnreadMailSource } from './outbox.ts';
