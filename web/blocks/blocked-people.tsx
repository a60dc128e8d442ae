import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDate } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { UnblockButton } from './unblock-button.tsx';

/** The section of Settings that lists the people whom the signed-in person has blocked. */
export function BlockedPeople({ ownId }: { ownId: string }) {
  const campus = useCampus();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: ['blocked-people', ownId],
      queryFn: ({ pageParam: cursor, signal }) => request(calls.listBlocks, { query: { cursor }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor,
    },
    queryClient,
  );
  if (!data) {
    return (
      <LoadingOrFailed
        what="the people you blocked"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-11 w-full"
      />
    );
  }
  const people = data.pages.flatMap(({ items }) => items);
  const next = data.pages.at(-1)?.next_cursor;
  return (
    <div {...focusFallback} className="outline-none">
      {people.length === 0 && (
        <p className="max-w-prose text-ink-muted text-sm">
          You haven’t blocked anybody. You can block a person from their profile, a listing or a conversation;
          afterwards neither of you can contact the other.
        </p>
      )}
      <ul className="divide-y divide-line">
        {people.map(({ user, blocked_at }) => (
          <li key={user.id} className="flex items-center gap-3 py-2.5">
            <Avatar name={user.name} src={user.avatar_url} size="sm" />
            <div className="min-w-0 flex-1">
              <Link
                to={links.user(user.id)}
                className="block truncate font-semibold underline-offset-3 hover:underline"
              >
                <bdi>{user.name}</bdi>
              </Link>
              <p className="text-ink-muted text-sm">{`Blocked ${formatCampusDate(blocked_at, campus)}`}</p>
            </div>
            <UnblockButton person={user} ownId={ownId} />
          </li>
        ))}
      </ul>
      {next && (
        <LoadMore
          end={next}
          load={() => loadNextPage(fetchNextPage)}
          failed="More people could not be loaded."
        />
      )}
    </div>
  );
}
