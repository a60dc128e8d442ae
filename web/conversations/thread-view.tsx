import { WifiOff } from 'lucide-react';
import { useState } from 'react';
import type { Conversation, Message } from '#contract/conversations.ts';
import { messagingSentences } from '#contract/conversations.ts';
import { errorCatalogue } from '#contract/errors.ts';
import { ApiError } from '#web/lib/api.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessages } from '#web/ui/illustrations/empty-states.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { otherParty } from './other-party.ts';
import { useReadMark } from './use-read-mark.ts';
import { useThread } from './use-thread.ts';

export interface ThreadViewProps {
  conversation: Conversation;
  ownId: string;
  /** Starts in the input. */
  autoFocus?: boolean | undefined;
  onSent?: ((message: Message) => void) | undefined;
  onRead: (conversationId: string) => void;
}

/** One conversation: its messages and the input. Give it the conversation's id as `key`. */
export function ThreadView({ conversation, ownId, autoFocus, onSent, onRead }: ThreadViewProps) {
  const { thread, failed, reload, connected, sending, send, loadOlder } = useThread(conversation);
  useReadMark(conversation, thread, ownId, onRead);
  const { name, gone } = otherParty(conversation);
  const [refused, setRefused] = useState(false);
  const empty = thread.loaded && thread.stored.length === 0 && thread.pending.length === 0;

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {failed && !thread.loaded ? (
        <div className="flex-1 p-4">
          <Alert
            tone="error"
            action={
              <Button variant="secondary" size="sm" onClick={reload}>
                Try again
              </Button>
            }
          >
            {messagingSentences.loadOne}
          </Alert>
        </div>
      ) : !thread.loaded ? (
        <ThreadSkeleton />
      ) : empty ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <EmptyState
            illustration={<NoMessages />}
            title="No messages yet. Start the conversation!"
            className="py-6!"
          />
        </div>
      ) : (
        <MessageList thread={thread} ownId={ownId} otherName={name} loadOlder={loadOlder} />
      )}
      {!connected && (
        <p
          role="status"
          className="flex items-center justify-center gap-2 bg-gold-soft px-4 py-1.5 text-gold-text text-sm"
        >
          <WifiOff aria-hidden="true" className="size-4" />
          Connection lost. Reconnecting…
        </p>
      )}
      {gone || refused ? (
        <p role="status" className="border-line border-t px-4 py-4 text-center text-ink-muted text-sm">
          {errorCatalogue.recipient_gone.sentence}
        </p>
      ) : (
        <Composer
          returned={thread.returned}
          sending={sending}
          loading={!thread.loaded}
          autoFocus={autoFocus}
          onSend={async (text, again) => {
            try {
              const message = await send(text, again);
              onSent?.(message);
            } catch (error) {
              setRefused(error instanceof ApiError && error.code === 'recipient_gone');
              throw error;
            }
          }}
        />
      )}
    </div>
  );
}

function ThreadSkeleton() {
  return (
    <div className="flex flex-1 flex-col gap-3 p-5" aria-busy="true">
      <span className="sr-only">Loading messages</span>
      <Skeleton className="h-12 w-3/5 rounded-lg" />
      <Skeleton className="h-12 w-2/5 self-end rounded-lg" />
      <Skeleton className="h-16 w-1/2 rounded-lg" />
      <Skeleton className="h-12 w-1/3 self-end rounded-lg" />
    </div>
  );
}
