import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import type { ConversationChange } from '#contract/inbox.ts';
import { toConversationTopic } from '#contract/realtime.ts';
import type { TopicHandlers } from '#web/lib/socket.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { createConversation, createMessage, otherName, ownId } from '#web/testing/conversations.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { MessagesScreen } from './messages-screen.tsx';
import { toQuotedMessage } from './thread.ts';

const topics = vi.hoisted(() => new Map<string, TopicHandlers>());
vi.mock('#web/lib/socket.ts', () => ({
  subscribeToTopic: (topic: string, handlers: TopicHandlers) => {
    topics.set(topic, handlers);
    return () => topics.delete(topic);
  },
}));

const api = createTestApi();
let conversations: Conversation[];
const sold = { buyer_id: createConversation(1).seller_id, seller_id: ownId };

api.answer(calls.countUnread, { unread_total: 0 });
api.answer(calls.listConversations, ({ query }) => ({
  items: conversations
    .filter(({ archived }) => query.q || archived === (query.archived === 'true'))
    .filter(({ seller_id }) => query.tab !== 'selling' || seller_id === ownId)
    .filter(({ buyer_id }) => query.tab !== 'buying' || buyer_id === ownId)
    .filter(({ unread_count }) => query.tab !== 'unread' || unread_count > 0)
    .filter(({ listing }) => !query.q || listing.title === query.q)
    .map((item) => (query.q ? { ...item, found: [createMessage(2, 'at the fountain')] } : item)),
  next_cursor: null,
}));
api.answer(calls.changeConversation, ({ params, body }) => {
  const { archived, muted_until, unread } = body as ConversationChange;
  conversations = conversations.map((item) =>
    item.id !== params.id
      ? item
      : {
          ...item,
          ...(archived === undefined ? {} : { archived }),
          ...(muted_until === undefined ? {} : { muted_until }),
          ...(unread === undefined ? {} : { unread_count: unread ? 1 : 0 }),
        },
  );
  return conversations.find(({ id }) => id === params.id) as Conversation;
});
api.answer(calls.listHandovers, { items: [] });
api.answer(calls.listBlockedIds, { user_ids: [] });
api.answer(calls.getListing, () => {
  throw refuse('listing_not_found');
});
api.answer(calls.listDeals, { items: [], next_cursor: null });

beforeEach(async () => {
  signIn();
  await page.viewport(360, 740);
  conversations = [
    createConversation(1, { archived: false, muted_until: null, unread_count: 1 }),
    createConversation(2, { archived: false, muted_until: null }),
    createConversation(3, {
      archived: false,
      muted_until: null,
      ...sold,
      listing_id: createConversation(3).id,
    }),
  ];
});

const open = (path = '/messages') =>
  openScreen(path, { '/messages': () => <MessagesScreen ownId={ownId} /> });
const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link');
const expectTitles = (...titles: string[]) =>
  expect
    .poll(() =>
      rows
        .elements()
        .map((row) => titles.find((title) => row.textContent?.includes(title)) ?? row.textContent),
    )
    .toEqual(titles);
const tab = (name: string) => page.getByRole('button', { name, exact: true });
const openMenu = (number: number) =>
  page
    .getByRole('button', { name: `More actions for`, exact: false })
    .nth(number - 1)
    .click();
const choose = (name: string) => page.getByRole('menuitem', { name }).click();

test('the tabs are kept in the address, and each has an empty state', async () => {
  await open();
  await expectTitles('Lamp 1', 'Lamp 2', 'Lamp 3');
  await tab('Buying').click();
  await expectTitles('Lamp 1', 'Lamp 2');
  await tab('Selling').click();
  await expectTitles('Lamp 3');
  await expect.element(address).toHaveTextContent('/messages?tab=selling');
  await tab('Unread').click();
  await expectTitles('Lamp 1');
  conversations = [];
  await tab('Buying').click();
  await expect.element(page.getByText('Nothing you’re buying')).toBeInTheDocument();
  await tab('Selling').click();
  await expect.element(page.getByText('Nothing you’re selling')).toBeInTheDocument();
  await page.getByRole('button', { name: 'Archived conversations' }).click();
  await expect.element(page.getByText('Nothing archived')).toBeInTheDocument();
  await expect.element(address).toHaveTextContent('/messages?tab=selling&archived=true');
});

