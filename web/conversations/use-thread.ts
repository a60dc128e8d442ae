import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { calls } from '#contract/calls.ts';
import { type Message, messageSchema } from '#contract/conversations.ts';
import {
  seenEventSchema,
  toConversationTopic,
  typingDisplaySeconds,
  typingEventSchema,
} from '#contract/realtime.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { getReachability, onReachabilityChange } from '#web/lib/reachability.ts';
import { subscribeToTopic } from '#web/lib/socket.ts';
import { applySeen, getCachedThread, threadQueryKey, updateCachedThread } from './conversation-cache.ts';
import { removeDeliveredMessages, updateQuotes } from './outbox.ts';
import {
  emptyThread,
  filterOwnMessages,
  getLastContiguousSeq,
  hasMessageGap,
  type Thread,
  threadReducer,
  toCacheableThread,
} from './thread.ts';

const catchUpPageSize = 500;
/** Maximum number of messages of a thread that stay in memory after the person leaves it. */
const maxCachedMessages = 200;
/**
 * After a live message has been rendered, later ones are collected for this many milliseconds and rendered
 * together, so that a burst of messages causes few renders.
 */
const liveMessageBatchMs = 40;
/**
 * Delay in milliseconds before the client requests missing messages. Most of them are only late and
 * arrive within this time.
 */
const gapRequestDelayMs = 500;
/** Delay before retrying to fill a gap, in milliseconds. */
const gapRetryDelayMs = 5000;

/** How many messages are loaded before one that the person jumps to, so that its context is visible. */
const contextSize = 20;

/** Returns how many messages the next request asks for, to reach one that is `distance` messages away. */
const getLimit = (distance: number): number => Math.min(distance + contextSize, catchUpPageSize);

export interface UseThreadResult {
  thread: Thread;
  /** Whether the other party is typing. */
  isTyping: boolean;
  /** Whether the first load failed; `reload` tries again. */
  failed: boolean;
  reload: () => void;
  /** Loads an older page, or everything back to a seq. Resolves to whether the server has even older messages. */
  loadOlder: (backTo?: number) => Promise<boolean>;
}

/**
 * Fetches the newest page of a thread. If the thread is cached, fetches only messages that are
 * newer than the cached ones.
 */
const fetchThread = async (ownId: string, id: string): Promise<Thread> => {
  if (!getCachedThread(ownId, id).loaded) {
    const { items, more, unsent_count } = await request(calls.listMessages, { params: { id }, query: {} });
    return threadReducer(getCachedThread(ownId, id), {
      ...{ kind: 'loaded', messages: items, more, unsentCount: unsent_count },
    });
  }
  for (;;) {
    const cached = getCachedThread(ownId, id);
    const after_seq = getLastContiguousSeq(cached) ?? 0;
    const query = { after_seq, after_unsent: cached.unsentCount, limit: catchUpPageSize };
    const { items, more, unsent = [] } = await request(calls.listMessages, { params: { id }, query });
    mergeUnsent(ownId, id, unsent);
    const thread = updateCachedThread(ownId, id, { kind: 'arrived', messages: items });
    if (!more || items.length + unsent.length === 0) return thread;
  }
};

/** Merges messages that were unsent, in this order, since the thread was loaded or the last such event. */
const mergeUnsent = (ownId: string, id: string, messages: readonly Message[]): void => {
  const unsentCount = messages.at(-1)?.unsent_number;
  if (unsentCount !== undefined) updateCachedThread(ownId, id, { kind: 'unsent', messages, unsentCount });
};

/**
 * Merges live messages of a thread into the cache, and reports whether the other party is typing, until the returned
 * function is called.
 */
