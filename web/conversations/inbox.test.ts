import { expect, test } from 'vitest';
import type { Conversation, Inbox, Message } from '#contract/conversations.ts';
import {
  flattenInbox,
  type InboxPages,
  withConversation,
  withSentMessage,
  withUnreadCount,
} from './inbox.ts';

const instantAtMinute = (minute: number): string =>
  `2026-03-02T10:${String(minute).padStart(2, '0')}:00.000Z`;

const message = (conversation_id: string, seq: number): Message => ({
  id: `${conversation_id}-${seq}`,
  conversation_id,
  seq,
  sender_id: 'me',
  client_id: `${conversation_id}-${seq}`,
  message_text: 'Hi',
  created_at: instantAtMinute(seq),
});

const conversation = (id: string, seq: number, unread_count = 0): Conversation => ({
  id,
  listing_id: null,
  buyer_id: 'me',
  seller_id: 'other',
  updated_at: instantAtMinute(seq),
  listing: { title: 'Desk', available: false, slug: null, price: null, cover: null },
  other: null,
  last_message: seq ? message(id, seq) : null,
  unread_count,
});

const page = (next_cursor: string | null, ...items: Conversation[]): Inbox => ({ items, next_cursor });
const pages = (...loaded: Inbox[]): InboxPages => ({
  pages: loaded,
  pageParams: loaded.map(() => undefined),
});
const inbox = (...items: Conversation[]): InboxPages => pages(page(null, ...items));
const firstPage = (...items: Conversation[]): InboxPages => pages(page('more', ...items));
const rows = (loaded: InboxPages): string[] =>
  flattenInbox(loaded).items.map(
    (item) => `${item.id}${item.last_message?.seq ?? 0}${item.unread_count ? '!' : ''}`,
  );

test.each([
  [
    'moves a row up for a newer state',
    withConversation(inbox(conversation('b', 2), conversation('a', 1)), conversation('a', 3, 1)),
    ['a3!', 'b2'],
  ],
  [
    'adds a conversation that is not loaded yet',
    withConversation(inbox(conversation('b', 2)), conversation('c', 3)),
    ['c3', 'b2'],
  ],
  [
    'ignores an older state that arrives late',
    withConversation(inbox(conversation('a', 3)), conversation('a', 2, 1)),
    ['a3'],
  ],
  [
    'adds a conversation of a later page to the top when it gets a new message',
    withConversation(firstPage(conversation('c', 5), conversation('b', 4)), conversation('a', 6, 1)),
    ['a6!', 'c5', 'b4'],
  ],
  [
    'leaves a conversation on its later page while it has no new message',
    withConversation(firstPage(conversation('c', 5), conversation('b', 4)), conversation('a', 1)),
    ['c5', 'b4'],
  ],
  [
    'appends the next page without conversations that moved up meanwhile',
    pages(
      page('more', conversation('a', 9), conversation('c', 5)),
      page(null, conversation('b', 4), conversation('a', 1)),
    ),
    ['a9', 'c5', 'b4'],
  ],
  [
    'moves a row of the second page to the top for a newer state',
    withConversation(
      pages(page('more', conversation('c', 5)), page(null, conversation('b', 4), conversation('a', 1))),
      conversation('a', 6, 1),
    ),
    ['a6!', 'c5', 'b4'],
  ],
  [
    'moves a row up for an own message',
    withSentMessage(inbox(conversation('b', 2), conversation('a', 1)), message('a', 3)),
    ['a3', 'b2'],
  ],
  [
    'ignores an own message that is known already',
    withSentMessage(inbox(conversation('b', 4), conversation('a', 3)), message('a', 2)),
    ['b4', 'a3'],
  ],
  [
    'clears the unread count',
    withUnreadCount(inbox(conversation('b', 2, 2), conversation('a', 1, 1)), 'a', 0),
    ['b2!', 'a1'],
  ],
])('%s', (_title, after, expected) => {
  expect(rows(after)).toEqual(expected);
});

test('changes leave the number of pages and the end of the list as they are', () => {
  const loaded = pages(page('second', conversation('c', 5)), page('third', conversation('b', 4)));
  const changed = withConversation(withConversation(loaded, conversation('b', 6)), conversation('d', 7));
  expect(rows(changed)).toEqual(['d7', 'b6', 'c5']);
  expect(changed.pages).toHaveLength(2);
  expect(flattenInbox(changed).next_cursor).toBe('third');
});

test('a change that brings nothing new returns the same inbox', () => {
  const loaded = inbox(conversation('b', 2, 2), conversation('a', 1));
  expect(withUnreadCount(loaded, 'a', 0)).toBe(loaded);
  expect(withUnreadCount(loaded, 'unknown', 0)).toBe(loaded);
  expect(withSentMessage(loaded, message('unknown', 9))).toBe(loaded);
});
