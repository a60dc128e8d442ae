/** Public API of email for the rest of the server. */
export { type DealNoticeDigest, type DealNoticeFacts, summarizeDealNotice } from './deal-notice-email.ts';
export type {
  CampusAddressAdvice,
  DealNoticeKind,
  DealNoticesMail,
  FirstMessageMail,
  FormMail,
  HandoverChange,
  Mailer,
  NotificationDigest,
  NotificationsMail,
  UnreadMessagesDigest,
  UnreadMessagesMail,
} from './mailer.ts';
export { createMailer, isDeadlineWarning } from './mailer.ts';
export { toMessageExcerpt } from './unread-email.ts';
