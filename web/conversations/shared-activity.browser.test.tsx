import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { queryClient } from '#web/lib/query-client.ts';
import type { TopicHandlers } from '#web/lib/socket.ts';
import { createTestApi } from '#web/testing/api.ts';
import { createConversation, createMessage, otherName, ownId } from '#web/testing/conversations.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { MessagesScreen } from './messages-screen.tsx';

const { topics, pushToTopic } = vi.hoisted(() => ({
  topics: new Map<string, TopicHandlers>(),
  pushToTopic: vi.fn<(topic: string, event: string) => void>(),
}));
vi.mock('#web/lib/socket.ts', () => ({
  subscribeToTopic: (topic: string, handlers: TopicHandlers) => {
    topics.set(topic, handlers);
    return () => topics.delete(topic);
  },
  pushToTopic,
}));

const api = createTestApi();
let conversation: Conversation;
let messages: Message[];

api.answer(calls.countUnread, { unread_total: 0 });
api.answer(calls.listConversations, () => ({ items: [conversation], next_cursor: null }));
api.answer(calls.getConversation, () => conversation);
api.answer(calls.getListing, getRecorded('getListing'));
api.answer(calls.listMessages, () => ({ items: messages, more: false }));
api.answer(calls.markRead, ({ params: { id = '' } }) => ({
  conversation_id: id,
  unread_count: 0,
  unread_total: 0,
}));
api.answer(calls.listBlockedIds, { user_ids: [] });
api.answer(calls.listDeals, { items: [], next_cursor: null });
api.answer(calls.listHandovers, { items: [] });

const createOwn = (seq: number, text: string) => createMessage(seq, text, { sender_id: ownId });
beforeEach(async () => {
  await page.viewport(360, 740);
  signIn();
  topics.clear();
  pushToTopic.mockClear();
  messages = [createOwn(1, 'Is it bright?'), createOwn(2, 'And tall?')];
  const recorded = createConversation(1);
  conversation = {
    ...recorded,
    other_read_seq: 1,
    other: recorded.other && { ...recorded.other, active: 'today' },
    last_message: createOwn(2, 'And tall?'),
  };
});
afterEach(async () => {
  vi.useRealTimers();
  await page.viewport(800, 600);
});

const open = async () => {
  const screen = await openScreen(`/messages?c=${conversation.id}`, {
    '/messages': () => <MessagesScreen ownId={ownId} />,
  });
  await expect.element(input).toBeVisible();
  await expect.poll(() => topics.has(topic())).toBe(true);
  return screen;
};
const topic = () => `conversation:${conversation.id}`;
const receive = (event: string, payload: unknown) => topics.get(topic())?.on[event]?.(payload);
const input = page.getByPlaceholder('Type your message...');
const thread = page.getByRole('region', { name: `Messages with ${otherName}` });
/** Returns the texts of the thread, in order. */
const listTexts = () => [...thread.element().querySelectorAll('li')].map((item) => item.textContent);
/** Lets time pass, and React render. */
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
};
const findSeen = () => {
  const texts = listTexts();
  return texts[texts.indexOf('Seen') - 1];
};

test('Seen stands under the last message that the other party has read, and moves as they read on', async () => {
  await open();
  await expect.poll(findSeen).toContain('Is it bright?');
  receive('seen', { seq: 2 });
  await expect.poll(findSeen).toContain('And tall?');
  expect(listTexts().filter((text) => text === 'Seen')).toHaveLength(1);
  await expect.element(page.getByText('Active today')).toBeVisible();
});

test('nothing is said about what was seen and when somebody was active unless both share it', async () => {
  conversation = {
    ...conversation,
    other_read_seq: null,
    other: conversation.other && { ...conversation.other, active: undefined },
  };
  await open();
  receive('seen', { seq: 2 });
  await expect.element(page.getByText('And tall?')).toBeVisible();
  await expect.element(page.getByText('Seen', { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByText(/^Active/)).not.toBeInTheDocument();
});

test('that the other party is typing disappears after six seconds, and when their message arrives', async () => {
  await open();
  const typing = page.getByText('is typing…');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  receive('typing', { user_id: conversation.seller_id });
  await pass(5000);
  expect(typing.elements()).toHaveLength(1);
  receive('typing', { user_id: conversation.seller_id });
  await pass(5000);
  expect(typing.elements()).toHaveLength(1);
  await pass(1000);
  expect(typing.elements()).toHaveLength(0);
  receive('typing', { user_id: conversation.seller_id });
  await pass(10);
  expect(typing.elements()).toHaveLength(1);
  receive('message', createMessage(3, 'Very', { conversation_id: conversation.id }));
  await pass(100);
  expect(typing.elements()).toHaveLength(0);
});

test('typing is announced at most once in four seconds, and not at all when that is switched off', async () => {
  const profile = { ...getRecorded('getMe'), show_typing: true };
  const setProfile = (show_typing: boolean) =>
    queryClient.setQueryData(['own-profile', ownId], { ...profile, show_typing }, { updatedAt: Date.now() });
  queryClient.setQueryDefaults(['own-profile'], { gcTime: Number.POSITIVE_INFINITY });
  await open();
  vi.useFakeTimers({ toFake: ['Date'] });
  setProfile(false);
  await input.fill('H');
  expect(pushToTopic).not.toHaveBeenCalled();
  setProfile(true);
  for (const text of ['He', 'Hel', 'Hell']) await input.fill(text);
  expect(pushToTopic.mock.calls).toEqual([[topic(), 'typing']]);
  vi.setSystemTime(Date.now() + 4000);
  await input.fill('');
  expect(pushToTopic).toHaveBeenCalledTimes(1);
  await input.fill('Hello');
  expect(pushToTopic).toHaveBeenCalledTimes(2);
});

test('on a phone, the thread fills the window above the keyboard, and the newest message stays in view', async () => {
  messages = Array.from({ length: 30 }, (_, index) => createOwn(index + 1, `text ${index + 1}`));
  const view = Object.assign(new EventTarget(), { height: window.innerHeight, scale: 1, offsetTop: 0 });
  const original = Object.getOwnPropertyDescriptor(window, 'visualViewport');
  Object.defineProperty(window, 'visualViewport', { configurable: true, value: view });
  try {
    await open();
    const getHeight = () => input.element().closest('[data-task-screen]')?.getBoundingClientRect().height;
    await expect.poll(getHeight).toBe(740);
    view.height = 400;
    view.dispatchEvent(new Event('resize'));
    await expect.poll(getHeight).toBe(400);
    await expect.poll(() => window.scrollY).toBe(0);
    await expect.element(page.getByText('text 30', { exact: true })).toBeInViewport({ ratio: 1 });
    view.height = window.innerHeight;
    view.dispatchEvent(new Event('resize'));
    await expect.poll(getHeight).toBe(740);
  } finally {
    if (original) Object.defineProperty(window, 'visualViewport', original);
  }
});
