import type { Message } from '#contract/conversations.ts';

/** The known messages of a conversation. Pending ones are in the outbox; `toBubbles` returns both. */
export interface Thread {
  /** Whether the newest page has been loaded. Live messages may be added to `stored` before that. */
  loaded: boolean;
  /** Sorted by seq, without duplicates. */
  stored: readonly Message[];
  /** Whether the server has older messages. */
  more: boolean;
}

export type ThreadEvent =
  | { kind: 'loaded'; messages: readonly Message[]; more: boolean }
  | { kind: 'older'; messages: readonly Message[]; more: boolean }
  /** Messages received live, fetched to catch up, or returned by the send request. */
  | { kind: 'arrived'; messages: readonly Message[] };

export const emptyThread: Thread = { loaded: false, stored: [], more: false };

const mergeMessages = (stored: readonly Message[], messages: readonly Message[]): readonly Message[] => {
  const bySeq = new Map(stored.map((message) => [message.seq, message]));
  const added = messages.filter(({ seq }) => !bySeq.has(seq));
  if (added.length === 0) return stored;
  for (const message of added) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
};

/** Merges an event into a thread. The seq identifies a message. Returns the same object if nothing changed. */
export const threadReducer = (thread: Thread, event: ThreadEvent): Thread => {
  const stored = mergeMessages(thread.stored, event.messages);
  if (event.kind !== 'arrived')
    return { loaded: thread.loaded || event.kind === 'loaded', stored, more: event.more };
  return stored === thread.stored ? thread : { ...thread, stored };
};

/** A message of the current user that the server has not stored yet, identified by its client_id. */
export interface PendingMessage {
  client_id: string;
  message_text: string;
  created_at: string;
}

/** One message as displayed on screen. */
export interface Bubble {
  /** React key; identical before and after the server stores the message, so that React keeps the element. */
  key: string;
  own: boolean;
  text: string;
  at: string;
  pending: boolean;
}

/** Returns the messages that the person sent. Only these may match outbox entries: other people's messages may have the same client ids. */
export const filterOwnMessages = (messages: readonly Message[], ownId: string): Message[] =>
  messages.filter(({ sender_id }) => sender_id === ownId);

/** Returns the bubbles to display: stored messages in order, then pending ones, without duplicates. */
export const toBubbles = (thread: Thread, pending: readonly PendingMessage[], ownId: string): Bubble[] => {
  const names = new Set(filterOwnMessages(thread.stored, ownId).map(({ client_id }) => client_id));
  return [
    ...thread.stored.map((message) => ({
      key: `${message.sender_id ?? ''} ${message.client_id}`,
      own: message.sender_id === ownId,
      text: message.message_text,
      at: message.created_at,
      pending: false,
    })),
    ...pending
      .filter(({ client_id }) => !names.has(client_id))
      .map((message) => ({
        key: `${ownId} ${message.client_id}`,
        own: true,
        text: message.message_text,
        at: message.created_at,
        pending: true,
      })),
  ];
};

/**
 * Returns the highest seq before the first gap, starting at the oldest loaded message, or at 0 when the server has no older
 * messages. The client sends it when it joins or rejoins the topic. Undefined until the thread is loaded.
 */
export const lastContiguousSeq = (thread: Thread): number | undefined => {
  if (!thread.loaded) return undefined;
  let reached = thread.more ? (thread.stored[0]?.seq ?? 0) : 0;
  for (const { seq } of thread.stored) {
    if (seq > reached + 1) break;
    reached = seq;
  }
  return reached;
};

/** Returns whether a message is missing between two loaded messages. */
export const hasGap = (thread: Thread): boolean =>
  thread.loaded && (thread.stored.at(-1)?.seq ?? 0) > (lastContiguousSeq(thread) ?? 0);

/** Returns the newest `atMost` messages of a thread for the cache; undefined if the thread is not loaded or has a gap. */
export const toCacheableThread = (thread: Thread, atMost: number): Thread | undefined => {
  if (!thread.loaded || hasGap(thread)) return undefined;
  const stored = thread.stored.slice(-atMost);
  return { ...thread, stored, more: thread.more || stored.length < thread.stored.length };
};