test('buyers of one listing are together under its title', async () => {
  const listing_id = createConversation(9).id;
  conversations = [1, 2].map((number) =>
    createConversation(number, {
      archived: false,
      ...sold,
      listing_id,
      listing: { title: 'Bike' },
    } as Partial<Conversation>),
  );
  await open('/messages?tab=selling');
  await expect.element(page.getByText('2 buyers')).toBeInTheDocument();
  await expect.element(page.getByText(otherName).nth(1)).toBeVisible();
});

test('a search leads to the message, and says when nothing is found', async () => {
  await open();
  const input = page.getByRole('searchbox', { name: 'Search conversations' });
  await input.fill('Lamp 2');
  await expect.element(address).toHaveTextContent('/messages?q=Lamp+2');
  await expectTitles('Lamp 2', 'at the fountain');
  api.answer(calls.listMessages, ({ query }) => {
    const first = Number(query.after_seq ?? 0) + 1;
    const items = Array.from({ length: 50 }, (_, index) =>
      createMessage(first + index, `text ${first + index}`),
    );
    return { items, more: true };
  });
  api.answer(calls.markRead, { conversation_id: createConversation(2).id, unread_count: 0, unread_total: 0 });
  await page.getByText('at the fountain').click();
  await expect.element(address).toHaveTextContent(`/messages?c=${createConversation(2).id}&m=2&q=Lamp+2`);
  await expect.element(page.getByText('text 2', { exact: true })).toBeInViewport();
  expect(document.activeElement?.textContent).toContain('text 2');
  await expect.element(page.getByRole('button', { name: 'Later messages' })).toBeInTheDocument();
  await page.getByRole('link', { name: 'Newest messages' }).click();
  await expect.element(address).toHaveTextContent(`/messages?c=${createConversation(2).id}&q=Lamp+2`);
  await expect.element(page.getByPlaceholder('Type your message...')).toBeVisible();
  await expect.poll(() => api.listRequests(calls.getListing).length).toBeGreaterThan(0);
});

test('in the part of a thread that a search opens, a quote leads to its original', async () => {
  const original = createMessage(60, 'text 60');
  api.answer(calls.getConversation, () => conversations[1] as Conversation);
  api.answer(calls.listMessages, ({ query }) => {
    const first = query.before_seq ? Number(query.before_seq) - 50 : Number(query.after_seq ?? 0) + 1;
    const items = Array.from({ length: 50 }, (_, index) =>
      createMessage(first + index, `text ${first + index}`, {
        ...(first + index === 200 && { reply_to: toQuotedMessage(original) }),
      }),
    );
    return { items, more: true };
  });
  await open(`/messages?c=${createConversation(2).id}&m=200`);
  await expect.poll(() => document.activeElement?.textContent).toContain('text 200');
  await page.getByRole('button', { name: /In reply to/ }).click();
  await expect.poll(() => document.activeElement?.textContent).toContain('text 60');
  await expect.element(page.getByText('text 61', { exact: true })).toBeInViewport();
});

