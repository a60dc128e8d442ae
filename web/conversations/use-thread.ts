import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { calls } from '#contract/calls.ts';
import { type Message, messageSchema } from '#contract/conversations.ts';
import { toConversationTopic } from '#contract/realtime.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { getReachability, onReachabilityChange } from '#web/lib/reachability.ts';
import { subscribeToTopic } from '#web/lib/socket.ts';
import { getCachedThread, threadQueryKey, updateCachedThread } from './conversation-cache.ts';
import { removeDeliveredMessages } from './outbox.ts';
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

export interface UseThreadResult {
  thread: Thread;
  /** Whether the first load failed; `reload` tries again. */
  failed: boolean;
  reload: () => void;
  loadOlder: () => Promise<boolean>;
}

/**
 * Fetches the newest page of a thread. If the thread is cached, fetches only messages that are
 * newer than the cached ones.
 */
const fetchThread = async (ownId: string, id: string): Promise<Thread> => {
  if (!getCachedThread(ownId, id).loaded) {
    const { items, more } = await request(calls.listMessages, { params: { id }, query: {} });
    return threadReducer(getCachedThread(ownId, id), { kind: 'loaded', messages: items, more });
  }
  for (;;) {
    const after_seq = getLastContiguousSeq(getCachedThread(ownId, id)) ?? 0;
    const query = { after_seq, limit: catchUpPageSize };
    const { items, more } = await request(calls.listMessages, { params: { id }, query });
    const thread = updateCachedThread(ownId, id, { kind: 'arrived', messages: items });
    if (!more || items.length === 0) return thread;
  }
};

/** Merges live messages of a thread into the cache until the returned function is called. */
const subscribeToThread = (ownId: string, id: string): (() => void) => {
  let gathered: Message[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const merge = (messages: readonly Message[]) =>
    updateCachedThread(ownId, id, { kind: 'arrived', messages });
  const flush = () => {
    timer = undefined;
    if (gathered.length > 0) merge(gathered);
    gathered = [];
  };
  const leave = subscribeToTopic(toConversationTopic(id), {
    afterSeq: () => getLastContiguousSeq(getCachedThread(ownId, id)),
    on: {
      message: (payload) => {
        const message = messageSchema.safeParse(payload).data;
        if (!message) return;
        if (timer) gathered.push(message);
        else merge([message]);
        timer ??= setTimeout(flush, liveMessageBatchMs);
      },
    },
  });
  return () => {
    leave();
    clearTimeout(timer);
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

  useEffect(() => (loaded ? subscribeToThread(ownId, id) : undefined), [ownId, id, loaded]);

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

  const loadOlder = async (): Promise<boolean> => {
    const before_seq = stored[0]?.seq;
    if (before_seq === undefined) return false;
    const { items, more } = await request(calls.listMessages, { params: { id }, query: { before_seq } });
    updateCachedThread(ownId, id, { kind: 'older', messages: items, more });
    return more;
  };

  return { thread, failed, reload, loadOlder };
};
