import { expect, test } from 'vitest';
import type { Conversation, Inbox, Message } from '#contract/conversations.ts';
import { withConversation, withNextPage, withSent, withUnread } from './inbox.ts';

const at = (minute: number): string => `2026-03-02T10:${String(minute).padStart(2, '0')}:00.000Z`;

const message = (conversation_id: string, seq: number): Message => ({
  id: `${conversation_id}-${seq}`,
  conversation_id,
  seq,
  sender_id: 'me',
  client_id: `${conversation_id}-${seq}`,
  message_text: 'Hi',
  created_at: at(seq),
});

const conversation = (id: string, seq: number, unread_count = 0): Conversation => ({
  id,
  listing_id: null,
  buyer_id: 'me',
  seller_id: 'other',
  updated_at: at(seq),
  listing: { title: 'Desk', available: false, slug: null, price: null, cover: null },
  other: null,
  last_message: seq ? message(id, seq) : null,
  unread_count,
});

const inbox = (...items: Conversation[]): Inbox => ({ items, next_cursor: null });
const firstPage = (...items: Conversation[]): Inbox => ({ items, next_cursor: 'more' });
const rows = ({ items }: Inbox): string[] =>
  items.map((item) => `${item.id}${item.last_message?.seq ?? 0}${item.unread_count ? '!' : ''}`);

test.each([
  [
    'a newer state moves its row up',
    withConversation(inbox(conversation('b', 2), conversation('a', 1)), conversation('a', 3, 1)),
    ['a3!', 'b2'],
  ],
  [
    'a conversation not known yet is added',
    withConversation(inbox(conversation('b', 2)), conversation('c', 3)),
    ['c3', 'b2'],
  ],
  [
    'an older state that comes late changes nothing',
    withConversation(inbox(conversation('a', 3)), conversation('a', 2, 1)),
    ['a3'],
  ],
  [
    'a conversation from a page that is not loaded moves to the top with a new message',
    withConversation(firstPage(conversation('c', 5), conversation('b', 4)), conversation('a', 6, 1)),
    ['a6!', 'c5', 'b4'],
  ],
  [
    'a conversation from a page that is not loaded stays there while nothing is newer in it',
    withConversation(firstPage(conversation('c', 5), conversation('b', 4)), conversation('a', 1)),
    ['c5', 'b4'],
  ],
  [
    'the next page comes behind, without what moved up meanwhile',
    withNextPage(
      firstPage(conversation('a', 9), conversation('c', 5)),
      inbox(conversation('b', 4), conversation('a', 1)),
    ),
    ['a9', 'c5', 'b4'],
  ],
  [
    'an own message moves its row up',
    withSent(inbox(conversation('b', 2), conversation('a', 1)), message('a', 3)),
    ['a3', 'b2'],
  ],
  [
    'an own message that is known already changes nothing',
    withSent(inbox(conversation('b', 4), conversation('a', 3)), message('a', 2)),
    ['b4', 'a3'],
  ],
  [
    'reading takes the count away',
    withUnread(inbox(conversation('b', 2, 2), conversation('a', 1, 1)), 'a', 0),
    ['b2!', 'a1'],
  ],
])('%s', (_title, after, expected) => {
  expect(rows(after)).toEqual(expected);
});
