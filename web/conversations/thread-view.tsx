import { useMemo } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { DealPanel } from '#web/deals/public.ts';
import { Announcer } from './announcer.tsx';
import { getOtherParty } from './other-party.ts';
import { useOutgoingQueue } from './outbox.ts';
import { findNewestEvent, toThreadItems } from './thread.ts';
import { ThreadPanel } from './thread-panel.tsx';
import { useMessageFormat } from './use-message-format.ts';
import { useReadMark } from './use-read-mark.ts';
import { useThread } from './use-thread.ts';

export interface ThreadViewProps {
  conversation: Conversation;
  ownId: string;
  /** Whether to focus the message input. */
  autoFocus?: boolean | undefined;
}

/**
 * One conversation: its messages and the message input. Pass the conversation's id as `key`, so
 * that React resets the component's state when another conversation is opened.
 */
export function ThreadView({ conversation, ownId, autoFocus }: ThreadViewProps) {
  const { thread, failed, reload, loadOlder } = useThread(conversation.id, ownId);
  const queue = useOutgoingQueue(conversation.id);
  const { entries } = queue;
  useReadMark(conversation, thread, ownId);
  const format = useMessageFormat(conversation, ownId);
  const items = useMemo(
    () => toThreadItems(thread, entries, ownId, format),
    [thread, entries, ownId, format],
  );
  const { name, gone } = getOtherParty(conversation);

  return (
    <>
      <DealPanel
        conversation={conversation}
        ownId={ownId}
        otherName={name}
        newestEvent={findNewestEvent(thread)}
      />
      <ThreadPanel
        conversation={conversation}
        items={items}
        otherName={name}
        queue={queue}
        loaded={thread.loaded}
        failed={failed}
        reload={reload}
        more={thread.more}
        loadOlder={loadOlder}
        gone={gone}
        autoFocus={autoFocus}
      >
        <Announcer thread={thread} ownId={ownId} otherName={name} format={format} />
      </ThreadPanel>
    </>
  );
}
