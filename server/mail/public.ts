/** The mail folder's public API for features. */
export type { FormMail, Mailer } from './mailer.ts';
export type { UnreadMailSource } from './outbox.ts';
