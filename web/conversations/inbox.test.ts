import { expect, test } from 'vitest';
import type { Conversation, Inbox, Message } from '#contract/conversations.ts';
import {
  flattenInbox,
  groupByPerson,
  type InboxPages,
  withConversation,
  withSentMessage,
  withUnreadCount,
} from './inbox.ts';
import { createConversation, createMessage, getInstantAtMinute } from './testing.ts';

const createOwnMessage = (conversation_id: string, seq: number): Message =>
  createMessage(seq, { conversation_id, sender_id: 'me' });

const createConversationAt = (id: string, seq: number, unread_count = 0): Conversation =>
  createConversation(id, {
    updated_at: getInstantAtMinute(seq),
    last_message: seq ? createOwnMessage(id, seq) : null,
    unread_count,
  });

const createPage = (next_cursor: string | null, ...items: Conversation[]): Inbox => ({ items, next_cursor });
const createInboxFromPages = (...loaded: Inbox[]): InboxPages => ({
  pages: loaded,
  pageParams: loaded.map(() => undefined),
});
const createInbox = (...items: Conversation[]): InboxPages =>
  createInboxFromPages(createPage(null, ...items));
const createInboxWithMorePages = (...items: Conversation[]): InboxPages =>
  createInboxFromPages(createPage('more', ...items));
const summarizeRows = (loaded: InboxPages): string[] =>
  flattenInbox(loaded).items.map(
    (item) => `${item.id}${item.last_message?.seq ?? 0}${item.unread_count ? '!' : ''}`,
  );

test.each([
  [
    'moves a row up for a newer state',
    withConversation(
      createInbox(createConversationAt('b', 2), createConversationAt('a', 1)),
      createConversationAt('a', 3, 1),
    ),
    ['a3!', 'b2'],
  ],
  [
    'adds a conversation that is not loaded yet',
    withConversation(createInbox(createConversationAt('b', 2)), createConversationAt('c', 3)),
    ['c3', 'b2'],
  ],
  [
    'ignores an older state that arrives late',
    withConversation(createInbox(createConversationAt('a', 3)), createConversationAt('a', 2, 1)),
    ['a3'],
  ],
  [
    'adds a conversation of a later page to the top when it gets a new message',
    withConversation(
      createInboxWithMorePages(createConversationAt('c', 5), createConversationAt('b', 4)),
      createConversationAt('a', 6, 1),
    ),
    ['a6!', 'c5', 'b4'],
  ],
  [
    'leaves a conversation on its later page while it has no new message',
    withConversation(
      createInboxWithMorePages(createConversationAt('c', 5), createConversationAt('b', 4)),
      createConversationAt('a', 1),
    ),
    ['c5', 'b4'],
  ],
  [
    'appends the next page without conversations that moved up meanwhile',
    createInboxFromPages(
      createPage('more', createConversationAt('a', 9), createConversationAt('c', 5)),
      createPage(null, createConversationAt('b', 4), createConversationAt('a', 1)),
    ),
    ['a9', 'c5', 'b4'],
  ],
  [
    'moves a row of the second page to the top for a newer state',
    withConversation(
      createInboxFromPages(
        createPage('more', createConversationAt('c', 5)),
        createPage(null, createConversationAt('b', 4), createConversationAt('a', 1)),
      ),
      createConversationAt('a', 6, 1),
    ),
    ['a6!', 'c5', 'b4'],
  ],
  [
    'moves a row up when the person sends a message',
    withSentMessage(
      createInbox(createConversationAt('b', 2), createConversationAt('a', 1)),
      createOwnMessage('a', 3),
    ),
    ['a3', 'b2'],
  ],
  [
    'counts messages as unread that arrived before a sent one and that its author had not seen',
    withSentMessage(
      createInbox(createConversationAt('b', 2), createConversationAt('a', 1)),
      createOwnMessage('a', 5),
      1,
    ),
    ['a5!', 'b2'],
  ],
  [
    'counts no messages as unread that the author of a sent one had seen in the thread',
    withSentMessage(createInbox(createConversationAt('a', 1)), createOwnMessage('a', 5), 4),
    ['a5'],
  ],
  [
    'counts no messages as unread that the inbox has shown, also when two messages are sent',
    withSentMessage(createInbox(createConversationAt('a', 5)), createOwnMessage('a', 6), 4),
    ['a6'],
  ],
  [
    'ignores a sent message that is already known',
    withSentMessage(
      createInbox(createConversationAt('b', 4), createConversationAt('a', 3)),
      createOwnMessage('a', 2),
    ),
    ['b4', 'a3'],
  ],
  [
    'clears the unread count',
    withUnreadCount(createInbox(createConversationAt('b', 2, 2), createConversationAt('a', 1, 1)), 'a', 0),
    ['b2!', 'a1'],
  ],
])('%s', (_title, after, expected) => {
  expect(summarizeRows(after)).toEqual(expected);
});

test('changes keep the number of pages and the cursor of the last page', () => {
  const loaded = createInboxFromPages(
    createPage('second', createConversationAt('c', 5)),
    createPage('third', createConversationAt('b', 4)),
  );
  const changed = withConversation(
    withConversation(loaded, createConversationAt('b', 6)),
    createConversationAt('d', 7),
  );
  expect(summarizeRows(changed)).toEqual(['d7', 'b6', 'c5']);
  expect(changed.pages).toHaveLength(2);
  expect(flattenInbox(changed).next_cursor).toBe('third');
});

test('a change without effect returns the same inbox object', () => {
  const loaded = createInbox(createConversationAt('b', 2, 2), createConversationAt('a', 1));
  expect(withUnreadCount(loaded, 'a', 0)).toBe(loaded);
  expect(withUnreadCount(loaded, 'unknown', 0)).toBe(loaded);
  expect(withSentMessage(loaded, createOwnMessage('unknown', 9))).toBe(loaded);
});

test('conversations with the same person stand together, at the place of the most recent one', () => {
  const createWith = (id: string, person: string | null): Conversation =>
    createConversation(id, {
      other:
        person === null
          ? null
          : {
              id: person,
              name: person,
              avatar_url: null,
              usc_verified: false,
              rating: null,
              review_count: 0,
              is_new_account: false,
            },
    });
  const groups = groupByPerson([
    createWith('kettle', 'jo'),
    createWith('gone', null),
    createWith('lamp', 'ann'),
    createWith('also gone', null),
    createWith('desk', 'jo'),
  ]);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([
    ['kettle', 'desk'],
    ['gone'],
    ['lamp'],
    ['also gone'],
  ]);
});
