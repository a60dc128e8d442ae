import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import type { TopicHandlers } from '#web/lib/socket.ts';
import type { InboxPages } from './inbox.ts';
import { createConversation, createMessage, getInstantAtMinute, hasSameMethodAndPath } from './testing.ts';

const browserTab = await vi.hoisted(async () => (await import('./testing.ts')).createBrowserTab());
const requestMock = vi.hoisted(() => vi.fn());
const subscribeToTopicMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/session.ts', () => browserTab.session);
vi.mock('#web/lib/socket.ts', () => ({ subscribeToTopic: subscribeToTopicMock }));
vi.mock('#web/lib/api.ts', () => ({ request: requestMock }));

const loadModules = async () => ({
  ...(await import('./conversation-cache.ts')),
  ...(await import('./use-inbox.ts')),
  ...(await import('./use-conversation-updates.ts')),
  ...(await import('#web/lib/query-client.ts')),
});
const conversationIds = {
  lamp: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11',
  desk: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f12',
};

let loadedModules: Awaited<ReturnType<typeof loadModules>>;
let serverConversations: Conversation[];
let topicHandlers: TopicHandlers;
let unsubscribe: () => void;

beforeEach(async () => {
  browserTab.open();
  serverConversations = [createListedConversation('lamp', 3), createListedConversation('desk', 2)];
  requestMock.mockReset();
  requestMock.mockImplementation(async (call, { params } = {}) => {
    if (hasSameMethodAndPath(call, calls.listConversations))
      return { items: serverConversations, next_cursor: null };
    if (hasSameMethodAndPath(call, calls.countUnread)) return { unread_total: sumServerUnread() };
    return serverConversations.find(({ id }) => id === params?.id);
  });
  subscribeToTopicMock.mockImplementation((_name: string, handlers: TopicHandlers) => {
    topicHandlers = handlers;
    return () => undefined;
  });
  loadedModules = await loadModules();
  unsubscribe = loadedModules.subscribeToConversationUpdates('me');
});
afterEach(() => {
  unsubscribe();
  loadedModules.queryClient.clear();
  browserTab.close();
});

const createListedConversation = (
  name: keyof typeof conversationIds,
  seq: number,
  unread_count = 0,
): Conversation =>
  createConversation(conversationIds[name], {
    updated_at: getInstantAtMinute(seq),
    last_message: createMessage(seq, { conversation_id: conversationIds[name] }),
    unread_count,
  });
const sumServerUnread = (): number =>
  serverConversations.reduce((sum, { unread_count }) => sum + unread_count, 0);
const getCachedUnreadTotal = (): number | undefined =>
  loadedModules.queryClient.getQueryData(loadedModules.unreadTotalQuery('me').queryKey);
const advanceTimers = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const countRequests = (call: CallDeclaration): number =>
  requestMock.mock.calls.filter(([made]) => hasSameMethodAndPath(made, call)).length;

/**
 * Loads the inbox and keeps observing the query until `leave` is called. `rows` returns `[id, seq,
 * unread]` for each conversation.
 */
const observeInbox = async () => {
  const observer = new InfiniteQueryObserver(loadedModules.queryClient, loadedModules.inboxQuery('me'));
  const leave = observer.subscribe(() => undefined);
  await advanceTimers();
  const rows = () =>
    observer
      .getCurrentResult()
      .data?.items.map((item) => [item.id, item.last_message?.seq, item.unread_count]);
  return { rows, leave };
};

/** Changes a conversation on the simulated server and sends the `unread` event to the client. */
const updateServerConversation = (next: Conversation): void => {
  serverConversations = [next, ...serverConversations.filter(({ id }) => id !== next.id)];
  topicHandlers.on.unread?.({
    conversation_id: next.id,
    unread_count: next.unread_count,
    unread_total: sumServerUnread(),
  });
};

