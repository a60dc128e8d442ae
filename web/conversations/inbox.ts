import type { Conversation, Inbox, Message } from '#contract/conversations.ts';

const seqOf = ({ last_message }: Conversation): number => last_message?.seq ?? 0;

const latestFirst = (a: Conversation, b: Conversation): number =>
  b.updated_at.localeCompare(a.updated_at) || a.id.localeCompare(b.id);

/** Whether a conversation belongs to a page that is not loaded yet. */
const isBeyond = ({ items, next_cursor }: Inbox, conversation: Conversation): boolean => {
  const last = items.at(-1);
  return next_cursor !== null && last !== undefined && latestFirst(last, conversation) < 0;
};

/**
 * Returns the inbox with this state of a conversation in it, unless it contains a newer one, or the conversation comes
 * with a later page.
 */
export const withConversation = (inbox: Inbox, next: Conversation): Inbox => {
  const known = inbox.items.find(({ id }) => id === next.id);
  if (known ? seqOf(known) > seqOf(next) : isBeyond(inbox, next)) return inbox;
  const others = inbox.items.filter((item) => item !== known);
  return { ...inbox, items: [...others, next].sort(latestFirst) };
};

/** The inbox after one's own message was stored. */
export const withSent = (inbox: Inbox, message: Message): Inbox => {
  const known = inbox.items.find(({ id }) => id === message.conversation_id);
  if (!known || seqOf(known) >= message.seq) return inbox;
  return withConversation(inbox, { ...known, last_message: message, updated_at: message.created_at });
};

/** The inbox with a conversation's unread count changed. */
export const withUnread = (inbox: Inbox, id: string, unread_count: number): Inbox => ({
  ...inbox,
  items: inbox.items.map((item) =>
    item.id === id && item.unread_count !== unread_count ? { ...item, unread_count } : item,
  ),
});

/** Returns the inbox with the next page behind it; what moved up meanwhile stays where it is. */
export const withNextPage = (inbox: Inbox, page: Inbox): Inbox => {
  const known = new Set(inbox.items.map(({ id }) => id));
  return { ...page, items: [...inbox.items, ...page.items.filter(({ id }) => !known.has(id))] };
};