test('the part of a thread that a search opens goes on with new and unsent messages at its end', async () => {
  const { id } = createConversation(2);
  const thread = Array.from({ length: 80 }, (_, index) =>
    createMessage(index + 1, `text ${index + 1}`, { conversation_id: id }),
  );
  api.answer(calls.getConversation, () => conversations[1] as Conversation);
  api.answer(calls.listMessages, ({ query }) => {
    const from = query.after_seq === undefined ? 30 : Number(query.after_seq);
    return { items: thread.slice(from, from + 50), more: from !== 50 };
  });
  api.answer(calls.markRead, { conversation_id: id, unread_count: 0, unread_total: 0 });
  await open(`/messages?c=${id}&m=2`);
  const receive = (event: string, message: Message) =>
    topics.get(toConversationTopic(id))?.on[event]?.(message);
  const text = (words: string) => page.getByText(words, { exact: true });
  const later = page.getByRole('button', { name: 'Later messages' });
  await later.click();
  await expect.element(text('text 80')).toBeInTheDocument();
  await expect.element(later).not.toBeInTheDocument();
  const newMessages = page.getByRole('button', { name: 'New messages' });
  expect(newMessages.query()).toBeNull();
  await expect.poll(() => api.listRequests(calls.markRead).at(-1)?.body).toEqual({ seq: 80 });
  receive('message', createMessage(81, 'A new one', { conversation_id: id }));
  await expect.element(text('A new one')).toBeInTheDocument();
  await expect.element(newMessages).toBeVisible();
  receive('unsent', createMessage(3, 'Message unsent', { conversation_id: id, unsent_number: 1 }));
  await expect.element(text('text 3')).not.toBeInTheDocument();
  await expect.element(text('text 4')).toBeInTheDocument();
});

test('a search offline says so, and a failed one can be repeated', async () => {
  await open();
  await expectTitles('Lamp 1', 'Lamp 2', 'Lamp 3');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  api.answer(calls.listConversations, () => {
    throw networkFailure();
  });
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('zebra');
  await expect
    .element(page.getByText('Search again when you are back online.', { exact: false }))
    .toBeVisible();
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByText('Failed to load conversations')).toBeVisible();
  api.answer(calls.listConversations, { items: [], next_cursor: null });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('Nothing found')).toBeVisible();
});

test('an archived conversation leaves the list, until Undo or Move to inbox', async () => {
  await open();
  await openMenu(2);
  await choose('Archive');
  await expectTitles('Lamp 1', 'Lamp 3');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectTitles('Lamp 1', 'Lamp 2', 'Lamp 3');
  await openMenu(2);
  await choose('Archive');
  await expectTitles('Lamp 1', 'Lamp 3');
  await page.getByRole('button', { name: 'Archived conversations' }).click();
  await expectTitles('Lamp 2');
  await openMenu(1);
  await choose('Move to inbox');
  await expect.element(page.getByText('Nothing archived')).toBeInTheDocument();
});

test('a conversation stays in the inbox while a deal waits, and a toast says so', async () => {
  api.answer(calls.changeConversation, () => conversations[0] as Conversation);
  await open();
  await openMenu(1);
  await choose('Archive');
  await expect.element(page.getByText('A deal in this conversation is waiting for you.')).toBeVisible();
  await expectTitles('Lamp 1', 'Lamp 2', 'Lamp 3');
});

test('a conversation is muted, and marked as unread or read', async () => {
  await open();
  await openMenu(2);
  await choose('Mute for 8 hours');
  await expect.element(rows.nth(1).getByText('Muted')).toBeInTheDocument();
  await openMenu(2);
  await choose('Unmute');
  await expect.element(rows.nth(1).getByText('Muted')).not.toBeInTheDocument();
  await openMenu(2);
  await choose('Mark as unread');
  await expect.element(rows.nth(1).getByText('unread')).toBeInTheDocument();
  await openMenu(2);
  await choose('Mark as read');
  await expect.element(rows.nth(1).getByText('unread')).not.toBeInTheDocument();
  api.answer(calls.changeConversation, () => {
    throw refuse('unavailable');
  });
  await openMenu(2);
  await choose('Mute always');
  await expect.element(page.getByText('Failed to change conversation')).toBeVisible();
});

test('the list waits for the next handover only if a conversation has one', async () => {
  conversations = conversations.map((conversation) => ({ ...conversation, deal: null }));
  const { release } = api.hold(calls.listHandovers, { items: [] });
  await open();
  await expectTitles('Lamp 1', 'Lamp 2', 'Lamp 3');
  release();
});

test('offline the menu says so', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await open();
  await openMenu(1);
  await expect
    .element(page.getByRole('menuitem', { name: 'Archive' }))
    .toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Escape}');
});
