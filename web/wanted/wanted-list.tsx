import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { isCategory } from '#contract/categories.ts';
import type { WantedPost } from '#contract/wanted.ts';
import { links } from '#web/lib/links.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { useDialogOfAccount } from '#web/lib/use-dialog-of-account.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { WantedCard } from './wanted-card.tsx';
import { wantedListQuery } from './wanted-queries.ts';

const AnswerDialog = lazyDialog(async () => (await import('./answer-dialog.tsx')).AnswerDialog);
const WantedReportDialog = lazyDialog(
  async () => (await import('./wanted-report-dialog.tsx')).WantedReportDialog,
);
const SignInRequiredDialog = lazyDialog(
  async () => (await import('#web/ui/sign-in-required-dialog.tsx')).SignInRequiredDialog,
);

interface OpenedDialog {
  ownId: string | undefined;
  post: WantedPost;
  action: 'answer' | 'report';
}

const signInDescriptions = {
  answer: 'You need to be logged in to answer. Please sign in or create an account to continue.',
  report: 'You need to be logged in to report. Please sign in or create an account to continue.',
};

/** What people look for, in a category or by the words of a search. */
export function WantedList({ category, q }: { category?: string | undefined; q?: string | undefined }) {
  const { user, loading } = useSession();
  const { pathname, search } = useLocation();
  const [opened, setOpened] = useDialogOfAccount<OpenedDialog>();
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(
    {
      ...wantedListQuery(user?.id, { category: category && isCategory(category) ? category : undefined, q }),
      enabled: !loading,
    },
    queryClient,
  );
  const postButton = (
    <Button variant="secondary" asChild>
      <Link to={links.postWanted}>Post what you’re looking for</Link>
    </Button>
  );

  if (!data)
    return (
      <LoadingOrFailed
        what="what people are looking for"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-32 rounded-lg"
      />
    );
  const posts = data.pages.flatMap((page) => page.items);
  const nextCursor = data.pages.at(-1)?.next_cursor;
  if (posts.length === 0)
    return (
      <EmptyState
        as="h2"
        illustration={<NothingFoundIllustration />}
        title="Nobody is looking for anything here"
        text="Say what you need, and people who have it can write to you."
        action={postButton}
      />
    );
  const close = () => setOpened(undefined);
  return (
    <>
      <div className="mt-3 mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold text-ink-muted">People are looking for</h2>
        {postButton}
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {posts.map((post) => (
          <li key={post.id} data-owner={post.user.id} className="grid">
            <WantedCard
              post={post}
              isOwn={post.user.id === user?.id}
              onAnswer={() => setOpened({ ownId: user?.id, post, action: 'answer' })}
              onReport={() => setOpened({ ownId: user?.id, post, action: 'report' })}
            />
          </li>
        ))}
      </ul>
      {nextCursor && (
        <LoadMore
          end={nextCursor}
          load={() => loadNextPage(fetchNextPage)}
          failed="More could not be loaded."
          className="mt-8"
        />
      )}
      {opened &&
        (opened.ownId === undefined ? (
          <SignInRequiredDialog
            description={signInDescriptions[opened.action]}
            returnTo={pathname + search}
            onClose={close}
          />
        ) : opened.action === 'answer' ? (
          <AnswerDialog post={opened.post} ownId={opened.ownId} onClose={close} />
        ) : (
          <WantedReportDialog postId={opened.post.id} onClose={close} />
        ))}
    </>
  );
}
