import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { type Conversation, type Message, messagingErrorMessages } from '#contract/conversations.ts';
import { errorCatalog } from '#contract/errors.ts';
import { listFirstQuestions } from '#contract/first-words.ts';
import { MessagingUnavailableNotice } from '#web/blocks/public.ts';
import { DealPanel } from '#web/deals/public.ts';
import { MessagePushPrompt } from '#web/push/public.ts';
import { Alert } from '#web/ui/alert.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { MessageAnnouncer } from './announcer.tsx';
import { MessageComposer, type MessageTarget } from './composer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { setDraftReply } from './drafts.ts';
import { FirstAnswers } from './first-answers.tsx';
import { FirstWords } from './first-words.tsx';
import { MessageList } from './message-list.tsx';
import { getOtherParty } from './other-party.ts';
import { clearSendError, type OutgoingQueue, useOutgoingQueue } from './outbox.ts';
import { RentalPhotosButton } from './rental-photos-button.tsx';
import {
  findNewestEventLine,
  findSeenKey,
  hasTextMessage,
  type ThreadItem,
  toQuotedMessage,
  toThreadItems,
} from './thread.ts';
import { useMessageFormatter } from './use-message-format.ts';
import { useReportReadProgress } from './use-report-read-progress.ts';
import { useThread } from './use-thread.ts';
import { type ThreadWarnings, useThreadWarnings } from './use-thread-warnings.ts';

export interface ThreadViewProps {
  conversation: Conversation;
  ownId: string;
  autoFocus?: boolean | undefined;
  /** The number of the message at which the thread opens. */
  targetSeq?: number | undefined;
}

/**
 * One conversation: its messages and the message input. Pass the conversation's id as `key`, so
 * that React resets the component's state when another conversation is opened.
 */
export function ThreadView({ conversation, ownId, autoFocus, targetSeq }: ThreadViewProps) {
  const { thread, isTyping, failed, reload, loadOlder } = useThread(conversation.id, ownId);
  const queue = useOutgoingQueue(conversation.id);
  const { entries } = queue;
  useReportReadProgress(conversation, thread, ownId);
  const format = useMessageFormatter(conversation, ownId);
  const items = useMemo(
    () => toThreadItems(thread, entries, ownId, format),
    [thread, entries, ownId, format],
  );
  const warnings = useThreadWarnings(conversation, { ownId, items, more: thread.more });
  const { id, name, gone } = getOtherParty(conversation);
  const isBuyer = conversation.buyer_id === ownId;

  return (
    <>
      <DealPanel
        conversation={conversation}
        ownId={ownId}
        otherName={name}
        newestEvent={findNewestEventLine(thread)}
        renderPhotosButton={(deal) => (
          <RentalPhotosButton deal={deal} conversation={conversation} ownId={ownId} otherName={name} />
        )}
      />
      <ThreadPanel
        conversation={conversation}
        items={items}
        otherName={name}
        queue={queue}
        warnings={warnings}
        loaded={thread.loaded}
        failed={failed}
        reload={reload}
        more={thread.more}
        loadOlder={loadOlder}
        targetSeq={hasTextMessage(thread.stored, targetSeq) ? targetSeq : undefined}
        gone={gone}
        questions={isBuyer ? listFirstQuestions({ category: conversation.listing.category }) : []}
        seenKey={findSeenKey(thread, ownId, conversation.other_read_seq)}
        isTyping={isTyping}
        footer={(input) => (
          <FirstAnswers
            conversation={conversation}
            ownId={ownId}
            thread={thread}
            items={items}
            input={input}
          />
        )}
        mayWrite={conversation.may_write !== false}
        contactNotice={id !== null && <MessagingUnavailableNotice person={{ id, name }} ownId={ownId} />}
        autoFocus={autoFocus}
      >
        <MessageAnnouncer
          thread={thread}
          ownId={ownId}
          otherName={name}
          format={format}
          findWarnings={warnings.find}
        />
      </ThreadPanel>
    </>
  );
}

