import type { ErrorCode } from '#contract/errors.ts';
import { newConversationLimits } from '#contract/limits.ts';

/** Returns the error when a person may not open a conversation about a listing; undefined when they may. */
export const findOpenConversationError = (
  listing: { user_id: string; may_contact: boolean } | undefined,
  userId: string,
): ErrorCode | undefined => {
  if (!listing) return 'listing_not_found';
  if (listing.user_id === userId) return 'own_listing';
  return listing.may_contact ? undefined : 'contact_refused';
};

/** Returns why a message could not be stored, given the conversation as its sender sees it. */
export const toSendMessageError = (conversation: object | undefined): ErrorCode =>
  conversation ? 'recipient_gone' : 'conversation_not_found';

/**
 * Returns the seconds until a person may start another conversation; 0 when they may start one now. `startedAt` is in
 * ascending order.
 */
export const getSecondsUntilNextConversation = (
  { joinedAt, startedAt }: { joinedAt: Date; startedAt: readonly Date[] },
  now: Date,
): number => {
  const isNew = now.getTime() - joinedAt.getTime() < newConversationLimits.newForSeconds * 1000;
  const { points, seconds } = isNew ? newConversationLimits.new : newConversationLimits.known;
  // The limit allows `points` conversations per time window. The next one is allowed when this
  // conversation, the `points`th newest, is no longer in the window.
  const earlier = startedAt.at(-points);
  const free = earlier ? earlier.getTime() + seconds * 1000 - now.getTime() : 0;
  return Math.max(0, Math.ceil(free / 1000));
};
