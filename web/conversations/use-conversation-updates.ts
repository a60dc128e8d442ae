import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadEventSchema, userJoinedSchema, userTopic } from '#contract/realtime.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { subscribeToTopic } from '#web/lib/socket.ts';
import {
  isConversationVisible,
  refetchInbox,
  refreshConversations,
  refreshMissingConversations,
  setUnreadTotal,
  unreadTotalQuery,
} from './conversation-cache.ts';
import { resumeOutbox } from './sending.ts';

/** How long changed conversations are collected before they are fetched, in milliseconds. */
const refreshBatchMs = 150;

/** Subscribes to the person's own topic and applies its events to the cache. Returns an unsubscribe function. */
export const subscribeToConversationUpdates = (ownId: string): (() => void) => {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    refreshConversations(ownId, [...changed]);
    changed.clear();
  };
  const leave = subscribeToTopic(userTopic(ownId), {
    on: {
      unread: (payload) => {
        const event = unreadEventSchema.safeParse(payload).data;
        if (!event) return;
        const { conversation_id, unread_count, unread_total } = event;
        setUnreadTotal(
          ownId,
          isConversationVisible(conversation_id) ? unread_total - unread_count : unread_total,
        );
        changed.add(conversation_id);
        timer ??= setTimeout(refresh, refreshBatchMs);
        refreshMissingConversations(ownId);
      },
    },
    onJoined: (reply) => {
      const joined = userJoinedSchema.safeParse(reply).data;
      if (joined) setUnreadTotal(ownId, joined.unread_total);
      // Events that were sent before the join are lost.
      void refetchInbox(ownId);
      refreshMissingConversations(ownId);
    },
  });
  return () => {
    leave();
    clearTimeout(timer);
  };
};

/** Keeps the cached conversations up to date on every screen, resumes sending queued messages, and returns the number of unread messages. */
export const useConversationUpdates = (ownId: string): number => {
  useEffect(() => subscribeToConversationUpdates(ownId), [ownId]);
  useEffect(resumeOutbox, []);
  return useQuery(unreadTotalQuery(ownId), queryClient).data;
};
