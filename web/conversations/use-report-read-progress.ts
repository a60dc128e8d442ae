import { useEffect, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { applyReadMark, markConversationVisible } from './conversation-cache.ts';
import { createReadMarkTracker } from './read-marks.ts';
import { getLastContiguousSeq, type Thread } from './thread.ts';

const usePageVisible = (): boolean => {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
};

const markConversationRead = async (ownId: string, id: string, seq: number): Promise<void> => {
  const { unread_total } = await request(calls.markRead, { params: { id }, body: { seq } });
  applyReadMark(ownId, id, unread_total);
};

/**
 * Reports to the server how far the person has read a thread while the thread is visible. The calling
 * component must have the conversation's id as its `key`, because the hook keeps state for one
 * conversation only.
 */
export const useReportReadProgress = (conversation: Conversation, thread: Thread, ownId: string): void => {
  const { id } = conversation;
  const visible = usePageVisible();
  const [marks] = useState(() =>
    createReadMarkTracker(conversation.unread_count > 0 ? -1 : (conversation.last_message?.seq ?? 0), (seq) =>
      markConversationRead(ownId, id, seq),
    ),
  );
  const inSight = visible && thread.loaded;
  useEffect(() => (inSight ? markConversationVisible(id) : undefined), [inSight, id]);

  const seq = getLastContiguousSeq(thread) ?? 0;
  const foreign = thread.stored.findLast(({ sender_id }) => sender_id !== ownId)?.seq ?? 0;
  useEffect(() => marks.see({ seq, foreign, visible }), [marks, seq, foreign, visible]);
  useEffect(() => marks.leave, [marks]);
};
