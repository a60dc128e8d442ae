import { findUnreadDigest, findWillingSeller } from '#server/features/conversations/public.ts';
import { findDealNotices } from '#server/features/deals/public.ts';
import { findNotificationDigest } from '#server/features/notifications/public.ts';
import type { MailContents } from '#server/mail/mail-job.ts';

/** The functions of features that read the content of emails at the moment when the emails are sent. */
export const mailContents: MailContents = {
  findWillingSeller,
  findUnreadDigest,
  findDealNotices,
  findNotificationDigest,
};
