import type { ErrorCode } from '#contract/errors.ts';
import { openings } from '#contract/limits.ts';

/** Why a person may not open a conversation about a listing; undefined when they may. */
export const refuseOpening = (
  listing: { user_id: string } | undefined,
  userId: string,
): ErrorCode | undefined => {
  if (!listing) return 'listing_not_found';
  return listing.user_id === userId ? 'own_listing' : undefined;
};

/** Why a message was not taken, judged by the conversation as its sender sees it. */
export const refuseSending = (conversation: object | undefined): ErrorCode =>
  conversation ? 'recipient_gone' : 'conversation_not_found';

/** In how many seconds a person may open one more conversation; 0 when they may now. `openedAt` is in order. */
export const secondsUntilOpening = (
  { joinedAt, openedAt }: { joinedAt: Date; openedAt: readonly Date[] },
  now: Date,
): number => {
  const isNew = now.getTime() - joinedAt.getTime() < openings.newForSeconds * 1000;
  const { points, seconds } = isNew ? openings.new : openings.known;
  // The one that must have left the window first.
  const earlier = openedAt.at(-points);
  const free = earlier ? earlier.getTime() + seconds * 1000 - now.getTime() : 0;
  return Math.max(0, Math.ceil(free / 1000));
};
