/** Public API of email for the rest of the server. */
export { type DealNoticeFacts, summarizeDealNotice } from './deal-notice-email.ts';
export { describeEmailOccasion, getEmailKindName } from './email-kinds.ts';
export { escapeHtml } from './email-layout.ts';
export type {
  CampusAddressAdvice,
  DealNoticeKind,
  FirstMessageMail,
  FormMail,
  HandoverChange,
  NotificationDigest,
  NotificationsMail,
  UnreadMessagesDigest,
  UnreadMessagesMail,
} from './mailer.ts';
export { createMailer, isDeadlineWarning } from './mailer.ts';
export { toMessageExcerpt } from './unread-email.ts';
export { decryptUnsubscribeToken, type UnsubscribeRequest, unsubscribePath } from './unsubscribe-link.ts';
