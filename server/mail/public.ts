/** What features may use of mail. */
export type { FormMail, Mailer } from './mailer.ts';
export type { UnreadMailSource } from './outbox.ts';
