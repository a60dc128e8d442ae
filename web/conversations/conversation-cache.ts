import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import {
  type InboxPages,
  withConversation,
  withOtherReadSeq,
  withSentMessage,
  withUnreadCount,
} from './inbox.ts';
import { emptyThread, type Thread, type ThreadEvent, threadReducer } from './thread.ts';

/**
 * Maximum number of changed conversations to fetch individually; if more changed, the whole list is
 * fetched again.
 */
const maxIndividualRefreshes = 5;
/**
 * How long conversations and their messages stay in memory after the person leaves the screen, in
 * milliseconds. Until then, they can be read without a connection.
 */
const cacheLifetimeMs = 60 * 60 * 1000;

export const inboxQueryKey = (ownId: string) => ['inbox', ownId] as const;
export const filteredInboxQueryKey = (ownId: string) => ['filtered-inbox', ownId] as const;
export const threadQueryKey = (ownId: string, conversationId: string) =>
  ['thread', ownId, conversationId] as const;
export const conversationByListingQueryKey = (ownId: string, listingId: string) =>
  ['conversation-about', ownId, listingId] as const;

for (const name of ['inbox', 'filtered-inbox', 'conversation'])
  queryClient.setQueryDefaults([name], { gcTime: cacheLifetimeMs });
// Structural sharing is unnecessary, because `threadReducer` already preserves the identity of
// unchanged objects.
queryClient.setQueryDefaults(['thread'], { gcTime: cacheLifetimeMs, structuralSharing: false });

/**
 * The query that loads the number of the person's unread messages in all conversations. Live events update
 * the cached number, and loading the inbox fetches it again.
 */
export const unreadTotalQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['unread-total', ownId],
    queryFn: async () => (await request(calls.countUnread, {})).unread_total,
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export const setUnreadTotal = (ownId: string, total: number): void => {
  const { queryKey } = unreadTotalQuery(ownId);
  queryClient.setQueryData(queryKey, total);
  // The response to a request in progress may be older than `total`, so cancel the request.
  void queryClient.cancelQueries({ queryKey, exact: true });
};

export const refreshUnreadTotal = (ownId: string): void => {
  queryClient.fetchQuery({ ...unreadTotalQuery(ownId), staleTime: 0 }).catch(() => {
    // If the fetch fails, the previous number of unread messages stays in the cache.
  });
};

const visibleConversationIds = new Set<string>();

/**
 * Marks a conversation as visible until the returned function is called. Messages of a visible
 * conversation never count as unread.
 */
export const markConversationVisible = (conversationId: string): (() => void) => {
  visibleConversationIds.add(conversationId);
  return () => visibleConversationIds.delete(conversationId);
};

export const isConversationOnScreen = (conversationId: string): boolean =>
  visibleConversationIds.has(conversationId);

/** Refetches all loaded pages of the inbox. If a fetch is already in progress, it is canceled first. */
export const refetchInbox = async (ownId: string): Promise<void> => {
  const filters = { queryKey: inboxQueryKey(ownId) };
  void queryClient.invalidateQueries({ queryKey: filteredInboxQueryKey(ownId) });
  await queryClient.cancelQueries(filters);
  await queryClient.invalidateQueries(filters);
};

/** Changes the inbox if it is loaded. A fetch in progress would overwrite the change, so the fetch is restarted. */
const updateInbox = (ownId: string, change: (inbox: InboxPages) => InboxPages): void => {
  const queryKey = inboxQueryKey(ownId);
  queryClient.setQueryData<InboxPages>(queryKey, (inbox) => inbox && change(inbox));
  void queryClient.invalidateQueries({ queryKey: filteredInboxQueryKey(ownId) });
  if (queryClient.isFetching({ queryKey }) > 0) void refetchInbox(ownId);
};

const clearUnreadIfVisible = (conversation: Conversation): Conversation =>
  isConversationOnScreen(conversation.id) ? { ...conversation, unread_count: 0 } : conversation;

/**
 * Fetches the given conversations again and updates their inbox rows. Does nothing unless the inbox
 * is on screen.
 */
export const refreshConversations = (ownId: string, ids: readonly string[]): void => {
  const inbox = queryClient.getQueryCache().find({ queryKey: inboxQueryKey(ownId) });
  if (!inbox?.isActive()) return;
  // If the open conversation is not in the loaded part of the inbox, a separate query holds it. Refetch that
  // query too.
  void queryClient.invalidateQueries({ queryKey: ['conversation', ownId] });
  if (ids.length > maxIndividualRefreshes) {
    void refetchInbox(ownId);
    return;
  }
  for (const id of ids) {
    request(calls.getConversation, { params: { id } }).then(
      (next) => updateInbox(ownId, (pages) => withConversation(pages, clearUnreadIfVisible(next))),
      () => refetchInbox(ownId),
    );
  }
};

