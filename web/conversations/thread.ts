import type { Message } from '#contract/conversations.ts';

/** What is known of a conversation's messages. Those on their way are the outbox's; `bubblesOf` shows both. */
export interface Thread {
  /** The newest messages are here; what arrived before that waits in `stored` too. */
  loaded: boolean;
  /** By rising seq, each seq once. */
  stored: readonly Message[];
  /** Older messages exist on the server. */
  more: boolean;
}

export type ThreadEvent =
  | { kind: 'loaded'; messages: readonly Message[]; more: boolean }
  | { kind: 'older'; messages: readonly Message[]; more: boolean }
  /** Live, caught up, or the answer to one's own sending: all the same. */
  | { kind: 'arrived'; messages: readonly Message[] };

export const emptyThread: Thread = { loaded: false, stored: [], more: false };

const merge = (stored: readonly Message[], messages: readonly Message[]): readonly Message[] => {
  const bySeq = new Map(stored.map((message) => [message.seq, message]));
  const news = messages.filter(({ seq }) => !bySeq.has(seq));
  if (news.length === 0) return stored;
  for (const message of news) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
};

/** Merges everything that can happen to a thread. Messages are told apart by seq. */
export const threadReducer = (thread: Thread, event: ThreadEvent): Thread => {
  const stored = merge(thread.stored, event.messages);
  if (event.kind !== 'arrived')
    return { loaded: thread.loaded || event.kind === 'loaded', stored, more: event.more };
  return stored === thread.stored ? thread : { ...thread, stored };
};

/** A message on its way, told apart by the name its sender gave it. */
export interface OnItsWay {
  client_id: string;
  message_text: string;
  created_at: string;
}

/** One message as the reader sees it. */
export interface Bubble {
  /** The same before and after it is stored, so that the bubble stays where it is. */
  key: string;
  own: boolean;
  text: string;
  at: string;
  onItsWay: boolean;
}

/** One's own among them. A name says something only together with its sender: anybody may choose any name. */
export const ownOf = (messages: readonly Message[], ownId: string): Message[] =>
  messages.filter(({ sender_id }) => sender_id === ownId);

/** What the reader sees: stored messages in order, then their own on their way, each once. */
export const bubblesOf = (thread: Thread, onItsWay: readonly OnItsWay[], ownId: string): Bubble[] => {
  const names = new Set(ownOf(thread.stored, ownId).map(({ client_id }) => client_id));
  return [
    ...thread.stored.map((message) => ({
      key: `${message.sender_id ?? ''} ${message.client_id}`,
      own: message.sender_id === ownId,
      text: message.message_text,
      at: message.created_at,
      onItsWay: false,
    })),
    ...onItsWay
      .filter(({ client_id }) => !names.has(client_id))
      .map((message) => ({
        key: `${ownId} ${message.client_id}`,
        own: true,
        text: message.message_text,
        at: message.created_at,
        onItsWay: true,
      })),
  ];
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

/** The newest part of a thread, to be kept while another one is shown; nothing where a part is missing. */
export const worthKeeping = (thread: Thread, atMost: number): Thread | undefined => {
  if (!thread.loaded || hasGap(thread)) return undefined;
  const stored = thread.stored.slice(-atMost);
  return { ...thread, stored, more: thread.more || stored.length < thread.stored.length };
};
