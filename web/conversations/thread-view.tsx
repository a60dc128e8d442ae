import { useEffect, useMemo, useState } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { messagingSentences } from '#contract/conversations.ts';
import { errorCatalogue } from '#contract/errors.ts';
import { ApiError } from '#web/lib/api.ts';
import { onSendFailed, useLine } from '#web/lib/outbox.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessages } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Announcer } from './announcer.tsx';
import { Composer } from './composer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { MessageList } from './message-list.tsx';
import { otherParty } from './other-party.ts';
import { bubblesOf } from './thread.ts';
import { useReadMark } from './use-read-mark.ts';
import { useThread } from './use-thread.ts';

export interface ThreadViewProps {
  conversation: Conversation;
  ownId: string;
  /** Starts in the input. */
  autoFocus?: boolean | undefined;
  onRead: (conversationId: string) => void;
}

/** Whether a message was refused because the other party is gone by now. */
const useRefused = (conversationId: string): boolean => {
  const [refused, setRefused] = useState(false);
  useEffect(
    () =>
      onSendFailed((reason, failedIn) => {
        if (failedIn !== conversationId) return;
        setRefused(reason instanceof ApiError && reason.code === 'recipient_gone');
      }),
    [conversationId],
  );
  return refused;
};

/** One conversation: its messages and the input. Give it the conversation's id as `key`. */
export function ThreadView({ conversation, ownId, autoFocus, onRead }: ThreadViewProps) {
  const { thread, failed, reload, loadOlder } = useThread(conversation.id, ownId);
  const { entries, waiting } = useLine(conversation.id);
  useReadMark(conversation, thread, ownId, onRead);
  const bubbles = useMemo(() => bubblesOf(thread, entries, ownId), [thread, entries, ownId]);
  const { name, gone } = otherParty(conversation);
  const refused = useRefused(conversation.id);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {failed && !thread.loaded && (
        <div className="p-4">
          <LoadFailed onRetry={reload}>{messagingSentences.loadOne}</LoadFailed>
        </div>
      )}
      {bubbles.length > 0 ? (
        <MessageList
          bubbles={bubbles}
          otherName={name}
          waiting={waiting}
          more={thread.more}
          loadOlder={loadOlder}
        />
      ) : thread.loaded ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <EmptyState
            illustration={<NoMessages />}
            title="No messages yet. Start the conversation!"
            className="py-6!"
          />
        </div>
      ) : failed ? (
        <div className="flex-1" />
      ) : (
        <ThreadSkeleton />
      )}
      <Announcer thread={thread} ownId={ownId} otherName={name} />
      <ConnectionNotice />
      {gone || refused ? (
        <p role="status" className="border-line border-t px-4 py-4 text-center text-ink-muted text-sm">
          {errorCatalogue.recipient_gone.sentence}
        </p>
      ) : (
        <Composer conversation={conversation} loading={!thread.loaded} autoFocus={autoFocus} />
      )}
    </div>
  );
}

function ThreadSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-hidden p-5" aria-busy="true">
      <span className="sr-only">Loading messages</span>
      <Skeleton className="h-12 w-3/5 rounded-lg" />
      <Skeleton className="h-12 w-2/5 self-end rounded-lg" />
      <Skeleton className="h-16 w-1/2 rounded-lg" />
      <Skeleton className="h-12 w-1/3 self-end rounded-lg" />
    </div>
  );
}