export interface ThreadPanelProps {
  conversation: MessageTarget;
  items: readonly ThreadItem[];
  otherName: string;
  queue: OutgoingQueue;
  warnings?: ThreadWarnings | undefined;
  loaded: boolean;
  /** Whether the first load of the thread failed; `reload` tries again. */
  failed: boolean;
  reload: () => void;
  more: boolean;
  loadOlder: (backTo?: number) => Promise<boolean>;
  /** The seq of the message at which the thread opens, once it is loaded. */
  targetSeq?: number | undefined;
  /** Whether the other party's account was deleted. */
  gone: boolean;
  /** What a buyer can ask first; none for a seller. */
  questions: readonly string[];
  /** The key of the person's last message that the other party has read. */
  seenKey?: string | undefined;
  isTyping?: boolean | undefined;
  /** Returns what follows the newest message. */
  footer?: ((input: RefObject<HTMLTextAreaElement | null>) => ReactNode) | undefined;
  /** Whether the two people may write to each other. They may not if one has blocked the other. */
  mayWrite: boolean;
  /** Shown instead of the message input when the two people may not write to each other. */
  contactNotice: ReactNode;
  autoFocus?: boolean | undefined;
  /** The component that announces new messages to screen readers. */
  children?: ReactNode;
}

/**
 * Error codes of refused messages for which the server's error message is displayed, because it
 * explains why sending failed.
 */
const displayedRefusalCodes = new Set(['rate_limited', 'listing_not_found', 'own_listing']);

/**
 * The messages of a thread and the message input. If the other party's account was deleted or the two
 * people may not write to each other, a notice replaces the input.
 */
export function ThreadPanel({ conversation, items, queue, gone, ...thread }: ThreadPanelProps) {
  const { loaded, failed, reload, children } = thread;
  const { refusal } = queue;
  const input = useRef<HTMLTextAreaElement>(null);
  const isGone = gone || refusal?.code === 'recipient_gone';
  const mayWrite = !isGone && thread.mayWrite && refusal?.code !== 'contact_refused';
  const reply = useCallback(
    (message: Message): void => {
      setDraftReply(conversation.id, toQuotedMessage(message));
      input.current?.focus();
    },
    [conversation.id],
  );
  useEffect(() => () => clearSendError(conversation.id), [conversation.id]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {failed && !loaded && (
        <div className="p-4">
          <LoadFailed onRetry={reload}>{messagingErrorMessages.loadOne}</LoadFailed>
        </div>
      )}
      {items.length > 0 ? (
        <MessageList
          conversationId={conversation.id}
          items={items}
          otherName={thread.otherName}
          waiting={queue.waiting}
          warnings={thread.warnings}
          more={thread.more}
          loadOlder={thread.loadOlder}
          onReply={mayWrite ? reply : undefined}
          seenKey={thread.seenKey}
          targetSeq={thread.targetSeq}
        >
          {thread.isTyping && (
            <p className="mt-3 text-ink-muted text-sm">
              <bdi>{thread.otherName}</bdi> <span>is typing…</span>
            </p>
          )}
          {thread.mayWrite && !gone && thread.footer?.(input)}
        </MessageList>
      ) : loaded ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <FirstWords conversation={conversation} questions={thread.questions} input={input} />
        </div>
      ) : failed ? (
        <div className="flex-1" />
      ) : (
        <ThreadSkeleton />
      )}
      {children}
      <ConnectionNotice />
      {!gone && <MessagePushPrompt otherName={thread.otherName} />}
      {refusal && displayedRefusalCodes.has(refusal.code) && (
        <Alert tone="error" className="rounded-none!">
          {refusal.message}
        </Alert>
      )}
      {isGone ? (
        <p role="status" className="border-line border-t px-4 py-4 text-center text-ink-muted text-sm">
          {errorCatalog.recipient_gone.sentence}
        </p>
      ) : !mayWrite ? (
        thread.contactNotice
      ) : (
        <MessageComposer
          conversation={conversation}
          otherName={thread.otherName}
          loading={!loaded}
          autoFocus={thread.autoFocus}
          input={input}
        />
      )}
    </div>
  );
}

export function ThreadSkeleton() {
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
