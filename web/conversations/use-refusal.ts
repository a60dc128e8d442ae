import { useEffect, useState } from 'react';
import { ApiError } from '#web/lib/api.ts';
import { onSendFailed, onSent } from './outbox.ts';

/** Returns why the last message of a conversation was refused, until one of its messages is stored. */
export const useRefusal = (conversationId: string): ApiError | undefined => {
  const [refusal, setRefusal] = useState<ApiError>();
  useEffect(
    () =>
      onSendFailed((reason, failedIn) => {
        if (failedIn === conversationId) setRefusal(reason instanceof ApiError ? reason : undefined);
      }),
    [conversationId],
  );
  useEffect(
    () => onSent((message) => message.conversation_id === conversationId && setRefusal(undefined)),
    [conversationId],
  );
  return refusal;
};
