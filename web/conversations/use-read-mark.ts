import { useEffect, useReducer, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { caughtUpTo, type Thread } from './thread.ts';
import { keepInSight, setUnreadTotal } from './unread.ts';

/** Between two marks of a conversation, in milliseconds: a flood of messages is no flood of marks. */
const restMs = 1000;
/** Before trying again after a failure, in milliseconds. */
const againMs = 5000;

const useVisible = (): boolean => {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
};

/** Notes on the server how far the reader has read, while the thread is in front of their eyes. */
export const useReadMark = (
  conversation: Conversation,
  thread: Thread,
  ownId: string,
  onRead: (conversationId: string) => void,
): void => {
  const { id } = conversation;
  const visible = useVisible();
  const seq = caughtUpTo(thread) ?? 0;
  const foreign = thread.stored.findLast((message) => message.sender_id !== ownId)?.seq ?? 0;
  const marked = useRef(conversation.unread_count > 0 ? 0 : (conversation.last_message?.seq ?? 0));
  const restUntil = useRef(0);
  const [, lookAgain] = useReducer((round: number) => round + 1, 0);

  const latest = useRef({ seq, unmarked: false });
  latest.current = { seq, unmarked: visible && foreign > marked.current };
  useEffect(
    () => () => {
      // Left within the rest: what was shown counts as read all the same.
      const { seq, unmarked } = latest.current;
      if (unmarked) request(calls.markRead, { params: { id }, body: { seq } }).catch(() => undefined);
    },
    [id],
  );

  const inSight = visible && thread.loaded;
  useEffect(() => (inSight ? keepInSight(id) : undefined), [inSight, id]);

  useEffect(() => {
    if (!visible || foreign <= marked.current) return undefined;
    const wait = restUntil.current - Date.now();
    if (wait > 0) {
      const timer = setTimeout(lookAgain, wait);
      return () => clearTimeout(timer);
    }
    const before = marked.current;
    marked.current = seq;
    restUntil.current = Date.now() + restMs;
    request(calls.markRead, { params: { id }, body: { seq } }).then(
      ({ unread_total }) => {
        setUnreadTotal(unread_total);
        onRead(id);
      },
      () => {
        marked.current = before;
        restUntil.current = Date.now() + againMs;
        lookAgain();
      },
    );
    return undefined;
  });
};