describe('the unread total', () => {
  test('is updated after joining the live channel and by every event', async () => {
    topicHandlers.onJoined?.({ unread_total: 4 });
    expect(getCachedUnreadTotal()).toBe(4);
    updateServerConversation(createListedConversation('lamp', 4, 2));
    expect(getCachedUnreadTotal()).toBe(2);
  });

  test('ignores the response to a request if an event arrived in the meantime', async () => {
    const response = Promise.withResolvers<{ unread_total: number }>();
    requestMock.mockReturnValueOnce(response.promise);
    loadedModules.refreshUnreadTotal('me');
    updateServerConversation(createListedConversation('lamp', 4, 1));
    response.resolve({ unread_total: 0 });
    await advanceTimers();
    expect(getCachedUnreadTotal()).toBe(1);
    serverConversations = [];
    loadedModules.refreshUnreadTotal('me');
    await advanceTimers();
    expect(getCachedUnreadTotal()).toBe(0);
  });

  test('ignores an event with an invalid payload', () => {
    topicHandlers.onJoined?.({ unread_total: 4 });
    topicHandlers.on.unread?.({ unread_total: 'many' });
    topicHandlers.onJoined?.({});
    expect(getCachedUnreadTotal()).toBe(4);
  });

  test('never counts the messages of a visible conversation', async () => {
    const { rows } = await observeInbox();
    const hide = loadedModules.markConversationVisible(conversationIds.lamp);
    serverConversations = [createListedConversation('desk', 3, 1), createListedConversation('lamp', 3)];
    updateServerConversation(createListedConversation('lamp', 4, 2));
    expect(getCachedUnreadTotal()).toBe(1);
    await advanceTimers(150);
    expect(rows()?.find(([id]) => id === conversationIds.lamp)).toEqual([conversationIds.lamp, 4, 0]);
    hide();
    updateServerConversation(createListedConversation('lamp', 5, 3));
    expect(getCachedUnreadTotal()).toBe(4);
  });

  test('is updated when the inbox is loaded', async () => {
    serverConversations = [createListedConversation('lamp', 3, 7)];
    await observeInbox();
    expect(getCachedUnreadTotal()).toBe(7);
  });

  test('reading a conversation updates the total and the inbox row of the conversation', async () => {
    serverConversations = [createListedConversation('lamp', 3, 2), createListedConversation('desk', 2, 1)];
    const { rows } = await observeInbox();
    loadedModules.applyReadMark('me', conversationIds.lamp, 1);
    await advanceTimers();
    expect(getCachedUnreadTotal()).toBe(1);
    expect(rows()).toEqual([
      [conversationIds.lamp, 3, 0],
      [conversationIds.desk, 2, 1],
    ]);
  });
});

describe('the inbox', () => {
  test('collects events for 150 ms and then fetches each changed conversation once', async () => {
    const { rows } = await observeInbox();
    updateServerConversation(createListedConversation('desk', 4, 1));
    updateServerConversation(createListedConversation('desk', 5, 2));
    await advanceTimers(149);
    expect(countRequests(calls.getConversation)).toBe(0);
    await advanceTimers(1);
    expect(countRequests(calls.getConversation)).toBe(1);
    expect(countRequests(calls.listConversations)).toBe(1);
    expect(rows()).toEqual([
      [conversationIds.desk, 5, 2],
      [conversationIds.lamp, 3, 0],
    ]);
  });

  test('is fetched as a whole when many conversations changed, and whenever the live channel is joined', async () => {
    await observeInbox();
    for (let index = 0; index < 6; index += 1) {
      const id = conversationIds.lamp.replace(/.$/, String(index));
      topicHandlers.on.unread?.({ conversation_id: id, unread_count: 1, unread_total: 6 });
    }
    await advanceTimers(150);
    expect(countRequests(calls.getConversation)).toBe(0);
    expect(countRequests(calls.listConversations)).toBe(2);
    topicHandlers.onJoined?.({ unread_total: 0 });
    await advanceTimers();
    expect(countRequests(calls.listConversations)).toBe(3);
  });

  test('is fetched again if the live channel is joined during the first fetch', async () => {
    const waiting: (() => void)[] = [];
    requestMock.mockImplementation(async (call) => {
      if (hasSameMethodAndPath(call, calls.countUnread)) return { unread_total: 0 };
      const items = serverConversations;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { items, next_cursor: null };
    });
    const { rows } = await observeInbox();
    serverConversations = [createListedConversation('desk', 5, 1), createListedConversation('lamp', 3)];
    topicHandlers.onJoined?.({ unread_total: 1 });
    await advanceTimers();
    for (const answer of waiting) answer();
    await advanceTimers();
    expect(rows()?.[0]).toEqual([conversationIds.desk, 5, 1]);
  });

  test('sends no requests while it is not on screen', async () => {
    const { leave } = await observeInbox();
    leave();
    updateServerConversation(createListedConversation('desk', 4, 1));
    topicHandlers.onJoined?.({ unread_total: 1 });
    await advanceTimers(1000);
    expect(countRequests(calls.listConversations)).toBe(1);
    expect(countRequests(calls.getConversation)).toBe(0);
  });

  test('moves the conversation of a sent message to the top', async () => {
    const { rows } = await observeInbox();
    loadedModules.applySentMessage(
      createMessage(6, { conversation_id: conversationIds.desk, sender_id: 'me' }),
    );
    await advanceTimers();
    expect(rows()?.[0]).toEqual([conversationIds.desk, 6, 0]);
  });
});

