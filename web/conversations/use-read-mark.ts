import { useEffect, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { keepInSight, noteRead } from './conversation-cache.ts';
import { createReadMarks } from './read-marks.ts';
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

const markRead = async (ownId: string, id: string, seq: number): Promise<void> => {
  const { unread_total } = await request(calls.markRead, { params: { id }, body: { seq } });
  noteRead(ownId, id, unread_total);
};

/** Notes on the server how far the person has read, while the thread is visible. Use it under a `key` of the conversation. */
export const useReadMark = (conversation: Conversation, thread: Thread, ownId: string): void => {
  const { id } = conversation;
  const visible = useVisible();
  const [marks] = useState(() =>
    createReadMarks(conversation.unread_count > 0 ? 0 : (conversation.last_message?.seq ?? 0), (seq) =>
      markRead(ownId, id, seq),
    ),
  );
  const inSight = visible && thread.loaded;
  useEffect(() => (inSight ? keepInSight(id) : undefined), [inSight, id]);

  const seq = caughtUpTo(thread) ?? 0;
  const foreign = thread.stored.findLast(({ sender_id }) => sender_id !== ownId)?.seq ?? 0;
  useEffect(() => marks.see({ seq, foreign, visible }), [marks, seq, foreign, visible]);
  useEffect(() => marks.leave, [marks]);
};
