import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { AvailabilityQuestions } from '#web/listings/public.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import {
  markNotificationsRead,
  notificationsQuery,
  refreshNotifications,
  unreadNotificationsQuery,
} from './notification-cache.ts';
import { NotificationItem } from './notification-item.tsx';

/** The person's notifications, latest first; opening one marks it as read. */
export function NotificationsScreen({ ownId }: { ownId: string }) {
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(notificationsQuery(ownId), queryClient);
  const { data: unreadTotal } = useQuery(unreadNotificationsQuery(ownId), queryClient);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const readAll = useMutation(
    {
      mutationFn: () => markNotificationsRead(ownId),
      onError: (error) => toast.error('Failed to mark notifications as read', error.message),
    },
    queryClient,
  );

  if (!data) {
    return isError ? (
      <LoadFailed onRetry={() => void refetch()}>Failed to load your notifications</LoadFailed>
    ) : (
      <ListSkeleton />
    );
  }
  const items = data.pages.flatMap((page) => page.items);
  const nextCursor = data.pages.at(-1)?.next_cursor;
  if (items.length === 0) {
    return (
      <EmptyState
        illustration={<NothingFoundIllustration />}
        title="No notifications yet"
        text="You learn here when the price of a saved listing falls, when something new matches a saved search, and when somebody reviews you."
        action={
          <Button asChild>
            <Link to={links.browse}>Browse Listings</Link>
          </Button>
        }
      />
    );
  }
  return (
    <>
      <div
        {...focusFallback}
        className="mb-3 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 outline-none"
      >
        <p role="status" className="font-semibold text-ink-muted">
          {unreadTotal > 0 ? `${unreadTotal} unread` : 'Everything is read'}
        </p>
        {unreadTotal > 0 && (
          <Button variant="secondary" size="sm" loading={readAll.isPending} onClick={() => readAll.mutate()}>
            Mark all as read
          </Button>
        )}
      </div>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
        {items.map((item) => (
          <li key={item.id} className="border-line not-first:border-t">
            <NotificationItem
              notification={item}
              onOpen={() => {
                // If marking the notification as read fails, it stays unread. This needs no error message.
                if (item.read_at === null) markNotificationsRead(ownId, [item.id]).catch(() => undefined);
              }}
            >
              {item.questions?.length ? (
                <AvailabilityQuestions
                  ownId={ownId}
                  questions={item.questions}
                  onAnswer={() => refreshNotifications(ownId)}
                />
              ) : undefined}
            </NotificationItem>
          </li>
        ))}
      </ul>
      {nextCursor && (
        <LoadMore
          end={nextCursor}
          load={() => loadNextPage(fetchNextPage)}
          failed="More notifications could not be loaded."
          className="mt-8"
        />
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-2">
      <span role="status" className="sr-only">
        Loading your notifications
      </span>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} className="h-20 rounded-lg" />
      ))}
    </div>
  );
}
