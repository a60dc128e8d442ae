import type { Message } from '#contract/conversations.ts';

/** A message on its way: shown at once, replaced by the stored one with the same client_id. */
export interface PendingMessage {
  client_id: string;
  message_text: string;
  created_at: string;
}

/** A text that could not be sent; it keeps its name, so that sending it once more can never double it. */
export type ReturnedText = Pick<PendingMessage, 'client_id' | 'message_text'>;

export interface Thread {
  /** The newest messages are here; what arrived before that waits in `stored` too. */
  loaded: boolean;
  /** By rising seq, each seq once. */
  stored: readonly Message[];
  /** In the order of sending. */
  pending: readonly PendingMessage[];
  /** Given back to the input by the latest failure, until stored after all or taken. */
  returned: ReturnedText | null;
  /** Older messages exist on the server. */
  more: boolean;
}

export type ThreadEvent =
  | { kind: 'loaded'; messages: readonly Message[]; more: boolean }
  | { kind: 'older'; messages: readonly Message[]; more: boolean }
  /** Live, caught up, or the answer to one's own sending: all the same. */
  | { kind: 'arrived'; messages: readonly Message[] }
  | { kind: 'sending'; message: PendingMessage }
  | { kind: 'failed'; client_id: string };

export const emptyThread: Thread = { loaded: false, stored: [], pending: [], returned: null, more: false };

const merge = (thread: Thread, messages: readonly Message[]): Thread => {
  const bySeq = new Map(thread.stored.map((message) => [message.seq, message]));
  for (const message of messages) if (!bySeq.has(message.seq)) bySeq.set(message.seq, message);
  const arrived = new Set(messages.map((message) => message.client_id));
  return {
    ...thread,
    stored: [...bySeq.values()].sort((a, b) => a.seq - b.seq),
    pending: thread.pending.filter((message) => !arrived.has(message.client_id)),
    returned: thread.returned && arrived.has(thread.returned.client_id) ? null : thread.returned,
  };
};

/** Merges everything that can happen to a thread. Messages are told apart by seq, own ones by client_id. */
export const threadReducer = (thread: Thread, event: ThreadEvent): Thread => {
  switch (event.kind) {
    case 'loaded':
      return { ...merge(thread, event.messages), loaded: true, more: event.more };
    case 'older':
      return { ...merge(thread, event.messages), more: event.more };
    case 'arrived':
      return merge(thread, event.messages);
    case 'sending': {
      const { client_id } = event.message;
      if (thread.stored.some((message) => message.client_id === client_id)) return thread;
      const others = thread.pending.filter((message) => message.client_id !== client_id);
      return { ...thread, pending: [...others, event.message], returned: null };
    }
    case 'failed': {
      const lost = thread.pending.find((message) => message.client_id === event.client_id);
      // The echo may have come although the answer was lost: then nothing failed.
      if (!lost) return thread;
      return {
        ...thread,
        pending: thread.pending.filter((message) => message !== lost),
        returned: { client_id: lost.client_id, message_text: lost.message_text },
      };
    }
  }
};

/**
 * The seq up to which nothing is missing, counted from the oldest message held (or from the first ever, when
 * the server has no older ones): what a (re)join tells the server. Undefined until the thread is loaded.
 */
export const caughtUpTo = (thread: Thread): number | undefined => {
  if (!thread.loaded) return undefined;
  let reached = thread.more ? (thread.stored[0]?.seq ?? 0) : 0;
  for (const { seq } of thread.stored) {
    if (seq > reached + 1) break;
    reached = seq;
  }
  return reached;
};

/** Whether a message in between has not arrived yet. */
export const hasGap = (thread: Thread): boolean =>
  thread.loaded && (thread.stored.at(-1)?.seq ?? 0) > (caughtUpTo(thread) ?? 0);
