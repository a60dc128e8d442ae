import type { ErrorCode } from '#contract/errors.ts';

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
