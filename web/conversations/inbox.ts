import type { InfiniteData } from '@tanstack/react-query';
import type { Conversation, Inbox, ListedConversation, Message } from '#contract/conversations.ts';
import { groupBy } from '#web/lib/group-by.ts';

/**
 * The loaded pages of the inbox. A conversation with a new message stays on its page, so the pages
 * are not in order; `flattenInbox` sorts the conversations.
 */
export type InboxPages = InfiniteData<Inbox, string | undefined>;

const getLastMessageSeq = ({ last_message }: Conversation): number => last_message?.seq ?? 0;

const compareLatestFirst = (a: Conversation, b: Conversation): number =>
  b.updated_at.localeCompare(a.updated_at) || a.id.localeCompare(b.id);

/**
 * Returns all loaded conversations, most recent first. A conversation that moved up while a later page was
 * loading may be on two pages, but is returned only once.
 */
export const flattenInbox = ({ pages }: InboxPages): Inbox => {
  const byId = new Map<string, ListedConversation>();
  for (const item of pages.flatMap(({ items }) => items)) if (!byId.has(item.id)) byId.set(item.id, item);
  return {
    items: [...byId.values()].sort(compareLatestFirst),
    next_cursor: pages.at(-1)?.next_cursor ?? null,
  };
};

/**
 * Returns the conversations, most recent first, so that those with the same person stand together, at the place of the
 * most recent one. Conversations with deleted accounts do not belong together.
 */
export const groupByPerson = (items: readonly ListedConversation[]): ListedConversation[][] => [
  ...groupBy(items, ({ id, other }) => other?.id ?? id).values(),
];

/**
 * Returns the conversations, most recent first, so that those about the same listing stand together, at the place of the
 * most recent one.
 */
export const groupByListing = (items: readonly ListedConversation[]): ListedConversation[][] => [
  ...groupBy(items, ({ id, listing_id }) => listing_id ?? id).values(),
];

/** Returns whether a conversation belongs to a page that is not loaded yet. */
const isOnUnloadedPage = ({ items, next_cursor }: Inbox, conversation: Conversation): boolean => {
  const last = items.at(-1);
  return next_cursor !== null && last !== undefined && compareLatestFirst(last, conversation) < 0;
};

const replaceConversation = (inbox: InboxPages, next: Conversation): InboxPages => ({
  ...inbox,
  pages: inbox.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => (item.id === next.id ? next : item)),
  })),
});

const withoutConversation = (inbox: InboxPages, id: string): InboxPages => ({
  ...inbox,
  pages: inbox.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
});

const prependConversation = (inbox: InboxPages, next: Conversation): InboxPages => ({
  ...inbox,
  pages: inbox.pages.map((page, index) => (index === 0 ? { ...page, items: [next, ...page.items] } : page)),
});

/**
 * Returns the inbox with the conversation `next`, which is added or replaces its older state. Returns the
 * inbox unchanged if it contains a newer state of the conversation, or if the conversation belongs to a page
 * that is not loaded yet. Removes the conversation if it is archived.
 */
export const withConversation = (inbox: InboxPages, next: Conversation): InboxPages => {
  const loaded = flattenInbox(inbox);
  const known = loaded.items.find(({ id }) => id === next.id);
  if (next.archived) return known ? withoutConversation(inbox, next.id) : inbox;
  if (known)
    return getLastMessageSeq(known) > getLastMessageSeq(next) ? inbox : replaceConversation(inbox, next);
  return isOnUnloadedPage(loaded, next) ? inbox : prependConversation(inbox, next);
};

/**
 * Returns the inbox with the person's own message as the last message of its conversation. Messages before it
 * that neither the inbox contains nor the person has read (up to `readSeq`; all by default) count as unread.
 */
export const withSentMessage = (
  inbox: InboxPages,
  message: Message,
  readSeq: number = message.seq,
): InboxPages => {
  const known = flattenInbox(inbox).items.find(({ id }) => id === message.conversation_id);
  if (!known || getLastMessageSeq(known) >= message.seq) return inbox;
  const missed = message.seq - 1 - Math.max(readSeq, getLastMessageSeq(known));
  return replaceConversation(inbox, {
    ...known,
    last_message: message,
    updated_at: message.created_at,
    unread_count: known.unread_count + Math.max(missed, 0),
  });
};

export const withUnreadCount = (inbox: InboxPages, id: string, unread_count: number): InboxPages => {
  const known = flattenInbox(inbox).items.find((item) => item.id === id);
  return known && known.unread_count !== unread_count
    ? replaceConversation(inbox, { ...known, unread_count })
    : inbox;
};

/** Returns the conversation after the other party has read up to a seq, unless the two do not share that. */
export const withOtherReadSeq = (conversation: Conversation, seq: number): Conversation =>
  typeof conversation.other_read_seq === 'number' && seq > conversation.other_read_seq
    ? { ...conversation, other_read_seq: seq }
    : conversation;