test('what the other party has read changes a tab or a search without fetching it again', async () => {
  const { seq = 0 } = createListedConversation('lamp', 3).last_message ?? {};
  serverConversations = serverConversations.map((conversation) => ({ ...conversation, other_read_seq: 1 }));
  const queryKey = [...loadedModules.filteredInboxQueryKey('me'), { tab: 'selling', q: '', archived: false }];
  const observer = new InfiniteQueryObserver(loadedModules.queryClient, {
    queryKey,
    queryFn: (): Promise<InboxPages['pages'][number]> => requestMock(calls.listConversations),
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
  });
  const leave = observer.subscribe(() => undefined);
  await advanceTimers();
  requestMock.mockClear();
  loadedModules.applySeen('me', conversationIds.lamp, seq);
  await advanceTimers();
  const items = observer.getCurrentResult().data?.pages.flatMap((loaded) => loaded.items);
  expect(items?.map((item) => item.other_read_seq)).toEqual([seq, 1]);
  expect(countRequests(calls.listConversations)).toBe(0);
  leave();
});

describe('a thread', () => {
  const seqs = () => loadedModules.getCachedThread('me', conversationIds.lamp).stored.map(({ seq }) => seq);
  const own = (seq: number) => createMessage(seq, { conversation_id: conversationIds.lamp, sender_id: 'me' });

  test('that starts in this tab is cached before the server returns it', async () => {
    const conversation = { ...createListedConversation('lamp', 0), last_message: null };
    const observer = new QueryObserver(loadedModules.queryClient, {
      queryKey: loadedModules.conversationByListingQueryKey('me', 'listing'),
      queryFn: async () => ({ conversation: null as Conversation | null }),
    });
    const leave = observer.subscribe(() => undefined);
    await advanceTimers();
    loadedModules.applySentMessage(own(1));
    loadedModules.applyStartedConversation('listing', conversation, own(1));
    expect(seqs()).toEqual([1]);
    expect(observer.getCurrentResult().data?.conversation?.last_message?.seq).toBe(1);
    leave();
  });

  test('that is not cached is not added to the cache by a sent message', () => {
    loadedModules.applySentMessage(own(7));
    expect(
      loadedModules.queryClient.getQueryData(loadedModules.threadQueryKey('me', conversationIds.lamp)),
    ).toBeUndefined();
  });

  test('contains a message only once when the message arrives twice', () => {
    loadedModules.updateCachedThread('me', conversationIds.lamp, {
      kind: 'loaded',
      messages: [own(1)],
      more: false,
    });
    loadedModules.applySentMessage(own(2));
    loadedModules.applySentMessage(own(2));
    expect(seqs()).toEqual([1, 2]);
  });
});

test('a dialog that found no conversation searches again after an event, until it finds one', async () => {
  let found: Conversation | null = null;
  const queryFn = vi.fn(async () => ({ conversation: found }));
  const queryKey = loadedModules.conversationByListingQueryKey('me', 'listing');
  const leave = new QueryObserver(loadedModules.queryClient, { queryKey, queryFn }).subscribe(
    () => undefined,
  );
  await advanceTimers();
  found = createListedConversation('lamp', 1);
  updateServerConversation(createListedConversation('lamp', 1, 1));
  await advanceTimers();
  updateServerConversation(createListedConversation('lamp', 2, 1));
  await advanceTimers();
  expect(queryFn).toHaveBeenCalledTimes(2);
  leave();
});

test('nothing stays in the cache when the session ends or another account logs in', () => {
  const isEmpty = () => loadedModules.queryClient.getQueryCache().getAll().length === 0;
  for (const next of [undefined, 'somebody else', 'me']) {
    loadedModules.setUnreadTotal('me', 3);
    loadedModules.updateCachedThread('me', conversationIds.lamp, {
      kind: 'loaded',
      messages: [],
      more: false,
    });
    browserTab.logIn(next);
    expect(isEmpty()).toBe(true);
  }
});

test('a query that failed is fetched again when the device is back online', async () => {
  requestMock.mockRejectedValue(new Error('no connection'));
  const { rows } = await observeInbox();
  expect(rows()).toBeUndefined();
  requestMock.mockImplementation(async (call) =>
    hasSameMethodAndPath(call, calls.countUnread)
      ? { unread_total: 0 }
      : { items: serverConversations, next_cursor: null },
  );
  await advanceTimers(60_000);
  expect(rows()).toBeUndefined();
  browserTab.setOnline(true);
  await advanceTimers();
  expect(rows()).toHaveLength(2);
});
