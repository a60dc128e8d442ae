import { InfiniteQueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import {
  applyNotificationEvent,
  markNotificationsRead,
  notificationsQuery,
  refreshNotifications,
  unreadNotificationsQuery,
} from './notification-cache.ts';

interface PendingResponse {
  unread_total: number;
  resolve: (response: object) => void;
}

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', () => ({ request: requestMock }));

let serverTotal: number;
/** The requests without a response, with the number of unread notifications at the time of each. */
let pending: PendingResponse[];

beforeEach(() => {
  serverTotal = 0;
  pending = [];
  requestMock.mockImplementation(
    () => new Promise((resolve) => pending.push({ unread_total: serverTotal, resolve })),
  );
});
afterEach(() => queryClient.clear());

const flushMicrotasks = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
/** Responds to the oldest request. */
const respond = async (): Promise<void> => {
  const { unread_total, resolve } = pending.shift() as PendingResponse;
  resolve({ items: [], next_cursor: null, unread_total });
  await flushMicrotasks();
};
const getUnreadCount = () => queryClient.getQueryData(unreadNotificationsQuery('me').queryKey);
const receiveEvent = (unread_total: number): void => {
  serverTotal = unread_total;
  applyNotificationEvent('me', { unread_total });
};

test('an event takes precedence over the response to an earlier request for the unread count', async () => {
  refreshNotifications('me');
  receiveEvent(1);
  await respond();
  expect(getUnreadCount()).toBe(1);
  serverTotal = 2;
  refreshNotifications('me');
  await respond();
  expect(getUnreadCount()).toBe(2);
});

test('the list sets the unread count, unless that has changed since the request', async () => {
  const observer = new InfiniteQueryObserver(queryClient, notificationsQuery('me'));
  serverTotal = 3;
  const leave = observer.subscribe(() => undefined);
  await respond();
  expect(getUnreadCount()).toBe(3);
  void observer.refetch();
  const marked = markNotificationsRead('me');
  const [outdated, mark] = pending.splice(0) as [PendingResponse, PendingResponse];
  mark.resolve({ unread_total: 0 });
  await marked;
  pending = [outdated];
  await respond();
  expect(getUnreadCount()).toBe(0);
  leave();
});
