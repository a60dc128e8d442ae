/** Public API of email for the rest of the server. */
export { type DealNoticeFacts, summarizeDealNotice } from './deal-notice-email.ts';
export type { CampusAddressAdvice, DealNoticeKind, FormMail, HandoverChange, Mailer } from './mailer.ts';
export { createMailer, isDeadlineWarning } from './mailer.ts';
export type { DealNoticeSource, NotificationMailSource, UnreadMailSource } from './outbox.ts';
export { toMessageExcerpt } from './unread-email.ts';
