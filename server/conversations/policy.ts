import type { ErrorCode } from '#contract/errors.ts';
import { newConversations } from '#contract/limits.ts';

/** Returns why a person may not open a conversation about a listing; undefined when they may. */
export const refuseNewConversation = (
  listing: { user_id: string } | undefined,
  userId: string,
): ErrorCode | undefined => {
  if (!listing) return 'listing_not_found';
  return listing.user_id === userId ? 'own_listing' : undefined;
};

/** Returns why a message was refused, given the conversation as its sender sees it. */
export const refuseSending = (conversation: object | undefined): ErrorCode =>
  conversation ? 'recipient_gone' : 'conversation_not_found';

/** Returns in how many seconds a person may start one more conversation; 0 when they may now. `startedAt` is in order. */
export const secondsUntilStart = (
  { joinedAt, startedAt }: { joinedAt: Date; startedAt: readonly Date[] },
  now: Date,
): number => {
  const isNew = now.getTime() - joinedAt.getTime() < newConversations.newForSeconds * 1000;
  const { points, seconds } = isNew ? newConversations.new : newConversations.known;
  // The oldest one that must leave the window before another may start.
  const earlier = startedAt.at(-points);
  const free = earlier ? earlier.getTime() + seconds * 1000 - now.getTime() : 0;
  return Math.max(0, Math.ceil(free / 1000));
};
