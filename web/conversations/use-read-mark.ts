import { useEffect, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { setUnreadTotal } from '#web/lib/unread.ts';
import { caughtUpTo, type Thread } from './thread.ts';

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

  useEffect(() => {
    if (!visible || foreign <= marked.current) return;
    const before = marked.current;
    marked.current = seq;
    request(calls.markRead, { params: { id }, body: { seq } }).then(
      ({ unread_total }) => {
        setUnreadTotal(unread_total);
        onRead(id);
      },
      () => {
        marked.current = before;
      },
    );
  }, [visible, foreign, seq, id, onRead]);
};
