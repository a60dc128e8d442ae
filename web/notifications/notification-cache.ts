import { type InfiniteData, infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { NotificationPage } from '#contract/notifications.ts';
import { notificationEventSchema } from '#contract/realtime.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

const listKey = (ownId: string) => ['notifications', ownId] as const;

/** The query that loads the person's notifications, latest first. */
export const notificationsQuery = (ownId: string) =>
  infiniteQueryOptions({
    queryKey: listKey(ownId),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const updatesBefore = countUnreadUpdates(ownId);
      const page = await request(calls.listNotifications, { query: { cursor }, signal });
      // A number that was set in the meantime is newer than the response.
      if (countUnreadUpdates(ownId) === updatesBefore) setUnreadNotifications(ownId, page.unread_total);
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** The query that loads the number of unread notifications. Live events update the cached number. */
export const unreadNotificationsQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['unread-notifications', ownId],
    queryFn: async () => (await request(calls.listNotifications, { query: {} })).unread_total,
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Returns the number of the person's unread notifications. */
export const useUnreadNotifications = (ownId: string): number =>
  useQuery(unreadNotificationsQuery(ownId), queryClient).data;

const setUnreadNotifications = (ownId: string, total: number): void => {
  const { queryKey } = unreadNotificationsQuery(ownId);
  queryClient.setQueryData(queryKey, total);
  // The response to a request in progress may be older than `total`, so cancel the request.
  void queryClient.cancelQueries({ queryKey, exact: true });
};

/** Returns how often the cached number of unread notifications has been set. */
const countUnreadUpdates = (ownId: string): number =>
  queryClient.getQueryState(unreadNotificationsQuery(ownId).queryKey)?.dataUpdateCount ?? 0;

/** Refetches the number of unread notifications, and the list if it is on screen. */
export const refreshNotifications = (ownId: string): void => {
  queryClient.fetchQuery({ ...unreadNotificationsQuery(ownId), staleTime: 0 }).catch(() => {
    // If the fetch fails, the previous number stays in the cache.
  });
  void queryClient.invalidateQueries({ queryKey: listKey(ownId) });
};

/** Updates the cache after the realtime event `notification`. */
export const applyNotificationEvent = (ownId: string, payload: unknown): void => {
  const event = notificationEventSchema.safeParse(payload).data;
  if (!event) return;
  setUnreadNotifications(ownId, event.unread_total);
  void queryClient.invalidateQueries({ queryKey: listKey(ownId) });
};

const withRead = (
  pages: InfiniteData<NotificationPage>,
  isRead: (id: string) => boolean,
): InfiniteData<NotificationPage> => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    items: page.items.map((item) =>
      item.read_at === null && isRead(item.id) ? { ...item, read_at: new Date().toISOString() } : item,
    ),
  })),
});

/**
 * Marks these notifications, or all of them if `ids` is omitted, as read on every tab and device. Throws an
 * ApiError if the request fails.
 */
export const markNotificationsRead = async (ownId: string, ids?: readonly string[]): Promise<void> => {
  const { unread_total } = await request(calls.readNotifications, { body: ids ? { ids: [...ids] } : {} });
  setUnreadNotifications(ownId, unread_total);
  queryClient.setQueryData<InfiniteData<NotificationPage>>(
    listKey(ownId),
    (pages) => pages && withRead(pages, (id) => !ids || ids.includes(id)),
  );
};
