import { skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { Link, useLocation } from 'react-router';
import { calls } from '#contract/calls.ts';
import { messagingErrorMessages } from '#contract/conversations.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessagesIllustration, NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { BackToConversationsLink } from './back-to-conversations.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { wasConversationClicked } from './link-state.ts';
import { SaleQuestion } from './sale-question.tsx';
import { ThreadAtMessage } from './thread-at-message.tsx';
import { ThreadHeader } from './thread-header.tsx';
import { ThreadSkeleton, ThreadView } from './thread-view.tsx';
import type { UseInboxResult } from './use-inbox.ts';

export interface OpenConversationPaneProps {
  inbox: UseInboxResult;
  ownId: string;
  openId: string | undefined;
  /** The number of the message at which the conversation opens. */
  targetSeq: number | undefined;
  title: RefObject<HTMLHeadingElement | null>;
  twoPanes: boolean;
}

/**
 * The pane with the open conversation. If the conversation is not in the loaded part of the list, it is
 * fetched separately.
 */
export function OpenConversationPane({
  inbox,
  ownId,
  openId,
  targetSeq,
  title,
  twoPanes,
}: OpenConversationPaneProps) {
  const chosen = wasConversationClicked(useLocation().state);
  const listed = inbox.data?.items.find((item) => item.id === openId);
  const wanted = listed ? undefined : openId;
  const read = useQuery(
    {
      queryKey: ['conversation', ownId, wanted],
      queryFn: wanted
        ? ({ signal }) => request(calls.getConversation, { params: { id: wanted }, signal })
        : skipToken,
    },
    queryClient,
  );
  const open = listed ?? read.data;
  const focusFallback = useFocusFallback<HTMLDivElement>();

  if (open) {
    return (
      <div {...focusFallback} className="flex min-h-0 flex-1 flex-col outline-none">
        <ThreadHeader conversation={open} ownId={ownId} title={title} />
        <SaleQuestion conversation={open} ownId={ownId} />
        {targetSeq === undefined ? (
          <ThreadView key={open.id} conversation={open} ownId={ownId} autoFocus={twoPanes && chosen} />
        ) : (
          <ThreadAtMessage
            key={`${open.id} ${targetSeq}`}
            conversation={open}
            ownId={ownId}
            targetSeq={targetSeq}
          />
        )}
      </div>
    );
  }
  if (!openId) {
    return (
      inbox.data && (
        <CenteredContent>
          <EmptyState
            illustration={<NoMessagesIllustration />}
            title="Select a conversation to start messaging"
          />
        </CenteredContent>
      )
    );
  }
  const unknown = read.error instanceof ApiError && read.error.code === 'conversation_not_found';
  return (
    <>
      <header className="flex min-h-16 items-center gap-2 border-line border-b py-2.5 pl-1 md:hidden">
        <BackToConversationsLink />
        <p className="font-bold">Messages</p>
      </header>
      {unknown ? (
        <CenteredContent>
          <EmptyState
            illustration={<NothingFoundIllustration />}
            title={messagingErrorMessages.loadOne}
            text="This conversation doesn’t exist, or it isn’t yours."
            action={
              <Button asChild variant="secondary">
                <Link to={links.messages} replace>
                  All conversations
                </Link>
              </Button>
            }
          />
        </CenteredContent>
      ) : read.error ? (
        <div className="flex-1 p-4">
          <LoadFailed
            onRetry={() => {
              void read.refetch();
              if (inbox.failed) inbox.reload();
            }}
          >
            {messagingErrorMessages.loadOne}
          </LoadFailed>
        </div>
      ) : (
        <ThreadSkeleton />
      )}
      <ConnectionNotice />
    </>
  );
}

const CenteredContent = ({ children }: { children: ReactNode }) => (
  <div className="grid flex-1 place-items-center overflow-y-auto">{children}</div>
);
