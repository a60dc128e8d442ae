import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MessageToPage, PushNotificationData } from '#web/lib/service-worker-messages.ts';
import { endPushNotifications, listenToPushEvents } from './push-events.ts';

const origin = 'https://quad.example';

interface FakeTab {
  focus: () => Promise<void>;
  navigate: (url: string) => Promise<void>;
  postMessage: (message: MessageToPage, ports?: MessagePort[]) => void;
}

/** Simulates a service worker with the given open tabs, to which tests can dispatch events. */
const startWorker = (tabs: FakeTab[] = [], current: { options: object } | null = null) => {
  const listeners = new Map<string, (event: unknown) => void>();
  /** The texts of the notifications on the screen, by tag. */
  const shown = new Map<string, string | undefined>();
  const showNotification = vi.fn(async (_title: string, { tag = '', body }: NotificationOptions) => {
    shown.set(tag, body);
  });
  const openWindow = vi.fn(async (_url: string) => null);
  const subscribe = vi.fn(async (_options: object) => {});
  const worker = {
    location: { origin },
    clients: { matchAll: async () => tabs, openWindow },
    registration: {
      showNotification,
      getNotifications: async ({ tag = '' }) => (shown.has(tag) ? [{ close: () => shown.delete(tag) }] : []),
      pushManager: { getSubscription: async () => current, subscribe },
    },
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
  };
  listenToPushEvents(worker as unknown as ServiceWorkerGlobalScope);
  const dispatch = async (type: string, event: object): Promise<void> => {
    let work: Promise<unknown> | undefined;
    listeners.get(type)?.({
      ...event,
      waitUntil: (promise: Promise<unknown>) => {
        work = promise;
      },
    });
    await work;
  };
  const click = (data: PushNotificationData) =>
    dispatch('notificationclick', { notification: { data, close: () => {} } });
  return { dispatch, click, shown, showNotification, openWindow, subscribe };
};

const createTab = (answers: boolean) => ({
  focus: vi.fn(async () => {}),
  navigate: vi.fn(async (_url: string) => {}),
  postMessage: vi.fn((_message: MessageToPage, ports?: MessagePort[]) => {
    if (answers) ports?.[0]?.postMessage(true);
  }),
});

const about = (source: 'notification' | 'deal') =>
  ({ source, subject_id: '6e0a4c3c-0000-4000-8000-000000000001', kind: 'deals', detail: '' }) as const;

beforeEach(() => {
  vi.useRealTimers();
});

test('shows title, text and tag, and stores path and subject for a click', async () => {
  const { dispatch, showNotification } = startWorker();
  const payload = {
    title: 'Sue',
    text: 'Hello',
    path: '/messages?c=1',
    tag: 'messages:1',
    subject: about('deal'),
  };
  await dispatch('push', { data: { json: () => payload } });
  expect(showNotification).toHaveBeenCalledWith(
    'Sue',
    expect.objectContaining({
      body: 'Hello',
      tag: 'messages:1',
      data: { path: '/messages?c=1', subject: about('deal') },
    }),
  );
});

test.each([true, false])(
  'replaces the notification about an unsent message silently, and leaves none if it was closed: shown %s',
  async (wasShown) => {
    const { dispatch, showNotification, shown } = startWorker();
    const subject = { ...about('deal'), detail: '' };
    const payload = { title: 'Sue', text: 'Oops', path: '/messages?c=1', tag: 'messages:1', subject };
    if (wasShown) await dispatch('push', { data: { json: () => payload } });
    const next = { ...payload, text: 'Message unsent', subject: { ...subject, detail: 'unsent' } };
    await dispatch('push', { data: { json: () => next } });
    expect(showNotification).toHaveBeenLastCalledWith(
      'Sue',
      expect.objectContaining({ body: 'Message unsent', silent: true, renotify: false }),
    );
    expect([...shown]).toEqual(wasShown ? [['messages:1', 'Message unsent']] : []);
  },
);

test.each([undefined, { json: () => JSON.parse('no JSON') }, { json: () => ({}) }, { json: () => null }])(
  'shows "New notification" for an invalid payload',
  async (data) => {
    const { dispatch, showNotification } = startWorker();
    await dispatch('push', { data });
    expect(showNotification).toHaveBeenCalledWith('New notification', expect.anything());
  },
);

describe('a click', () => {
  test('opens a window when there is no tab', async () => {
    const { click, openWindow } = startWorker();
    await click({ path: '/my-listings', subject: about('deal') });
    expect(openWindow).toHaveBeenCalledWith(`${origin}/my-listings`);
  });

  test('focuses an open tab, which navigates by itself', async () => {
    const tab = createTab(true);
    const { click, openWindow } = startWorker([tab, createTab(true)]);
    await click({ path: '/search?q=desk', subject: about('notification') });
    expect(tab.focus).toHaveBeenCalled();
    expect(tab.postMessage).toHaveBeenCalledWith(
      { open: `/search?q=desk#notification=${about('deal').subject_id}` },
      expect.anything(),
    );
    expect([tab.navigate.mock.calls, openWindow.mock.calls]).toEqual([[], []]);
  });

  test('loads the page in a tab that does not answer or cannot be focused', async () => {
    vi.useFakeTimers();
    const tab = createTab(false);
    tab.focus.mockRejectedValue(new Error('Not allowed'));
    const { click } = startWorker([tab]);
    const clicked = click({ path: '/saved', subject: undefined });
    await vi.runAllTimersAsync();
    await clicked;
    expect(tab.navigate).toHaveBeenCalledWith(`${origin}/saved`);
  });

  test.each(['https://elsewhere.example/', '//elsewhere.example/', 'javascript:alert(1)'])(
    'never leaves the site: %s',
    async (path) => {
      const { click, openWindow } = startWorker();
      await click({ path, subject: undefined });
      expect(openWindow).toHaveBeenCalledWith(`${origin}/notifications`);
    },
  );
});

describe('a subscription that the browser has ended', () => {
  const oldSubscription = { options: { userVisibleOnly: true } };

  test('is renewed, and open pages are notified so that they save the new one', async () => {
    const tab = createTab(false);
    const { dispatch, subscribe } = startWorker([tab]);
    await dispatch('pushsubscriptionchange', { oldSubscription });
    expect(subscribe).toHaveBeenCalledWith(oldSubscription.options);
    expect(tab.postMessage).toHaveBeenCalledWith({ renewed: true });
  });

  test('is not renewed when the browser has already renewed it', async () => {
    const { dispatch, subscribe } = startWorker([], { options: {} });
    await dispatch('pushsubscriptionchange', { oldSubscription });
    expect(subscribe).not.toHaveBeenCalled();
  });
});

test('a log-out closes shown notifications and unsubscribes, even if the push service is unreachable', async () => {
  const close = vi.fn();
  const unsubscribe = vi.fn(async () => {
    throw new Error('offline');
  });
  const registration = {
    getNotifications: async () => [{ close }, { close }],
    pushManager: { getSubscription: async () => ({ unsubscribe }) },
  };
  await endPushNotifications({ registration } as unknown as ServiceWorkerGlobalScope);
  expect([close.mock.calls.length, unsubscribe.mock.calls.length]).toEqual([2, 1]);
});
