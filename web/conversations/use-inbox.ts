import { useCallback, useEffect } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation, Inbox, Message } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { onUnread, setUnreadTotal } from '#web/lib/unread.ts';
import { type Loaded, useLoad } from '#web/lib/use-load.ts';

/** How long news is gathered before the list is read again, in milliseconds. */
const gatherMs = 150;

export interface LiveInbox extends Omit<Loaded<Inbox>, 'setData'> {
  noteSent: (message: Message) => void;
  noteRead: (conversationId: string) => void;
}

const change = (inbox: Inbox, id: string, next: (found: Conversation) => Conversation): Inbox => ({
  ...inbox,
  items: inbox.items.map((item) => (item.id === id ? next(item) : item)),
});

/** The list of conversations, kept current by the user's own topic and by what this screen does itself. */
export const useInbox = (ownId: string): LiveInbox => {
  const { data, error, loading, reload, setData } = useLoad(`inbox of ${ownId}`, (signal) =>
    request(calls.listConversations, { signal }),
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onUnread(() => {
      clearTimeout(timer);
      timer = setTimeout(reload, gatherMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [reload]);

  const total = data?.unread_total;
  useEffect(() => {
    if (total !== undefined) setUnreadTotal(total);
  }, [total]);

  const noteSent = useCallback(
    (message: Message) =>
      setData((inbox) => {
        const id = message.conversation_id;
        const changed = change(inbox, id, (found) => ({ ...found, last_message: message }));
        const first = changed.items.filter((item) => item.id === id);
        return { ...changed, items: [...first, ...changed.items.filter((item) => item.id !== id)] };
      }),
    [setData],
  );

  const noteRead = useCallback(
    (id: string) => setData((inbox) => change(inbox, id, (found) => ({ ...found, unread_count: 0 }))),
    [setData],
  );

  return { data, error, loading, reload, noteSent, noteRead };
};
