import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import type { OwnWantedPost } from '#contract/wanted.ts';
import { request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoListingsIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { WantedFacts } from './wanted-facts.tsx';
import { ownWantedQuery, refreshWanted } from './wanted-queries.ts';

const postButton = (
  <Button variant="secondary" asChild>
    <Link to={links.postWanted}>Post what you’re looking for</Link>
  </Button>
);

/** What the person looks for, with what has ended. */
export function OwnWantedPosts({ ownId }: { ownId: string }) {
  const { data, isError, refetch } = useQuery(ownWantedQuery(ownId), queryClient);
  if (!data)
    return (
      <LoadingOrFailed
        what="what you’re looking for"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-32 rounded-lg"
      />
    );
  if (data.items.length === 0)
    return (
      <EmptyState
        illustration={<NoListingsIllustration />}
        title="You’re not looking for anything"
        text="Say what you need, and people who have it can write to you."
        action={postButton}
      />
    );
  return (
    <>
      <div className="mb-4">{postButton}</div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {data.items.map((post) => (
          <OwnWantedItem key={post.id} post={post} />
        ))}
      </ul>
    </>
  );
}

function OwnWantedItem({ post }: { post: OwnWantedPost }) {
  const focusFallback = useFocusFallback<HTMLLIElement>();
  const close = useMutation(
    {
      mutationFn: () => request(calls.closeWantedPost, { params: { id: post.id } }),
      onSuccess: refreshWanted,
      onError: (error) => toast.error('Not closed', error.message),
    },
    queryClient,
  );
  return (
    <li {...focusFallback} className="grid rounded-lg outline-none">
      <Card padded className="flex flex-col items-start gap-2">
        <h3 dir="auto" className="wrap-anywhere font-extrabold">
          {post.title}
        </h3>
        <WantedFacts post={post} />
        {post.state === 'ended' && <Badge>Ended</Badge>}
        {post.state === 'taken_down' && (
          <p className="text-danger text-sm">
            Taken down by a moderator: <bdi>{post.hidden_reason}</bdi>
          </p>
        )}
        {post.state !== 'taken_down' && (
          <div className="mt-auto flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" asChild>
              <Link to={links.editWanted(post.id)}>{post.state === 'open' ? 'Edit' : 'Renew'}</Link>
            </Button>
            {post.state === 'open' && (
              <OnlineOnlyButton
                variant="ghost"
                size="sm"
                loading={close.isPending}
                onClick={() => close.mutate()}
              >
                Close
              </OnlineOnlyButton>
            )}
          </div>
        )}
      </Card>
    </li>
  );
}
