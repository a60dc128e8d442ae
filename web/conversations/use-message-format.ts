import { useCallback } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { formatEventLine } from '#contract/deal-lines.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import type { FormatMessage } from './event-lines.ts';
import { getOtherParty } from './other-party.ts';

/** Returns a function that formats the messages of a conversation for the person who reads it. */
export const useMessageFormat = (
  conversation: Pick<Conversation, 'buyer_id' | 'other'>,
  ownId: string,
): FormatMessage => {
  const campus = useCampus();
  const { name: otherName } = getOtherParty(conversation);
  const party = conversation.buyer_id === ownId ? 'buyer' : 'seller';
  return useCallback(
    ({ message_text, data }) =>
      // The neutral sentence also describes lines that this version does not know.
      (data && formatEventLine(data, party, { otherName, campus })) || message_text,
    [party, otherName, campus],
  );
};
