import type { DealNoticeDigest } from './deal-notice-email.ts';
import type {
  DealNoticesMail,
  FirstMessageMail,
  UnreadMessagesDigest,
  UnreadMessagesMail,
} from './mailer.ts';

// Legacy: remove with the last factory that implements them; see MailContents.

export interface UnreadMailSource {
  findWillingSeller(mail: FirstMessageMail): Promise<{ id: string; wantsQuotes: boolean } | undefined>;
  findUnread(mail: UnreadMessagesMail): Promise<UnreadMessagesDigest | undefined>;
}
export interface DealNoticeSource {
  findNotices(mail: DealNoticesMail): Promise<DealNoticeDigest | 'quiet' | undefined>;
}
