import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { messagingSentences } from '#contract/conversations.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { createTabStore } from '#web/lib/tab-storage.ts';
import { toast } from '#web/ui/toast.ts';
import { giveBack, moveDraft, takeBack } from './drafts.ts';

/** Maximum number of messages of one conversation that wait for the connection. */
export const outboxAtMost = 50;

const newConversationPrefix = 'about ';

/** Returns the key for drafts and outgoing messages of a conversation that its first message will create. */
export const newConversationKey = (listingId: string): string => `${newConversationPrefix}${listingId}`;

/** Returns whether a key stands for a conversation that may not exist yet. */
export const isNewConversation = (key: string): boolean => key.startsWith(newConversationPrefix);

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
/** An outgoing message. The server stores each client_id once. */
export type Outgoing = z.infer<typeof outgoingSchema>;

/** The outgoing messages of one conversation. */
export interface Queue {
  /** In the order of writing. */
  entries: readonly Outgoing[];
  /** The server is unreachable; sending continues when it is back. */
  waiting: boolean;
  /** Why the server refused the last message; undefined once another one is stored. */
  refusal: ApiError | undefined;
}

const emptyQueue: Queue = { entries: [], waiting: false, refusal: undefined };
const waiting = new Set<string>();
const refusals = new Map<string, ApiError>();

/** Shown as a toast, because the conversation may no longer be on screen. */
const showFailure = (reason: unknown): void => {
  const limited = reason instanceof ApiError && reason.code === 'rate_limited';
  toast.error(messagingSentences.send, limited ? reason.message : undefined);
};

const outbox = createTabStore<readonly Outgoing[]>(
  'outbox',
  (stored) => z.array(outgoingSchema).safeParse(stored).data ?? [],
  (unsent) => {
    refusals.clear();
    if (unsent.length > 0) showFailure('signed out');
  },
);

let queues = new Map<string, Queue>();
let warns = false;

const warnOfLoss = (event: BeforeUnloadEvent): void => event.preventDefault();

const arrange = (): void => {
  const entries = Map.groupBy(outbox.get(), ({ conversation }) => conversation.id);
  queues = new Map(
    [...new Set([...entries.keys(), ...refusals.keys()])].map((id) => [
      id,
      { entries: entries.get(id) ?? [], waiting: waiting.has(id), refusal: refusals.get(id) },
    ]),
  );
  // A reload preserves waiting messages; closing the tab does not.
  const atRisk = [...queues.values()].some((queue) => queue.waiting && queue.entries.length > 0);
  if (atRisk === warns) return;
  warns = atRisk;
  if (warns) window.addEventListener('beforeunload', warnOfLoss);
  else window.removeEventListener('beforeunload', warnOfLoss);
};

outbox.subscribe(arrange);
arrange();

const publish = (): void => outbox.set(outbox.get().slice());

export const queueOf = (id: string): Queue => queues.get(id) ?? emptyQueue;

/** Returns the keys of conversations with outgoing messages. */
export const listQueues = (): readonly string[] =>
  [...queues].filter(([, { entries }]) => entries.length > 0).map(([id]) => id);

/** Sets whether a queue waits for the server to become reachable. */
export const setWaiting = (id: string, waits: boolean): void => {
  if (waiting.has(id) === waits) return;
  if (waits) waiting.add(id);
  else waiting.delete(id);
  publish();
};

/** Forgets why a message was refused, when its conversation leaves the screen. */
export const forgetRefusal = (id: string): void => {
  if (refusals.delete(id)) publish();
};

/** Returns whether a message must still be sent: it may turn out to be stored, or its author may have logged out. */
export const isQueued = (entry: Outgoing): boolean =>
  outbox.get().some(({ client_id }) => client_id === entry.client_id);

export const enqueue = (entry: Outgoing): void => outbox.set([...outbox.get(), entry]);

/** Removes messages that are stored, whether the response or the live channel said so. */
export const settle = (conversationId: string, arrived: readonly { client_id: string }[]): void => {
  const names = new Set(arrived.map(({ client_id }) => client_id));
  const left = outbox.get().filter(({ client_id }) => !names.has(client_id));
  if (left.length < outbox.get().length) outbox.set(left);
  takeBack(conversationId, arrived);
};

/** Returns a whole queue to the input: later messages are not sent past one that failed. */
export const returnQueue = (id: string, reason: unknown): void => {
  const { entries } = queueOf(id);
  if (reason instanceof ApiError) refusals.set(id, reason);
  else refusals.delete(id);
  outbox.set(outbox.get().filter(({ conversation }) => conversation.id !== id));
  giveBack(
    id,
    entries.map(({ client_id, message_text }) => ({ client_id, message_text })),
  );
  showFailure(reason);
};

/** Moves what was typed and queued before a conversation existed into the conversation. */
export const moveQueue = (from: string, conversation: Outgoing['conversation']): void => {
  moveDraft(from, conversation.id);
  const entries = outbox.get();
  if (!entries.some((entry) => entry.conversation.id === from)) return;
  outbox.set(entries.map((entry) => (entry.conversation.id === from ? { ...entry, conversation } : entry)));
};

/** Returns the outgoing messages of a conversation. */
export const useQueue = (conversationId: string): Queue =>
  useSyncExternalStore(
    outbox.subscribe,
    () => queueOf(conversationId),
    () => emptyQueue,
  );

/** Returns the number of outgoing messages over all conversations. */
export const useWaitingCount = (): number =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.get().length,
    () => 0,
  );
