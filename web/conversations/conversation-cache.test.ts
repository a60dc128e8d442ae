import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CallShape, calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import type { TopicHandlers } from '#web/lib/socket.ts';
import { conversation, message, minute, sameCall } from './testing.ts';

const tab = await vi.hoisted(async () => (await import('./testing.ts')).createTab());
const request = vi.hoisted(() => vi.fn());
const subscribeToTopic = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/session.ts', () => tab.session);
vi.mock('#web/lib/socket.ts', () => ({ subscribeToTopic }));
vi.mock('#web/lib/api.ts', () => ({ request }));

const loadModules = async () => ({
  ...(await import('./conversation-cache.ts')),
  ...(await import('./use-inbox.ts')),
  ...(await import('./use-conversation-updates.ts')),
  ...(await import('#web/lib/query-client.ts')),
});
const ids = {
  lamp: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11',
  desk: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f12',
};

let page: Awaited<ReturnType<typeof loadModules>>;
/** What the server holds. */
let server: Conversation[];
let topic: TopicHandlers;
let stop: () => void;

beforeEach(async () => {
  tab.open();
  server = [row('lamp', 3), row('desk', 2)];
  request.mockReset();
  request.mockImplementation(async (call, { params } = {}) => {
    if (sameCall(call, calls.listConversations)) return { items: server, next_cursor: null };
    if (sameCall(call, calls.countUnread)) return { unread_total: total() };
    return server.find(({ id }) => id === params?.id);
  });
  subscribeToTopic.mockImplementation((_name: string, handlers: TopicHandlers) => {
    topic = handlers;
    return () => undefined;
  });
  page = await loadModules();
  stop = page.followConversations('me');
});
afterEach(() => {
  stop();
  page.queryClient.clear();
  tab.close();
});

const row = (name: keyof typeof ids, seq: number, unread_count = 0): Conversation =>
  conversation(ids[name], {
    updated_at: minute(seq),
    last_message: message(seq, { conversation_id: ids[name] }),
    unread_count,
  });
const total = (): number => server.reduce((sum, { unread_count }) => sum + unread_count, 0);
const unread = (): number | undefined => page.queryClient.getQueryData(page.unreadTotalQuery('me').queryKey);
const settled = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const callsOf = (call: CallShape): number =>
  request.mock.calls.filter(([made]) => sameCall(made, call)).length;

/** Shows the inbox; the result returns its rows as `id seq unread`. */
const showInbox = async () => {
  const observer = new InfiniteQueryObserver(page.queryClient, page.inboxQuery('me'));
  const leave = observer.subscribe(() => undefined);
  await settled();
  const rows = () =>
    observer
      .getCurrentResult()
      .data?.items.map((item) => [item.id, item.last_message?.seq, item.unread_count]);
  return { rows, leave };
};

/** Stores a state of a conversation on the server and announces it. */
const announce = (next: Conversation): void => {
  server = [next, ...server.filter(({ id }) => id !== next.id)];
  topic.on.unread?.({ conversation_id: next.id, unread_count: next.unread_count, unread_total: total() });
};

describe('the unread total', () => {
  test('comes with the join and with every event', async () => {
    topic.onJoined?.({ unread_total: 4 });
    expect(unread()).toBe(4);
    announce(row('lamp', 4, 2));
    expect(unread()).toBe(2);
  });

  test('ignores an event that it cannot read', () => {
    topic.onJoined?.({ unread_total: 4 });
    topic.on.unread?.({ unread_total: 'many' });
    topic.onJoined?.({});
    expect(unread()).toBe(4);
  });

  test('never counts the messages of a visible conversation', async () => {
    const { rows } = await showInbox();
    const hide = page.keepInSight(ids.lamp);
    server = [row('desk', 3, 1), row('lamp', 3)];
    announce(row('lamp', 4, 2));
    expect(unread()).toBe(1);
    await settled(150);
    expect(rows()?.find(([id]) => id === ids.lamp)).toEqual([ids.lamp, 4, 0]);
    hide();
    announce(row('lamp', 5, 3));
    expect(unread()).toBe(4);
  });

  test('is read again with the inbox', async () => {
    server = [row('lamp', 3, 7)];
    await showInbox();
    expect(unread()).toBe(7);
  });

  test('reading a conversation changes the total and its row', async () => {
    server = [row('lamp', 3, 2), row('desk', 2, 1)];
    const { rows } = await showInbox();
    page.noteRead('me', ids.lamp, 1);
    await settled();
    expect(unread()).toBe(1);
    expect(rows()).toEqual([
      [ids.lamp, 3, 0],
      [ids.desk, 2, 1],
    ]);
  });
});

