import type { ErrorCode } from '#contract/errors.ts';

/** Returns the error when a person may not open a conversation about a listing, or undefined when they may. */
export const findConversationOpeningError = (
  listing: { user_id: string; may_contact: boolean } | undefined,
  userId: string,
): ErrorCode | undefined => {
  if (!listing) return 'listing_not_found';
  if (listing.user_id === userId) return 'own_listing';
  return listing.may_contact ? undefined : 'contact_refused';
};

/**
 * Returns the error for a message that could not be stored. `parties` is undefined when the sender is not one of the
 * conversation's parties.
 */
export const toSendMessageError = (
  parties: { buyer_id: string | null; seller_id: string | null } | undefined,
): ErrorCode => {
  if (!parties) return 'conversation_not_found';
  return parties.buyer_id !== null && parties.seller_id !== null ? 'contact_refused' : 'recipient_gone';
};
