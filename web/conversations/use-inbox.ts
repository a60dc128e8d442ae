import { useCallback, useEffect, useMemo, useRef } from 'react';
import { calls } from '#contract/calls.ts';
import type { Conversation, Inbox } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { type Loaded, useLoad } from '#web/lib/use-load.ts';
import { withConversation, withNextPage, withSent, withUnread } from './inbox.ts';
import { onSent } from './outbox.ts';
import { isInSight, onUnread, setUnreadTotal } from './unread.ts';

/** How long news is gathered before it is asked for, in milliseconds. */
const gatherMs = 150;
/** News of more conversations than this at once: the whole list is read again. */
const oneByOneAtMost = 5;

export interface LiveInbox extends Omit<Loaded<Inbox>, 'setData'> {
  /** Loads the page after those that are shown. */
  loadMore: () => Promise<void>;
  noteRead: (conversationId: string) => void;
}

/** Reads as many conversations as were shown before, page by page; at least the first page. */
const readInbox = async (shown: number, signal: AbortSignal): Promise<Inbox> => {
  request(calls.countUnread, { signal }).then(
    ({ unread_total }) => setUnreadTotal(unread_total),
    () => undefined,
  );
  let inbox = await request(calls.listConversations, { query: {}, signal });
  while (inbox.items.length < shown && inbox.next_cursor !== null) {
    const query = { cursor: inbox.next_cursor };
    inbox = withNextPage(inbox, await request(calls.listConversations, { query, signal }));
  }
  return inbox;
};

/** What lies open is being read this moment. */
const asSeen = (conversation: Conversation): Conversation =>
  isInSight(conversation.id) ? { ...conversation, unread_count: 0 } : conversation;

/** The list of conversations, kept current by the user's own topic and by what this tab does itself. */
export const useInbox = (ownId: string): LiveInbox => {
  const shown = useRef<Inbox>(undefined);
  const { data, error, loading, reload, setData } = useLoad(`inbox of ${ownId}`, (signal) =>
    readInbox(shown.current?.items.length ?? 0, signal),
  );
  shown.current = data;

  useEffect(() => {
    const heardOf = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;

    const readOne = (id: string): void => {
      request(calls.getConversation, { params: { id } }).then(
        (next) => setData((inbox) => withConversation(inbox, asSeen(next))),
        reload,
      );
    };
    const ask = (): void => {
      timer = undefined;
      if (heardOf.size > oneByOneAtMost) reload();
      else for (const id of heardOf) readOne(id);
      heardOf.clear();
    };
    const stopHearing = onUnread((event) => {
      if (!event) return reload();
      heardOf.add(event.conversation_id);
      timer ??= setTimeout(ask, gatherMs);
    });
    const stopSending = onSent((message) => setData((inbox) => withSent(inbox, message)));
    return () => {
      stopHearing();
      stopSending();
      clearTimeout(timer);
    };
  }, [reload, setData]);

  const loadMore = useCallback(async () => {
    const cursor = shown.current?.next_cursor;
    if (!cursor) return;
    const page = await request(calls.listConversations, { query: { cursor } });
    setData((inbox) => (inbox.next_cursor === cursor ? withNextPage(inbox, page) : inbox));
  }, [setData]);

  const noteRead = useCallback((id: string) => setData((inbox) => withUnread(inbox, id, 0)), [setData]);

  return useMemo(
    () => ({ data, error, loading, reload, loadMore, noteRead }),
    [data, error, loading, reload, loadMore, noteRead],
  );
};