describe('the inbox', () => {
  test('collects events for 150 ms and reads each changed conversation once', async () => {
    const { rows } = await showInbox();
    announce(row('desk', 4, 1));
    announce(row('desk', 5, 2));
    await settled(149);
    expect(callsOf(calls.getConversation)).toBe(0);
    await settled(1);
    expect(callsOf(calls.getConversation)).toBe(1);
    expect(callsOf(calls.listConversations)).toBe(1);
    expect(rows()).toEqual([
      [ids.desk, 5, 2],
      [ids.lamp, 3, 0],
    ]);
  });

  test('is read as a whole when many conversations changed, and after every join', async () => {
    await showInbox();
    for (let index = 0; index < 6; index += 1) {
      const id = ids.lamp.replace(/.$/, String(index));
      topic.on.unread?.({ conversation_id: id, unread_count: 1, unread_total: 6 });
    }
    await settled(150);
    expect(callsOf(calls.getConversation)).toBe(0);
    expect(callsOf(calls.listConversations)).toBe(2);
    topic.onJoined?.({ unread_total: 0 });
    await settled();
    expect(callsOf(calls.listConversations)).toBe(3);
  });

  test('is read again after a join that happens during the first read', async () => {
    const waiting: (() => void)[] = [];
    request.mockImplementation(async (call) => {
      if (sameCall(call, calls.countUnread)) return { unread_total: 0 };
      const items = server;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { items, next_cursor: null };
    });
    const { rows } = await showInbox();
    server = [row('desk', 5, 1), row('lamp', 3)];
    topic.onJoined?.({ unread_total: 1 });
    await settled();
    for (const answer of waiting) answer();
    await settled();
    expect(rows()?.[0]).toEqual([ids.desk, 5, 1]);
  });

  test('asks for nothing while it is not on screen', async () => {
    const { leave } = await showInbox();
    leave();
    announce(row('desk', 4, 1));
    topic.onJoined?.({ unread_total: 1 });
    await settled(1000);
    expect(callsOf(calls.listConversations)).toBe(1);
    expect(callsOf(calls.getConversation)).toBe(0);
  });

  test('moves the row of an own message up', async () => {
    const { rows } = await showInbox();
    page.noteSent(message(6, { conversation_id: ids.desk, sender_id: 'me' }));
    await settled();
    expect(rows()?.[0]).toEqual([ids.desk, 6, 0]);
  });
});

describe('a thread', () => {
  const seqs = () => page.findThread('me', ids.lamp).stored.map(({ seq }) => seq);
  const own = (seq: number) => message(seq, { conversation_id: ids.lamp, sender_id: 'me' });

  test('that starts here is known before the server is asked', async () => {
    const conversation = { ...row('lamp', 0), last_message: null };
    const observer = new QueryObserver(page.queryClient, {
      queryKey: page.conversationAboutKey('me', 'listing'),
      queryFn: async () => ({ conversation: null as Conversation | null }),
    });
    const leave = observer.subscribe(() => undefined);
    await settled();
    page.noteSent(own(1));
    page.noteStarted('listing', conversation, own(1));
    expect(seqs()).toEqual([1]);
    expect(observer.getCurrentResult().data?.conversation?.last_message?.seq).toBe(1);
    leave();
  });

  test('that is not cached is not created by an own message', () => {
    page.noteSent(own(7));
    expect(page.queryClient.getQueryData(page.threadKey('me', ids.lamp))).toBeUndefined();
  });

  test('keeps what arrives, however often, while it is cached', () => {
    page.changeThread('me', ids.lamp, { kind: 'loaded', messages: [own(1)], more: false });
    page.noteSent(own(2));
    page.noteSent(own(2));
    expect(seqs()).toEqual([1, 2]);
  });
});

test('a dialog that found no conversation looks again after an event', async () => {
  let found: Conversation | null = null;
  const queryFn = vi.fn(async () => ({ conversation: found }));
  const queryKey = page.conversationAboutKey('me', 'listing');
  const leave = new QueryObserver(page.queryClient, { queryKey, queryFn }).subscribe(() => undefined);
  await settled();
  found = row('lamp', 1);
  announce(row('lamp', 1, 1));
  await settled();
  announce(row('lamp', 2, 1));
  await settled();
  expect(queryFn).toHaveBeenCalledTimes(2);
  leave();
});

test('nothing stays in the cache when the session ends or another account logs in', () => {
  const isEmpty = () => page.queryClient.getQueryCache().getAll().length === 0;
  for (const next of [undefined, 'somebody else', 'me']) {
    page.setUnreadTotal('me', 3);
    page.changeThread('me', ids.lamp, { kind: 'loaded', messages: [], more: false });
    tab.logIn(next);
    expect(isEmpty()).toBe(true);
  }
});

test('what failed to load is read again when the device is back online', async () => {
  request.mockRejectedValue(new Error('no connection'));
  const { rows } = await showInbox();
  expect(rows()).toBeUndefined();
  request.mockImplementation(async (call) =>
    sameCall(call, calls.countUnread) ? { unread_total: 0 } : { items: server, next_cursor: null },
  );
  await settled(60_000);
  expect(rows()).toBeUndefined();
  tab.setOnline(true);
  await settled();
  expect(rows()).toHaveLength(2);
});
