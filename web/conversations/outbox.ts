import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { Message } from '#contract/conversations.ts';
import { storeInTab } from '#web/lib/tab-storage.ts';
import { giveBack, moveDraft, takeBack, type Unsent } from './drafts.ts';

/** At most so many messages of one conversation wait for the connection. */
export const outboxAtMost = 50;

const outgoingSchema = z.object({
  client_id: z.string(),
  message_text: z.string(),
  created_at: z.string(),
  conversation: z.object({
    /** Its id, or its `newConversationKey`. */
    id: z.string(),
    listing_id: z.string().nullable(),
    buyer_id: z.string().nullable(),
    seller_id: z.string().nullable(),
  }),
});
/** A message on its way, named by its client_id; the server stores each name once. */
export type Outgoing = z.infer<typeof outgoingSchema>;

/** What one conversation still has to send, in the order of writing. */
export interface Line {
  entries: readonly Outgoing[];
  /** The server is out of reach: sent as soon as it is back. */
  waiting: boolean;
}

type FailureListener = (reason: unknown, conversationId?: string) => void;

const emptyQueue: Line = { entries: [], waiting: false };
const storedListeners = new Set<(message: Message) => void>();
const failureListeners = new Set<FailureListener>();
const waiting = new Set<string>();

const fail = (reason: unknown, conversationId?: string): void => {
  for (const listener of failureListeners) listener(reason, conversationId);
};

const outbox = storeInTab<readonly Outgoing[]>(
  'outbox',
  (stored) => z.array(outgoingSchema).safeParse(stored).data ?? [],
  (left) => left.length > 0 && fail('signed out'),
);

let lines = new Map<string, Line>();
let warns = false;

const warnOfLoss = (event: BeforeUnloadEvent): void => event.preventDefault();

const arrange = (): void => {
  const byConversation = Map.groupBy(outbox.get(), ({ conversation }) => conversation.id);
  lines = new Map(
    [...byConversation].map(([id, entries]) => [id, { entries, waiting: waiting.has(id) }] as const),
  );
  // A reload keeps what waits; closing the tab would not.
  const atRisk = [...lines.values()].some((line) => line.waiting);
  if (atRisk === warns) return;
  warns = atRisk;
  if (warns) window.addEventListener('beforeunload', warnOfLoss);
  else window.removeEventListener('beforeunload', warnOfLoss);
};

/** What a conversation still has to send, now. */
export const queueOf = (id: string): Line => lines.get(id) ?? emptyQueue;

/** Notes whether a line waits for the server to come into reach. */
export const setWaiting = (id: string, waits: boolean): void => {
  if (waiting.has(id) === waits) return;
  if (waits) waiting.add(id);
  else waiting.delete(id);
  outbox.set(outbox.get().slice());
};

/** Whether it is still to be sent: it may have been seen stored, or its owner may have left. */
export const isQueued = (entry: Outgoing): boolean =>
  outbox.get().some(({ client_id }) => client_id === entry.client_id);

/** Removes what is stored by now, however that became known. */
export const settle = (conversationId: string, arrived: readonly { client_id: string }[]): void => {
  const names = new Set(arrived.map(({ client_id }) => client_id));
  const left = outbox.get().filter(({ client_id }) => !names.has(client_id));
  if (left.length < outbox.get().length) outbox.set(left);
  takeBack(conversationId, arrived);
};

/** Gives a whole line back: what comes later is not sent past what failed. */
export const returnQueue = (id: string, reason: unknown): void => {
  const unsent: readonly Unsent[] = queueOf(id).entries;
  outbox.set(outbox.get().filter(({ conversation }) => conversation.id !== id));
  giveBack(
    id,
    unsent.map(({ client_id, message_text }) => ({ client_id, message_text })),
  );
  fail(reason, id);
};

/** Moves what was typed and queued before a conversation existed into the conversation. */
export const moveLine = (from: string, conversation: Outgoing['conversation']): void => {
  moveDraft(from, conversation.id);
  const entries = outbox.get();
  if (!entries.some((entry) => entry.conversation.id === from)) return;
  outbox.set(entries.map((entry) => (entry.conversation.id === from ? { ...entry, conversation } : entry)));
};

outbox.subscribe(arrange);
arrange();

/** The conversations that still have something to send. */
export const listQueues = (): readonly string[] => [...lines.keys()];

/** Puts a message at the end of its line. */
export const queue = (entry: Outgoing): void => outbox.set([...outbox.get(), entry]);

/** Removes a stored message from its queue and notifies listeners. */
export const noteStored = (message: Message): void => {
  for (const listener of storedListeners) listener(message);
  settle(message.conversation_id, [message]);
};

/** What a conversation still has to send. */
export const useQueue = (conversationId: string): Line =>
  useSyncExternalStore(
    outbox.subscribe,
    () => queueOf(conversationId),
    () => emptyQueue,
  );

/** How many messages are on their way, over all conversations. */
export const useWaitingCount = (): number =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.get().length,
    () => 0,
  );

/** Calls `listener` with each own message once it is stored; answers how to stop. */
export const onSent = (listener: (message: Message) => void): (() => void) => {
  storedListeners.add(listener);
  return () => storedListeners.delete(listener);
};

/**
 * Calls `listener` with the reason, and the conversation if it was about one, whenever something could not be sent;
 * answers how to stop.
 */
export const onSendFailed = (listener: FailureListener): (() => void) => {
  failureListeners.add(listener);
  return () => failureListeners.delete(listener);
};
