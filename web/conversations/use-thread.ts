import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import { type Message, messageSchema } from '#contract/conversations.ts';
import { conversationTopic } from '#contract/realtime.ts';
import { request } from '#web/lib/api.ts';
import { onReachabilityChange, reachabilityNow } from '#web/lib/reachability.ts';
import { subscribe } from '#web/lib/socket.ts';
import { onSent, settle } from './outbox.ts';
import { caughtUpTo, hasGap, ownOf, type Thread, threadReducer } from './thread.ts';
import { cacheThread, findCachedThread } from './thread-cache.ts';

const pageOfCatchingUp = 500;
/** After one live message the next ones are gathered for so long, in milliseconds: a flood is drawn in few strokes. */
const gatherMs = 40;
/** Out of order mostly heals by itself within a moment; a gap that stays longer is asked for. In milliseconds. */
const healMs = 500;
/** Before asking again after a failure, in milliseconds. */
const againMs = 5000;

export interface LiveThread {
  thread: Thread;
  /** The first load failed; `reload` tries again. */
  failed: boolean;
  reload: () => void;
  loadOlder: () => Promise<boolean>;
}

/**
 * One conversation, live. It reads the newest page and joins naming the newest seq it holds; the server
 * delivers everything after that, so nothing falls between reading and listening, nor while the connection
 * was lost. A gap that remains is asked for.
 * Use it under a `key` of the conversation: its state belongs to one.
 */
export const useThread = (id: string, ownId: string): LiveThread => {
  const [thread, dispatch] = useReducer(threadReducer, id, findCachedThread);
  const [failed, setFailed] = useState(false);
  const [round, setRound] = useState(0);
  const newest = useRef(thread);
  newest.current = thread;

  const take = useCallback((messages: readonly Message[]) => dispatch({ kind: 'arrived', messages }), []);

  const catchUp = useCallback(async (): Promise<void> => {
    for (let held = newest.current; ; ) {
      const after_seq = caughtUpTo(held);
      if (after_seq === undefined) return;
      const query = { after_seq, limit: pageOfCatchingUp };
      const { items, more } = await request(calls.listMessages, { params: { id }, query });
      take(items);
      if (!more || items.length === 0) return;
      held = threadReducer(held, { kind: 'arrived', messages: items });
    }
  }, [id, take]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again
  useEffect(() => {
    let current = true;
    setFailed(false);
    if (newest.current.loaded) {
      // Recalled from before: the join brings what came since, and so does this, whichever is first.
      catchUp().catch(() => undefined);
      return;
    }
    request(calls.listMessages, { params: { id }, query: {} }).then(
      ({ items, more }) => current && dispatch({ kind: 'loaded', messages: items, more }),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [id, round, catchUp]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(
    () => (failed ? onReachabilityChange(() => reachabilityNow() === 'live' && reload()) : undefined),
    [failed, reload],
  );

  const { loaded } = thread;
  useEffect(() => {
    if (!loaded) return;
    let gathered: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      if (gathered.length > 0) take(gathered);
      gathered = [];
    };
    const gather = (message: Message) => {
      if (timer) gathered.push(message);
      else take([message]);
      timer ??= setTimeout(flush, gatherMs);
    };
    const leave = subscribe(conversationTopic(id), {
      afterSeq: () => caughtUpTo(newest.current),
      on: {
        message: (payload) => {
          const message = messageSchema.safeParse(payload);
          if (message.success) gather(message.data);
        },
      },
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [id, loaded, take]);

  useEffect(() => onSent((message) => message.conversation_id === id && take([message])), [id, take]);

  const { stored } = thread;
  useEffect(() => settle(id, ownOf(stored, ownId)), [id, ownId, stored]);
  useEffect(() => cacheThread(id, thread), [id, thread]);

  const gap = hasGap(thread);
  useEffect(() => {
    if (!gap) return;
    let timer = setTimeout(function ask() {
      catchUp().catch(() => {
        timer = setTimeout(ask, againMs);
      });
    }, healMs);
    return () => clearTimeout(timer);
  }, [gap, catchUp]);

  const loadOlder = async (): Promise<boolean> => {
    const before_seq = thread.stored[0]?.seq;
    if (before_seq === undefined) return false;
    const { items, more } = await request(calls.listMessages, { params: { id }, query: { before_seq } });
    dispatch({ kind: 'older', messages: items, more });
    return more;
  };

  return { thread, failed, reload, loadOlder };
};
