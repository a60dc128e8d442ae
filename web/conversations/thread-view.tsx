import { useMemo } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { Announcer } from './announcer.tsx';
import { getOtherParty } from './other-party.ts';
import { useQueue } from './outbox.ts';
import { toBubbles } from './thread.ts';
import { ThreadPanel } from './thread-panel.tsx';
import { useReadMark } from './use-read-mark.ts';
import { useThread } from './use-thread.ts';

export interface ThreadViewProps {
  conversation: Conversation;
  ownId: string;
  /** Focuses the input. */
  autoFocus?: boolean | undefined;
}

/** One conversation: its messages and the input. Give it the conversation's id as `key`. */
export function ThreadView({ conversation, ownId, autoFocus }: ThreadViewProps) {
  const { thread, failed, reload, loadOlder } = useThread(conversation.id, ownId);
  const queue = useQueue(conversation.id);
  const { entries } = queue;
  useReadMark(conversation, thread, ownId);
  const bubbles = useMemo(() => toBubbles(thread, entries, ownId), [thread, entries, ownId]);
  const { name, gone } = getOtherParty(conversation);

  return (
    <ThreadPanel
      conversation={conversation}
      bubbles={bubbles}
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
      <Announcer thread={thread} ownId={ownId} otherName={name} />
    </ThreadPanel>
  );
}
