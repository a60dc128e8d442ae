import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import { type Conversation, type Message, messageSchema } from '#contract/conversations.ts';
import { conversationTopic } from '#contract/realtime.ts';
import { request } from '#web/lib/api.ts';
import { newId } from '#web/lib/new-id.ts';
import { subscribe } from '#web/lib/socket.ts';
import { deliver, notifySeller } from './deliver.ts';
import { caughtUpTo, emptyThread, hasGap, type ReturnedText, type Thread, threadReducer } from './thread.ts';

const pageOfCatchingUp = 500;

export interface LiveThread {
  thread: Thread;
  /** The first load failed; `reload` tries again. */
  failed: boolean;
  reload: () => void;
  /** False while the live connection is lost. */
  connected: boolean;
  sending: boolean;
  /** Sends a text; one that came back keeps its name. Rejects when it could not be sent. */
  send: (text: string, again?: ReturnedText | null) => Promise<Message>;
  loadOlder: () => Promise<void>;
}

/**
 * One conversation, live. It reads the newest page and joins naming the newest seq it holds; the server
 * delivers everything after that, so nothing falls between reading and listening, nor while the connection
 * was lost. A gap that remains is asked for.
 * Use it under a `key` of the conversation: its state belongs to one.
 */
export const useThread = (conversation: Conversation): LiveThread => {
  const { id } = conversation;
  const [thread, dispatch] = useReducer(threadReducer, emptyThread);
  const [failed, setFailed] = useState(false);
  const [round, setRound] = useState(0);
  const [connected, setConnected] = useState(true);
  const [sending, setSending] = useState(false);
  const newest = useRef(thread);
  newest.current = thread;

  const catchUp = useCallback(async (): Promise<void> => {
    for (;;) {
      const after_seq = caughtUpTo(newest.current);
      if (after_seq === undefined) return;
      const query = { after_seq, limit: pageOfCatchingUp };
      const { items, more } = await request(calls.listMessages, { params: { id }, query });
      dispatch({ kind: 'arrived', messages: items });
      const last = items.at(-1);
      if (!more || !last) return;
      // The next page starts after this one even before the screen has taken it in.
      newest.current = threadReducer(newest.current, { kind: 'arrived', messages: items });
    }
  }, [id]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again
  useEffect(() => {
    let current = true;
    setFailed(false);
    request(calls.listMessages, { params: { id }, query: {} }).then(
      ({ items, more }) => current && dispatch({ kind: 'loaded', messages: items, more }),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [id, round]);

  const { loaded } = thread;
  useEffect(() => {
    if (!loaded) return;
    return subscribe(conversationTopic(id), {
      afterSeq: () => caughtUpTo(newest.current),
      on: {
        message: (payload) => {
          const message = messageSchema.safeParse(payload);
          if (message.success) dispatch({ kind: 'arrived', messages: [message.data] });
        },
      },
      onJoined: () => setConnected(true),
      onLost: () => setConnected(false),
    });
  }, [id, loaded]);

  const gap = hasGap(thread);
  useEffect(() => {
    // Out of order mostly heals by itself within a moment; a gap that stays is asked for.
    if (!gap) return;
    const timer = setTimeout(() => void catchUp().catch(() => undefined), 500);
    return () => clearTimeout(timer);
  }, [gap, catchUp]);

  const send = async (text: string, again?: ReturnedText | null): Promise<Message> => {
    const client_id = again?.message_text === text ? again.client_id : newId();
    const created_at = new Date().toISOString();
    dispatch({ kind: 'sending', message: { client_id, message_text: text, created_at } });
    setSending(true);
    try {
      const message = await deliver(conversation, { client_id, message_text: text });
      dispatch({ kind: 'arrived', messages: [message] });
      if (message.seq === 1) notifySeller(conversation, message);
      return message;
    } catch (error) {
      dispatch({ kind: 'failed', client_id });
      throw error;
    } finally {
      setSending(false);
    }
  };

  const loadOlder = async (): Promise<void> => {
    const before_seq = thread.stored[0]?.seq;
    if (before_seq === undefined) return;
    const { items, more } = await request(calls.listMessages, { params: { id }, query: { before_seq } });
    dispatch({ kind: 'older', messages: items, more });
  };

  return {
    thread,
    failed,
    reload: useCallback(() => setRound((current) => current + 1), []),
    connected,
    sending,
    send,
    loadOlder,
  };
};
