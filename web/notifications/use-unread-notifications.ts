import { useQuery } from '@tanstack/react-query';
import { queryClient } from '#web/lib/query-client.ts';
import { unreadNotificationsQuery } from './notification-cache.ts';

/** Returns the number of the person's unread notifications. */
export const useUnreadNotifications = (ownId: string): number =>
  useQuery(unreadNotificationsQuery(ownId), queryClient).data;