const subscribeToThread = (
  ownId: string,
  id: string,
  setIsTyping: (isTyping: boolean) => void,
): (() => void) => {
  let gathered: Message[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;
  const stopTyping = () => {
    clearTimeout(typingTimer);
    setIsTyping(false);
  };
  const merge = (messages: readonly Message[]) =>
    updateCachedThread(ownId, id, { kind: 'arrived', messages });
  const flush = () => {
    timer = undefined;
    if (gathered.length > 0) merge(gathered);
    gathered = [];
  };
  const leave = subscribeToTopic(toConversationTopic(id), {
    afterSeq: () => getLastContiguousSeq(getCachedThread(ownId, id)),
    afterUnsent: () => getCachedThread(ownId, id).unsentCount,
    on: {
      unsent: (payload) => {
        const message = messageSchema.safeParse(payload).data;
        if (message) mergeUnsent(ownId, id, [message]);
      },
      message: (payload) => {
        const message = messageSchema.safeParse(payload).data;
        if (!message) return;
        if (message.sender_id !== ownId) stopTyping();
        if (timer) gathered.push(message);
        else merge([message]);
        timer ??= setTimeout(flush, liveMessageBatchMs);
      },
      seen: (payload) => {
        const seen = seenEventSchema.safeParse(payload).data;
        if (seen) applySeen(ownId, id, seen.seq);
      },
      typing: (payload) => {
        const person = typingEventSchema.safeParse(payload).data?.user_id;
        if (!person || person === ownId) return;
        clearTimeout(typingTimer);
        typingTimer = setTimeout(stopTyping, typingDisplaySeconds * 1000);
        setIsTyping(true);
      },
    },
  });
  return () => {
    leave();
    clearTimeout(timer);
    stopTyping();
  };
};

/**
 * Returns a thread and updates it live. Loads the newest page, then joins the topic with the
 * highest contiguous seq, so that the server delivers all later messages, also after a reconnect.
 * If a gap remains, requests the missing messages.
 */
export const useThread = (id: string, ownId: string): UseThreadResult => {
  const queryKey = threadQueryKey(ownId, id);
  const {
    data: thread = emptyThread,
    isError,
    isFetching,
    refetch,
  } = useQuery({ queryKey, queryFn: () => fetchThread(ownId, id) }, queryClient);
  const { loaded, stored } = thread;
  const [isTyping, setIsTyping] = useState(false);

  const failed = isError && !loaded;
  const reload = useCallback(() => void refetch(), [refetch]);
  // If the person sent a message after the first load failed, the cache contains this message without the
  // earlier ones, so load those.
  const isIncomplete = !loaded && !isError && !isFetching;
  useEffect(() => {
    if (isIncomplete) reload();
  }, [isIncomplete, reload]);
  useEffect(
    () => (failed ? onReachabilityChange(() => getReachability() === 'live' && reload()) : undefined),
    [failed, reload],
  );

  useEffect(() => (loaded ? subscribeToThread(ownId, id, setIsTyping) : undefined), [ownId, id, loaded]);

  // Only the newest messages stay cached when the person leaves the thread.
  useEffect(
    () => () => {
      queryClient.setQueryData<Thread>(
        threadQueryKey(ownId, id),
        (left) => left && (toCacheableThread(left, maxCachedMessages) ?? left),
      );
    },
    [ownId, id],
  );

  useEffect(() => removeDeliveredMessages(id, filterOwnMessages(stored, ownId)), [id, ownId, stored]);

  useEffect(() => updateQuotes(id, stored), [id, stored]);

  const gap = hasMessageGap(thread);
  useEffect(() => {
    if (!gap) return;
    let timer = setTimeout(function ask() {
      refetch({ throwOnError: true }).catch(() => {
        timer = setTimeout(ask, gapRetryDelayMs);
      });
    }, gapRequestDelayMs);
    return () => clearTimeout(timer);
  }, [gap, refetch]);

  const loadOlder = async (backTo?: number): Promise<boolean> => {
    for (;;) {
      const before_seq = getCachedThread(ownId, id).stored[0]?.seq;
      if (before_seq === undefined) return false;
      const limit = backTo === undefined ? undefined : getLimit(before_seq - backTo);
      const query = { before_seq, limit };
      const { items, more } = await request(calls.listMessages, { params: { id }, query });
      updateCachedThread(ownId, id, { kind: 'older', messages: items, more });
      if (!more || backTo === undefined || (items[0]?.seq ?? 0) <= backTo) return more;
    }
  };

  return { thread, isTyping, failed, reload, loadOlder };
};
