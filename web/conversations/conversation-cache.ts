import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { type InboxPages, withConversation, withSent, withUnread } from './inbox.ts';
import { emptyThread, type Thread, type ThreadEvent, threadReducer } from './thread.ts';

/** With more changed conversations than this, the whole list is read again. */
const oneByOneAtMost = 5;
/** How long the messages of a conversation stay in memory after it was left, in milliseconds. */
const threadLifetimeMs = 60 * 60 * 1000;

export const inboxKey = (ownId: string) => ['inbox', ownId] as const;
export const threadKey = (ownId: string, conversationId: string) =>
  ['thread', ownId, conversationId] as const;
export const conversationAboutKey = (ownId: string, listingId: string) =>
  ['conversation-about', ownId, listingId] as const;

// The reducer keeps the identity of what did not change.
queryClient.setQueryDefaults(['thread'], { gcTime: threadLifetimeMs, structuralSharing: false });

/** The person's unread messages over all conversations. The live channel sets it, and reading the inbox refreshes it. */
export const unreadTotalQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['unread-total', ownId],
    queryFn: async () => (await request(calls.countUnread, {})).unread_total,
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export const setUnreadTotal = (ownId: string, total: number): void => {
  queryClient.setQueryData(unreadTotalQuery(ownId).queryKey, total);
};

export const refreshUnreadTotal = (ownId: string): void => {
  queryClient.fetchQuery({ ...unreadTotalQuery(ownId), staleTime: 0 }).catch(() => {
    // The earlier total stays.
  });
};

const inSight = new Set<string>();

/** Marks a conversation as visible, until the returned function is called. Its messages never count as unread. */
export const keepInSight = (conversationId: string): (() => void) => {
  inSight.add(conversationId);
  return () => inSight.delete(conversationId);
};

export const isInSight = (conversationId: string): boolean => inSight.has(conversationId);

/** Reads all loaded pages of the inbox again, even if a read that began earlier has not returned yet. */
export const refetchInbox = async (ownId: string): Promise<void> => {
  const filters = { queryKey: inboxKey(ownId) };
  await queryClient.cancelQueries(filters);
  await queryClient.invalidateQueries(filters);
};

/** Changes the inbox if it is loaded. A read in progress would undo the change, so it starts again. */
const changeInbox = (ownId: string, change: (inbox: InboxPages) => InboxPages): void => {
  const queryKey = inboxKey(ownId);
  queryClient.setQueryData<InboxPages>(queryKey, (inbox) => inbox && change(inbox));
  if (queryClient.isFetching({ queryKey }) > 0) void refetchInbox(ownId);
};

const visibleAsRead = (conversation: Conversation): Conversation =>
  isInSight(conversation.id) ? { ...conversation, unread_count: 0 } : conversation;

/** Updates the rows of conversations that changed, while the inbox is on screen. */
export const refreshConversations = (ownId: string, ids: readonly string[]): void => {
  const inbox = queryClient.getQueryCache().find({ queryKey: inboxKey(ownId) });
  if (!inbox?.isActive()) return;
  if (ids.length > oneByOneAtMost) {
    void refetchInbox(ownId);
    return;
  }
  for (const id of ids) {
    request(calls.getConversation, { params: { id } }).then(
      (next) => changeInbox(ownId, (pages) => withConversation(pages, visibleAsRead(next))),
      () => refetchInbox(ownId),
    );
  }
};

/** Looks again for conversations about listings for which a dialog found none. */
export const refreshMissingConversations = (ownId: string): void => {
  void queryClient.invalidateQueries({
    queryKey: ['conversation-about', ownId],
    predicate: ({ state }) => {
      const found = state.data as { conversation: Conversation | null } | undefined;
      return found !== undefined && !found.conversation?.last_message;
    },
  });
};

export const findThread = (ownId: string, conversationId: string): Thread =>
  queryClient.getQueryData<Thread>(threadKey(ownId, conversationId)) ?? emptyThread;

/** Merges an event into a thread and returns the result. Messages that arrive for one that is not cached are ignored. */
export const changeThread = (ownId: string, conversationId: string, event: ThreadEvent): Thread => {
  const queryKey = threadKey(ownId, conversationId);
  const cached = queryClient.getQueryCache().find({ queryKey }) !== undefined;
  const thread = threadReducer(findThread(ownId, conversationId), event);
  if (cached || event.kind !== 'arrived') queryClient.setQueryData<Thread>(queryKey, thread);
  return thread;
};

/** Updates inbox and thread after the person's own message was stored. */
export const noteSent = (message: Message): void => {
  const { sender_id: ownId, conversation_id } = message;
  if (!ownId) return;
  changeInbox(ownId, (inbox) => withSent(inbox, message));
  changeThread(ownId, conversation_id, { kind: 'arrived', messages: [message] });
};

/** Has an open dialog show the conversation that the person's first message just started. */
export const noteStarted = (listingId: string, conversation: Conversation, message: Message): void => {
  const ownId = message.sender_id;
  if (!ownId) return;
  // Another tab may have written before; then the thread is read from the server.
  if (message.seq === 1)
    changeThread(ownId, conversation.id, { kind: 'loaded', messages: [message], more: false });
  queryClient.setQueryData(conversationAboutKey(ownId, listingId), {
    conversation: { ...conversation, last_message: message, updated_at: message.created_at },
  });
};

/** Updates the unread total and the row of a conversation after it was marked as read. */
export const noteRead = (ownId: string, conversationId: string, unreadTotal: number): void => {
  setUnreadTotal(ownId, unreadTotal);
  changeInbox(ownId, (inbox) => withUnread(inbox, conversationId, 0));
};
