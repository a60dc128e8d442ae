import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toUserTopic, unreadEventSchema, userTopicReplySchema } from '#contract/realtime.ts';
import { refreshDeals } from '#web/deals/public.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { subscribeToTopic, type TopicHandlers } from '#web/lib/socket.ts';
import {
  isConversationOnScreen,
  refetchInbox,
  refetchMissingConversations,
  refreshConversations,
  setUnreadTotal,
  unreadTotalQuery,
} from './conversation-cache.ts';
import { resumeOutbox } from './sending.ts';

/** How long changed conversations are collected before they are fetched, in milliseconds. */
const refreshBatchMs = 150;

/**
 * Handlers that other features add for events of the person's own realtime topic. They share this
 * subscription, because a socket can join a topic only once.
 */
export interface AdditionalUserTopicHandlers {
  on: TopicHandlers['on'];
  /** Called when the number of unread messages has changed. */
  onUnread: () => void;
  onJoined: () => void;
}

/**
 * Subscribes to the person's own realtime topic and applies its events to the cached conversations.
 * Returns an unsubscribe function.
 */
export const subscribeToConversationUpdates = (
  ownId: string,
  others?: AdditionalUserTopicHandlers,
): (() => void) => {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    refreshConversations(ownId, [...changed]);
    changed.clear();
    void refreshDeals(ownId);
  };
  const leave = subscribeToTopic(toUserTopic(ownId), {
    on: {
      ...others?.on,
      unread: (payload) => {
        const event = unreadEventSchema.safeParse(payload).data;
        if (!event) return;
        const { conversation_id, unread_count, unread_total } = event;
        setUnreadTotal(
          ownId,
          isConversationOnScreen(conversation_id) ? unread_total - unread_count : unread_total,
        );
        changed.add(conversation_id);
        timer ??= setTimeout(refresh, refreshBatchMs);
        refetchMissingConversations(ownId);
        others?.onUnread();
      },
    },
    onJoined: (reply) => {
      const joined = userTopicReplySchema.safeParse(reply).data;
      if (joined) setUnreadTotal(ownId, joined.unread_total);
      // Events that were published before the join were not received, so the inbox is fetched
      // again.
      void refetchInbox(ownId);
      void refreshDeals(ownId);
      refetchMissingConversations(ownId);
      others?.onJoined();
    },
  });
  return () => {
    leave();
    clearTimeout(timer);
  };
};

/**
 * Updates the cached conversations on every screen and resumes sending queued messages. Returns the
 * number of unread messages.
 */
export const useConversationUpdates = (ownId: string, others: AdditionalUserTopicHandlers): number => {
  useEffect(() => subscribeToConversationUpdates(ownId, others), [ownId, others]);
  useEffect(() => resumeOutbox(ownId), [ownId]);
  return useQuery(unreadTotalQuery(ownId), queryClient).data;
};
