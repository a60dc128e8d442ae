import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { messagingSentences } from '#contract/conversations.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { createTabStore } from '#web/lib/tab-storage.ts';
import { toast } from '#web/ui/toast.ts';
import { moveDraft, removeDeliveredFromDraft, returnToDraft } from './drafts.ts';

/** Maximum number of queued messages of one conversation. */
export const maxQueuedMessages = 50;

const newConversationPrefix = 'about ';

/** Returns the key for drafts and outgoing messages of a conversation that its first message will create. */
export const newConversationKey = (listingId: string): string => `${newConversationPrefix}${listingId}`;

/** Returns whether a key identifies a conversation that may not exist yet. */
export const isNewConversationKey = (key: string): boolean => key.startsWith(newConversationPrefix);

const outgoingSchema = z.object({
  client_id: z.string(),
  message_text: z.string(),
  created_at: z.string(),
  conversation: z.object({
    /** The conversation's id, or its `newConversationKey`. */
    id: z.string(),
    listing_id: z.string().nullable(),
    buyer_id: z.string().nullable(),
    seller_id: z.string().nullable(),
  }),
});
/** An outgoing message. The server stores each client_id once. */
export type OutgoingMessage = z.infer<typeof outgoingSchema>;

/** The outgoing messages of one conversation. */
export interface OutgoingQueue {
  /** The messages in the order in which the person wrote them. */
  entries: readonly OutgoingMessage[];
  /** Whether the server is unreachable; sending resumes when it is back. */
  waiting: boolean;
  /** Why the server refused the last message; undefined once another one is stored. */
  refusal: ApiError | undefined;
}

const emptyQueue: OutgoingQueue = { entries: [], waiting: false, refusal: undefined };
const waitingConversationIds = new Set<string>();
const refusalsByConversation = new Map<string, ApiError>();

/** Reports a failure as a toast, because the conversation may no longer be on screen. */
const showSendFailure = (reason: unknown): void => {
  const limited = reason instanceof ApiError && reason.code === 'rate_limited';
  toast.error(messagingSentences.send, limited ? reason.message : undefined);
};

const outbox = createTabStore<readonly OutgoingMessage[]>(
  'outbox',
  (stored) => z.array(outgoingSchema).safeParse(stored).data ?? [],
  (unsent) => {
    refusalsByConversation.clear();
    if (unsent.length > 0) showSendFailure('signed out');
  },
);

let queues = new Map<string, OutgoingQueue>();
let isWarningOfLoss = false;

const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

const rebuildQueues = (): void => {
  const entries = Map.groupBy(outbox.get(), ({ conversation }) => conversation.id);
  queues = new Map(
    [...new Set([...entries.keys(), ...refusalsByConversation.keys()])].map((id) => [
      id,
      {
        entries: entries.get(id) ?? [],
        waiting: waitingConversationIds.has(id),
        refusal: refusalsByConversation.get(id),
      },
    ]),
  );
  // A reload preserves waiting messages; closing the tab does not.
  const atRisk = [...queues.values()].some((queue) => queue.waiting && queue.entries.length > 0);
  if (atRisk === isWarningOfLoss) return;
  isWarningOfLoss = atRisk;
  if (isWarningOfLoss) window.addEventListener('beforeunload', warnBeforeUnload);
  else window.removeEventListener('beforeunload', warnBeforeUnload);
};

outbox.subscribe(rebuildQueues);
rebuildQueues();

const notifySubscribers = (): void => outbox.set(outbox.get().slice());

export const getQueue = (id: string): OutgoingQueue => queues.get(id) ?? emptyQueue;

/** Returns the keys of conversations with outgoing messages. */
export const listQueuedConversations = (): readonly string[] =>
  [...queues].filter(([, { entries }]) => entries.length > 0).map(([id]) => id);

/** Sets whether a queue waits for the server to become reachable. */
export const setQueueWaiting = (id: string, waits: boolean): void => {
  if (waitingConversationIds.has(id) === waits) return;
  if (waits) waitingConversationIds.add(id);
  else waitingConversationIds.delete(id);
  notifySubscribers();
};

/** Discards the reason why a message was refused; called when its conversation leaves the screen. */
export const forgetRefusal = (id: string): void => {
  if (refusalsByConversation.delete(id)) notifySubscribers();
};

/** Returns whether a message must still be sent. It is no longer queued once it was delivered or its author logged out. */
export const isQueued = (entry: OutgoingMessage): boolean =>
  outbox.get().some(({ client_id }) => client_id === entry.client_id);

export const enqueueMessage = (entry: OutgoingMessage): void => outbox.set([...outbox.get(), entry]);

/** Removes messages that the server has stored, as reported by the send response or by a live event. */
export const removeDelivered = (conversationId: string, arrived: readonly { client_id: string }[]): void => {
  const names = new Set(arrived.map(({ client_id }) => client_id));
  const left = outbox.get().filter(({ client_id }) => !names.has(client_id));
  if (left.length < outbox.get().length) outbox.set(left);
  removeDeliveredFromDraft(conversationId, arrived);
};

/** Moves a whole queue back into the draft: messages after a failed one must not be sent before it. */
export const returnQueueToDraft = (id: string, reason: unknown): void => {
  const { entries } = getQueue(id);
  if (reason instanceof ApiError) refusalsByConversation.set(id, reason);
  else refusalsByConversation.delete(id);
  outbox.set(outbox.get().filter(({ conversation }) => conversation.id !== id));
  returnToDraft(
    id,
    entries.map(({ client_id, message_text }) => ({ client_id, message_text })),
  );
  showSendFailure(reason);
};

/** Moves the draft and the queued messages of a conversation that did not exist yet to the new conversation. */
export const moveQueue = (from: string, conversation: OutgoingMessage['conversation']): void => {
  moveDraft(from, conversation.id);
  const entries = outbox.get();
  if (!entries.some((entry) => entry.conversation.id === from)) return;
  outbox.set(entries.map((entry) => (entry.conversation.id === from ? { ...entry, conversation } : entry)));
};

/** Returns the outgoing messages of a conversation. */
export const useQueue = (conversationId: string): OutgoingQueue =>
  useSyncExternalStore(
    outbox.subscribe,
    () => getQueue(conversationId),
    () => emptyQueue,
  );

/** Returns the number of outgoing messages across all conversations. */
export const useOutgoingCount = (): number =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.get().length,
    () => 0,
  );
