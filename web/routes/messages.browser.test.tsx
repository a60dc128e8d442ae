import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { createConversation, createMessage, otherName, ownId } from '#web/testing/conversations.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import Messages from './messages.tsx';

vi.mock('#web/lib/socket.ts', () => ({ subscribeToTopic: () => () => {} }));

const pageSize = 50;
const api = createTestApi();
let conversations: Conversation[];
let messages: Message[];

const find = (id: string | undefined): Conversation => {
  const conversation = conversations.find((it) => it.id === id);
  if (!conversation) throw refuse('conversation_not_found');
  return conversation;
};

// Declared before `getConversation`, whose path would match its path, too.
api.answer(calls.countUnread, { unread_total: 0 });
api.answer(calls.listConversations, ({ query: { cursor } }) => {
  const start = Number(cursor ?? 0);
  const end = start + pageSize;
  return {
    items: conversations.slice(start, end),
    next_cursor: end < conversations.length ? `${end}` : null,
  };
});
api.answer(calls.getConversation, ({ params: { id } }) => find(id));
api.answer(calls.listMessages, ({ params: { id = '' } }) => ({
  items: messages.map((message) => ({ ...message, conversation_id: id })),
  more: false,
}));
api.answer(calls.markRead, ({ params: { id = '' } }) => ({
  conversation_id: id,
  unread_count: 0,
  unread_total: 0,
}));
api.answer(calls.listBlockedIds, { user_ids: [] });
api.answer(calls.getListing, getRecorded('getListing'));
api.answer(calls.listDeals, { items: [], next_cursor: null });
api.answer(calls.listHandovers, { items: [] });

beforeEach(() => {
  signIn();
  conversations = [createConversation(1), createConversation(2)];
  messages = [createMessage(1, 'Is it bright?')];
});
afterEach(() => page.viewport(800, 600));

const open = (id?: string) => openScreen(`/messages${id ? `?c=${id}` : ''}`, { '/messages': Messages });
const createConversations = (count: number) =>
  Array.from({ length: count }, (_, index) => createConversation(index + 1));
const pane = page.getByRole('region', { name: 'Conversation', exact: true });
const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link');
const thread = page.getByRole('region', { name: `Messages with ${otherName}` });
const input = page.getByPlaceholder('Type your message...');
const backLink = page.getByRole('link', { name: 'Back to conversations' });
const tryAgain = page.getByRole('button', { name: 'Try again' });
const showOnPhone = () => page.viewport(360, 740);
const expectText = (locator: Locator) => expect.poll(() => locator.element().textContent);

test.each([
  ['a phone', 'is unavailable', refuse('unavailable')],
  ['a phone', 'cannot be reached', networkFailure()],
  ['a wide screen', 'fails', refuse('internal')],
])(
  'a thread opened on %s shows loading and an error when the server %s, and loads after a retry',
  async (device, _, reason) => {
    const isPhone = device === 'a phone';
    if (isPhone) await showOnPhone();
    const fail = () => Promise.reject(reason);
    const holds = [api.hold(calls.getConversation, fail), api.hold(calls.listConversations, fail)];
    await open(conversations[0]?.id);
    await expect.element(pane.getByText('Loading messages')).toBeInTheDocument();
    if (isPhone) await expect.element(backLink).toBeVisible();
    for (const { release } of holds) release();
    await expect.element(pane.getByText('Failed to load conversation')).toBeVisible();
    if (isPhone) await expect.element(backLink).toBeVisible();
    api.answer(calls.getConversation, ({ params: { id } }) => find(id));
    api.answer(calls.listConversations, { items: conversations, next_cursor: null });
    await tryAgain.last().click();
    await expect.element(thread.getByText('Is it bright?')).toBeVisible();
    await expect.element(input).toBeVisible();
  },
);

test.each(['a phone', 'a wide screen'])(
  'an unknown conversation on %s shows an error with a link to the list',
  async (device) => {
    if (device === 'a phone') await showOnPhone();
    await open('7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11');
    await expect.element(pane.getByText('Failed to load conversation')).toBeVisible();
    await expect.element(pane.getByText('This conversation doesn’t exist, or it isn’t yours.')).toBeVisible();
    await expect.element(tryAgain).not.toBeInTheDocument();
    await page.getByRole('link', { name: 'All conversations' }).click();
    await expect.element(rows.first()).toBeVisible();
  },
);

test('the first conversation opens by itself on a wide screen; rows and header name person, listing and price', async () => {
  const [first = createConversation(1)] = conversations;
  conversations[0] = {
    ...first,
    listing: { ...first.listing, price: 40, slug: 'lamp-1' },
    other: first.other && { ...first.other, usc_verified: true },
  };
  conversations[1] = createConversation(2, {
    last_message: createMessage(2, 'Or sold?', { sender_id: ownId }),
    unread_count: 2,
  });
  messages = [
    createMessage(1, 'Is it there?', { sender_id: ownId }),
    createMessage(2, 'Or sold?', { sender_id: ownId }),
    createMessage(3, 'Still there.'),
  ];
  await open();
  await expect.element(address).toHaveTextContent(`/messages?c=${first.id}`);
  await expectText(rows.first()).toContain(otherName);
  await expect.element(rows.first().getByRole('img', { name: 'Verified' })).toBeVisible();
  await expectText(rows.first()).toMatch(/\d{1,2}:\d{2} [AP]MLamp 1About lamp 1$/);
  await expectText(rows.nth(1)).toMatch(/You: Or sold\?2unread$/);
  await expect.element(pane.getByRole('heading', { name: new RegExp(`^${otherName}`) })).toBeVisible();
  await expect.element(pane.getByText('$40')).toBeVisible();
  await expect.element(pane.getByRole('link', { name: 'Lamp 1' })).toHaveAttribute('href', '/listing/lamp-1');
  await expect.element(thread.getByText('Today')).toBeVisible();
  await expect.element(thread.getByText('Still there.')).toBeVisible();
  const frame = thread.element().getBoundingClientRect();
  const sides = [...thread.element().querySelectorAll('li > div:not([role=note])')].map((bubble) => {
    const { left, right } = bubble.getBoundingClientRect();
    return left - frame.left < frame.right - right ? 'left' : 'right';
  });
  expect(sides).toEqual(['right', 'right', 'left']);
});

