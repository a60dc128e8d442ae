import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { calls } from '#contract/calls.ts';
import { type Message, messageSchema } from '#contract/conversations.ts';
import { conversationTopic } from '#contract/realtime.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { getReachability, onReachabilityChange } from '#web/lib/reachability.ts';
import { subscribeToTopic } from '#web/lib/socket.ts';
import { changeThread, findThread, threadKey } from './conversation-cache.ts';
import { settle } from './outbox.ts';
import {
  cacheablePart,
  caughtUpTo,
  emptyThread,
  hasGap,
  ownOf,
  type Thread,
  threadReducer,
} from './thread.ts';

const catchUpPageSize = 500;
/** How much of a thread stays in memory after it was left. */
const cachedMessagesAtMost = 200;
/** After one live message the next ones are collected this long, in milliseconds, so that a flood renders rarely. */
const gatherMs = 40;
/** Messages out of order usually arrive within a moment; a gap that stays longer is requested. In milliseconds. */
const healMs = 500;
/** Delay before retrying to fill a gap, in milliseconds. */
const againMs = 5000;

export interface LiveThread {
  thread: Thread;
  /** The first load failed; `reload` tries again. */
  failed: boolean;
  reload: () => void;
  loadOlder: () => Promise<boolean>;
}

/** Reads the newest page of a thread; of one that is cached, what came since. */
const readThread = async (ownId: string, id: string): Promise<Thread> => {
  if (!findThread(ownId, id).loaded) {
    const { items, more } = await request(calls.listMessages, { params: { id }, query: {} });
    return threadReducer(findThread(ownId, id), { kind: 'loaded', messages: items, more });
  }
  for (;;) {
    const after_seq = caughtUpTo(findThread(ownId, id)) ?? 0;
    const query = { after_seq, limit: catchUpPageSize };
    const { items, more } = await request(calls.listMessages, { params: { id }, query });
    const thread = changeThread(ownId, id, { kind: 'arrived', messages: items });
    if (!more || items.length === 0) return thread;
  }
};

/** Merges live messages of a thread into the cache until the returned function is called. */
const followThread = (ownId: string, id: string): (() => void) => {
  let gathered: Message[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const merge = (messages: readonly Message[]) => changeThread(ownId, id, { kind: 'arrived', messages });
  const flush = () => {
    timer = undefined;
    if (gathered.length > 0) merge(gathered);
    gathered = [];
  };
  const leave = subscribeToTopic(conversationTopic(id), {
    afterSeq: () => caughtUpTo(findThread(ownId, id)),
    on: {
      message: (payload) => {
        const message = messageSchema.safeParse(payload).data;
        if (!message) return;
        if (timer) gathered.push(message);
        else merge([message]);
        timer ??= setTimeout(flush, gatherMs);
      },
    },
  });
  return () => {
    leave();
    clearTimeout(timer);
  };
};

/**
 * One conversation, live. It reads the newest page and joins with the newest seq it has; the server delivers everything
 * after that, so nothing is lost between reading and listening, nor while the connection was lost. A gap that remains is
 * requested.
 */
export const useThread = (id: string, ownId: string): LiveThread => {
  const queryKey = threadKey(ownId, id);
  const {
    data: thread = emptyThread,
    isError,
    refetch,
  } = useQuery({ queryKey, queryFn: () => readThread(ownId, id) }, queryClient);
  const { loaded, stored } = thread;

  const failed = isError && !loaded;
  const reload = useCallback(() => void refetch(), [refetch]);
  useEffect(
    () => (failed ? onReachabilityChange(() => getReachability() === 'live' && reload()) : undefined),
    [failed, reload],
  );

  useEffect(() => (loaded ? followThread(ownId, id) : undefined), [ownId, id, loaded]);

  // Only the newest part stays when the thread is left.
  useEffect(
    () => () => {
      queryClient.setQueryData<Thread>(
        threadKey(ownId, id),
        (left) => left && (cacheablePart(left, cachedMessagesAtMost) ?? left),
      );
    },
    [ownId, id],
  );

  useEffect(() => settle(id, ownOf(stored, ownId)), [id, ownId, stored]);

  const gap = hasGap(thread);
  useEffect(() => {
    if (!gap) return;
    let timer = setTimeout(function ask() {
      refetch({ throwOnError: true }).catch(() => {
        timer = setTimeout(ask, againMs);
      });
    }, healMs);
    return () => clearTimeout(timer);
  }, [gap, refetch]);

  const loadOlder = async (): Promise<boolean> => {
    const before_seq = stored[0]?.seq;
    if (before_seq === undefined) return false;
    const { items, more } = await request(calls.listMessages, { params: { id }, query: { before_seq } });
    changeThread(ownId, id, { kind: 'older', messages: items, more });
    return more;
  };

  return { thread, failed, reload, loadOlder };
};
