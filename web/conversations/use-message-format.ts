import { useCallback } from 'react';
import type { Conversation, Message } from '#contract/conversations.ts';
import { formatEventLine } from '#contract/deal-event-lines.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { getOtherParty } from './other-party.ts';

/** A function that returns the text of a message or, for an event line, the sentence that describes the event. */
export type MessageFormatter = (message: Pick<Message, 'message_text' | 'data'>) => string;

/**
 * Returns a function that formats a message for the signed-in person. Event lines are worded for the buyer or
 * for the seller.
 */
export const useMessageFormatter = (
  conversation: Pick<Conversation, 'buyer_id' | 'other' | 'listing'>,
  ownId: string,
): MessageFormatter => {
  const campus = useCampus();
  const { name: otherName } = getOtherParty(conversation);
  const { is_sale_asked: isSaleAsked } = conversation.listing;
  const party = conversation.buyer_id === ownId ? 'buyer' : 'seller';
  return useCallback(
    ({ message_text, data }) =>
      // If this version of the code does not know the event, display the text stored by the server, which
      // is worded for both parties.
      (data && formatEventLine(data, party, { otherName, campus, isSaleAsked })) || message_text,
    [party, otherName, campus, isSaleAsked],
  );
};