/**
 * Refetches the conversation for each open message dialog whose listing had no conversation yet, because it
 * may exist now.
 */
export const refetchMissingConversations = (ownId: string): void => {
  void queryClient.invalidateQueries({
    queryKey: ['conversation-about', ownId],
    predicate: ({ state }) => {
      const found = state.data as { conversation: Conversation | null } | undefined;
      return found !== undefined && !found.conversation?.last_message;
    },
  });
};

export const getCachedThread = (ownId: string, conversationId: string): Thread =>
  queryClient.getQueryData<Thread>(threadQueryKey(ownId, conversationId)) ?? emptyThread;

/**
 * Merges an event into the cached thread and returns the resulting thread. The result is cached too, unless
 * no thread was cached and the event contains only newly arrived or unsent messages.
 */
export const updateCachedThread = (ownId: string, conversationId: string, event: ThreadEvent): Thread => {
  const queryKey = threadQueryKey(ownId, conversationId);
  const cached = queryClient.getQueryCache().find({ queryKey }) !== undefined;
  const thread = threadReducer(getCachedThread(ownId, conversationId), event);
  if (cached || event.kind === 'loaded' || event.kind === 'older')
    queryClient.setQueryData<Thread>(queryKey, thread);
  return thread;
};

/**
 * Updates the inbox and the thread after the server has stored the person's own message. `seenSeq` is the seq
 * up to which the person had seen the thread when writing it.
 */
export const applySentMessage = (message: Message, seenSeq?: number): void => {
  const { sender_id: ownId, conversation_id } = message;
  if (!ownId) return;
  const readSeq = isConversationOnScreen(conversation_id) ? undefined : seenSeq;
  updateInbox(ownId, (inbox) => withSentMessage(inbox, message, readSeq));
  updateCachedThread(ownId, conversation_id, { kind: 'arrived', messages: [message] });
};

/**
 * Makes an open message dialog display the conversation that the person's first message just
 * created.
 */
export const applyStartedConversation = (
  listingId: string,
  conversation: Conversation,
  message: Message,
): void => {
  const ownId = message.sender_id;
  if (!ownId) return;
  // A seq above 1 means that another tab has already sent messages in this conversation. In this case, do
  // not cache the thread, so that all of its messages are fetched from the server.
  if (message.seq === 1)
    updateCachedThread(ownId, conversation.id, { kind: 'loaded', messages: [message], more: false });
  queryClient.setQueryData(conversationByListingQueryKey(ownId, listingId), {
    conversation: { ...conversation, last_message: message, updated_at: message.created_at },
  });
};

/** Stores up to which seq the other party of a conversation has read. */
export const applySeen = (ownId: string, conversationId: string, seq: number): void => {
  const change = (conversation: Conversation) =>
    conversation.id === conversationId ? withOtherReadSeq(conversation, seq) : conversation;
  for (const queryKey of [inboxQueryKey(ownId), filteredInboxQueryKey(ownId)]) {
    queryClient.setQueriesData<InboxPages>(
      { queryKey },
      (inbox) =>
        inbox && {
          ...inbox,
          pages: inbox.pages.map((page) => ({ ...page, items: page.items.map(change) })),
        },
    );
    // A fetch in progress would overwrite the change.
    if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey });
  }
  queryClient.setQueriesData<Conversation>(
    { queryKey: ['conversation', ownId, conversationId] },
    (conversation) => conversation && change(conversation),
  );
  queryClient.setQueriesData<{ conversation: Conversation | null }>(
    { queryKey: ['conversation-about', ownId] },
    (found) => found && { conversation: found.conversation && change(found.conversation) },
  );
};

/** Updates the total of unread messages and the inbox row of a conversation that was marked as read. */
export const applyReadMark = (ownId: string, conversationId: string, unreadTotal: number): void => {
  setUnreadTotal(ownId, unreadTotal);
  updateInbox(ownId, (inbox) => withUnreadCount(inbox, conversationId, 0));
};

/** Updates the inbox after the person archived, muted or marked a conversation. */
export const applyChangedConversation = (ownId: string, conversation: Conversation): void => {
  updateInbox(ownId, (inbox) => withConversation(inbox, conversation));
  queryClient.setQueryData(
    ['conversation', ownId, conversation.id],
    (open?: Conversation) => open && conversation,
  );
  refreshUnreadTotal(ownId);
};
