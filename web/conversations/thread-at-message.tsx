import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import { calls } from '#contract/calls.ts';
import {
  type Conversation,
  type MessageList as MessagePage,
  messagingErrorMessages,
} from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MessageAnnouncer } from './announcer.tsx';
import { buildInboxPath, useInboxFilter } from './inbox-filter.ts';
import { MessageList } from './message-list.tsx';
import { getOtherParty } from './other-party.ts';
import { emptyThread, hasTextMessage, threadReducer, toThreadItems } from './thread.ts';
import { ThreadSkeleton, ThreadView } from './thread-view.tsx';
import { useMessageFormatter } from './use-message-format.ts';
import { useReportReadProgress } from './use-report-read-progress.ts';
import { useThread } from './use-thread.ts';
import { useThreadWarnings } from './use-thread-warnings.ts';

/** Number of messages that are loaded before the one at which the thread opens. */
const messagesBeforeTarget = 25;

type PageParam = { after_seq: number } | { before_seq: number };

const getFirstSeq = ({ items }: MessagePage): number => items[0]?.seq ?? 1;

/** Loads the messages around a message; further ones in both directions follow on request. */
const useMessagesAround = (ownId: string, id: string, seq: number) =>
  useInfiniteQuery<MessagePage, Error, InfiniteData<MessagePage>, readonly unknown[], PageParam>(
    {
      queryKey: ['thread-around', ownId, id, seq],
      queryFn: ({ pageParam, signal }) =>
        request(calls.listMessages, { params: { id }, query: pageParam, signal }),
      initialPageParam: { after_seq: Math.max(0, seq - 1 - messagesBeforeTarget) },
      getNextPageParam: ({ items, more }) => {
        const last = items.at(-1);
        return more && last ? { after_seq: last.seq } : undefined;
      },
      getPreviousPageParam: (page) => (getFirstSeq(page) > 1 ? { before_seq: getFirstSeq(page) } : undefined),
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  );

export interface ThreadAtMessageProps {
  conversation: Conversation;
  ownId: string;
  targetSeq: number;
}

/**
 * A thread that opens at one of its messages. If the message is among the newest ones, this is the usual thread;
 * otherwise, a part of it from which a link leads to the newest messages.
 */
export function ThreadAtMessage({ conversation, ownId, targetSeq }: ThreadAtMessageProps) {
  const around = useMessagesAround(ownId, conversation.id, targetSeq);
  const { data, isError, refetch, hasNextPage } = around;
  if (!data && isError) {
    return (
      <div className="flex-1 p-4">
        <LoadFailed onRetry={() => void refetch()}>{messagingErrorMessages.loadOne}</LoadFailed>
      </div>
    );
  }
  if (!data) return <ThreadSkeleton />;
  const stored = data.pages.flatMap(({ items }) => items);
  if (!hasTextMessage(stored, targetSeq) || (data.pages.length === 1 && !hasNextPage))
    return <ThreadView conversation={conversation} ownId={ownId} targetSeq={targetSeq} />;
  return (
    <ThreadPart
      conversation={conversation}
      ownId={ownId}
      targetSeq={targetSeq}
      around={around}
      pages={data.pages}
    />
  );
}

interface ThreadPartProps extends ThreadAtMessageProps {
  around: ReturnType<typeof useMessagesAround>;
  pages: readonly MessagePage[];
}

/** A part of a thread. Once it reaches the newest messages, it goes on with those that arrive. */
function ThreadPart({ conversation, ownId, targetSeq, around, pages }: ThreadPartProps) {
  const { hasPreviousPage, hasNextPage, isFetchingNextPage, fetchNextPage, fetchPreviousPage } = around;
  const { thread } = useThread(conversation.id, ownId);
  const live = hasNextPage ? emptyThread : thread;
  useReportReadProgress(conversation, live, ownId);
  const [filter] = useInboxFilter();
  const { state } = useLocation();
  const format = useMessageFormatter(conversation, ownId);
  const part = useMemo(() => {
    const stored = pages.flatMap(({ items }) => items);
    const last = stored.at(-1)?.seq ?? 0;
    const messages = live.stored.filter(({ seq }) => seq > last);
    const { unsent } = thread;
    return threadReducer(
      { loaded: true, stored, more: hasPreviousPage, unsent },
      { kind: 'arrived', messages },
    );
  }, [pages, live, thread, hasPreviousPage]);
  const items = useMemo(() => toThreadItems(part, [], ownId, format), [part, ownId, format]);
  const warnings = useThreadWarnings(conversation, { ownId, items, more: hasPreviousPage });
  const otherName = getOtherParty(conversation).name;
  const loadOlder = async (backTo?: number): Promise<boolean> => {
    for (;;) {
      const { hasPreviousPage: more, data: loaded } = await fetchPreviousPage({ throwOnError: true });
      const [oldest] = loaded?.pages ?? [];
      if (!more || backTo === undefined || !oldest || getFirstSeq(oldest) <= backTo) return more;
    }
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <MessageAnnouncer
        thread={live}
        ownId={ownId}
        otherName={otherName}
        format={format}
        findWarnings={warnings.find}
      />
      <MessageList
        conversationId={conversation.id}
        items={items}
        otherName={otherName}
        waiting={false}
        warnings={warnings}
        more={hasPreviousPage}
        loadOlder={loadOlder}
        follows={!hasNextPage}
        targetSeq={targetSeq}
      >
        {hasNextPage && (
          <div className="flex min-h-11 justify-center">
            <Button
              variant="link"
              size="sm"
              loading={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Later messages
            </Button>
          </div>
        )}
      </MessageList>
      <div className="flex justify-center border-line border-t p-3">
        <Button asChild variant="secondary">
          <Link to={buildInboxPath(filter, { id: conversation.id })} state={state} replace preventScrollReset>
            <ArrowDown aria-hidden="true" className="size-4" />
            Newest messages
          </Link>
        </Button>
      </div>
    </div>
  );
}
