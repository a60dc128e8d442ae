import { useEffect, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { applyRead, markConversationVisible } from './conversation-cache.ts';
import { createReadMarks } from './read-marks.ts';
import { lastContiguousSeq, type Thread } from './thread.ts';

const usePageVisible = (): boolean => {
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
  applyRead(ownId, id, unread_total);
};

/** Reports to the server how far the person has read while the thread is visible. The component needs the conversation id as its `key`. */
export const useReadMark = (conversation: Conversation, thread: Thread, ownId: string): void => {
  const { id } = conversation;
  const visible = usePageVisible();
  const [marks] = useState(() =>
    createReadMarks(conversation.unread_count > 0 ? 0 : (conversation.last_message?.seq ?? 0), (seq) =>
      markRead(ownId, id, seq),
    ),
  );
  const inSight = visible && thread.loaded;
  useEffect(() => (inSight ? markConversationVisible(id) : undefined), [inSight, id]);

  const seq = lastContiguousSeq(thread) ?? 0;
  const foreign = thread.stored.findLast(({ sender_id }) => sender_id !== ownId)?.seq ?? 0;
  useEffect(() => marks.see({ seq, foreign, visible }), [marks, seq, foreign, visible]);
  useEffect(() => marks.leave, [marks]);
};