test('without conversations the screen offers to browse listings', async () => {
  conversations = [];
  await open();
  await expect.element(page.getByText('No conversations yet')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Browse Listings' }))
    .toHaveAttribute('href', '/browse');
});

test('a phone shows one pane at a time, and the focus moves into it', async () => {
  await showOnPhone();
  conversations = createConversations(12);
  await open();
  await expect.poll(() => rows.elements().length).toBe(12);
  await expect.element(address).toHaveTextContent('/messages');
  await expect.element(input).not.toBeInTheDocument();
  await rows.nth(10).click();
  await expect.element(page.getByRole('heading', { name: otherName })).toHaveFocus();
  await expect.element(input).toBeInViewport();
  await expect.element(rows.first()).not.toBeInTheDocument();
  await backLink.click();
  await expect.element(address).toHaveTextContent('/messages');
  await expect.element(rows.nth(10)).toHaveFocus();
  await expect.element(rows.nth(10)).toBeInViewport();
});

test('the list of conversations loads more near its end, after a retry if loading fails', async () => {
  conversations = createConversations(60);
  const list = ({ query: { cursor } }: { query: Record<string, string> }) => ({
    items: cursor ? conversations.slice(pageSize) : conversations.slice(0, pageSize),
    next_cursor: cursor ? null : 'next',
  });
  api.answer(calls.listConversations, (request) => {
    if (request.query.cursor) throw networkFailure();
    return list(request);
  });
  await open();
  await expect.poll(() => rows.elements().length).toBe(pageSize);
  rows.last().element().scrollIntoView();
  await expect.element(page.getByText('More conversations could not be loaded.')).toBeVisible();
  api.answer(calls.listConversations, list);
  await tryAgain.click();
  await expect.poll(() => rows.elements().length).toBe(60);
  expect(new Set(rows.elements().map((row) => row.getAttribute('href'))).size).toBe(60);
  await expect.element(page.getByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

test('a link opens a conversation that is not on the first page', async () => {
  conversations = createConversations(60);
  await open(conversations.at(-1)?.id);
  await expect.element(pane.getByRole('link', { name: 'Lamp 60' })).toBeVisible();
  await expect.element(input).toBeVisible();
  expect(rows.elements()).toHaveLength(pageSize);
});

test('a link to a conversation further down the list scrolls its row into view', async () => {
  conversations = createConversations(14);
  await open(conversations.at(-1)?.id);
  await expect.element(input).toBeVisible();
  await expect.element(rows.last()).toHaveAttribute('aria-current', 'true');
  await expect.element(rows.last()).toBeInViewport();
  expect(window.scrollY).toBe(0);
});

test('promise 30: markup, right-to-left controls and emoji are plain text wherever they appear', async () => {
  const hostile = [
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
    '<b>bold</b> &amp; javascript:alert(1) {{7*7}}',
    // Older messages may contain controls, which the server removes from new ones.
    '\u202Eright to left',
    '👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 e\u0301',
    'שלום, עולם',
  ];
  messages = hostile.map((text, index) => createMessage(index + 1, text));
  const [first = createConversation(1)] = conversations;
  conversations[0] = createConversation(1, {
    listing: { ...first.listing, title: '\u202ELamp <b>bold</b>' },
    last_message: messages[0] ?? null,
  });
  await open();
  await expect.element(thread.getByText('שלום, עולם')).toBeVisible();
  const texts = [...thread.element().querySelectorAll<HTMLElement>('li p[dir]')];
  expect(texts.map(({ innerText }) => innerText)).toEqual(hostile);
  await expectText(rows.first()).toContain('Lamp <b>bold</b>');
  await expectText(rows.first()).toContain(hostile[0]);
  expect(document.querySelectorAll('main b, main script, main img[src="x"]')).toHaveLength(0);
  expect('hacked' in window).toBe(false);
  // The control in the title must not reorder the parts of the row around it.
  const name = rows.first().getByText(otherName, { exact: true }).element().getBoundingClientRect();
  const time = rows.first().element().querySelector('time')?.getBoundingClientRect();
  expect(name.x).toBeLessThan(time?.x ?? 0);
});

test('choosing a conversation with the keyboard focuses its message input', async () => {
  await open();
  await expect.element(input).toBeVisible();
  (rows.nth(1).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(address).toHaveTextContent(`/messages?c=${conversations[1]?.id}`);
  await expect.element(input).toHaveFocus();
});
