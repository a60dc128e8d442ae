import type { InfiniteData } from '@tanstack/react-query';
import type { Conversation, Inbox, Message } from '#contract/conversations.ts';

/** The loaded pages of the inbox. A conversation that changes stays in its page; `flattenInbox` sorts. */
export type InboxPages = InfiniteData<Inbox, string | undefined>;

const seqOf = ({ last_message }: Conversation): number => last_message?.seq ?? 0;

const latestFirst = (a: Conversation, b: Conversation): number =>
  b.updated_at.localeCompare(a.updated_at) || a.id.localeCompare(b.id);

/** Returns all loaded conversations, the latest first. One that moved up while a later page loaded is listed once. */
export const flattenInbox = ({ pages }: InboxPages): Inbox => {
  const byId = new Map<string, Conversation>();
  for (const item of pages.flatMap(({ items }) => items)) if (!byId.has(item.id)) byId.set(item.id, item);
  return {
    items: [...byId.values()].sort(latestFirst),
    next_cursor: pages.at(-1)?.next_cursor ?? null,
  };
};

/** Returns whether a conversation belongs to a page that is not loaded yet. */
const isBeyond = ({ items, next_cursor }: Inbox, conversation: Conversation): boolean => {
  const last = items.at(-1);
  return next_cursor !== null && last !== undefined && latestFirst(last, conversation) < 0;
};

const replaced = (inbox: InboxPages, next: Conversation): InboxPages => ({
  ...inbox,
  pages: inbox.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => (item.id === next.id ? next : item)),
  })),
});

const added = (inbox: InboxPages, next: Conversation): InboxPages => ({
  ...inbox,
  pages: inbox.pages.map((page, index) => (index === 0 ? { ...page, items: [next, ...page.items] } : page)),
});

/**
 * Returns the inbox with this state of a conversation in it, unless it contains a newer one, or the conversation comes
 * with a later page.
 */
export const withConversation = (inbox: InboxPages, next: Conversation): InboxPages => {
  const loaded = flattenInbox(inbox);
  const known = loaded.items.find(({ id }) => id === next.id);
  if (known) return seqOf(known) > seqOf(next) ? inbox : replaced(inbox, next);
  return isBeyond(loaded, next) ? inbox : added(inbox, next);
};

/** Returns the inbox after the person's own message was stored. */
export const withSent = (inbox: InboxPages, message: Message): InboxPages => {
  const known = flattenInbox(inbox).items.find(({ id }) => id === message.conversation_id);
  if (!known || seqOf(known) >= message.seq) return inbox;
  return replaced(inbox, { ...known, last_message: message, updated_at: message.created_at });
};

/** Returns the inbox with a conversation's unread count changed. */
export const withUnread = (inbox: InboxPages, id: string, unread_count: number): InboxPages => {
  const known = flattenInbox(inbox).items.find((item) => item.id === id);
  return known && known.unread_count !== unread_count ? replaced(inbox, { ...known, unread_count }) : inbox;
};
