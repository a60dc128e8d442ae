import type { NotificationKind } from '#contract/notifications.ts';

/** For each kind of email, the part of a sentence that says when such emails are sent. */
const occasions: Record<NotificationKind, string> = {
  messages: 'when somebody writes to you while you are away',
  deals: 'before deadlines of your deals',
  availability: 'when it is time to say whether your listings are still available',
  reviews: 'when somebody has reviewed you',
  saved_listings: 'when a listing you saved changes',
  saved_searches: 'when something new matches a search you saved',
  moderation: 'when a moderator changes one of your listings',
  security: 'when the security of your account is concerned',
};

/**
 * Returns the part of a sentence that says when emails of a kind are sent. Links created by earlier versions
 * contain no kind; they switch off emails about messages and about deals.
 */
export const describeEmailOccasion = (kind: NotificationKind | undefined): string =>
  kind === undefined ? `${occasions.messages}, or ${occasions.deals}` : occasions[kind];

const names: Record<NotificationKind, string> = {
  messages: 'new messages',
  deals: 'your deals',
  availability: 'the availability of your listings',
  reviews: 'reviews',
  saved_listings: 'saved listings',
  saved_searches: 'saved searches',
  moderation: 'decisions of moderators',
  security: 'security',
};

/**
 * Returns a name for the emails of a kind. Links created by earlier versions contain no kind; only emails
 * about new messages contained such links.
 */
export const getEmailKindName = (kind: NotificationKind | undefined): string => names[kind ?? 'messages'];
