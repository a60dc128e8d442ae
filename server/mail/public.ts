/** Public API of email for the rest of the server. */
export {
  type AvailabilityLink,
  availabilityPath,
  buildAvailabilityUrl,
  decryptAvailabilityLink,
} from './availability-link.ts';
export {
  type DealNoticeFacts,
  type DealNoticeKind,
  isDeadlineWarning,
  summarizeDealNotice,
} from './deal-notice-email.ts';
export { describeEmailOccasion, getEmailKindName } from './email-kinds.ts';
export { escapeHtml, type ListingQuestion } from './email-layout.ts';
export { getEmailLinkPageCsp, renderEmailLinkPage, type SiteContext } from './email-link-page.ts';
export type { HandoverChange } from './handover-email.ts';
export type { MailOf } from './mailer.ts';
export {
  createMembershipToken,
  decryptMembershipToken,
  type MembershipLink,
  membershipPath,
} from './membership-link.ts';
export type { NotificationDigest } from './notification-email.ts';
export type { CampusAddressAdvice } from './templates.ts';
export { toMessageExcerpt, type UnreadMessagesDigest } from './unread-email.ts';
export { decryptUnsubscribeToken, type UnsubscribeRequest, unsubscribePath } from './unsubscribe-link.ts';
