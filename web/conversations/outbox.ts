import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { messagingErrorMessages } from '#contract/conversations.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { getSessionSnapshot, hasLoggedOut } from '#web/lib/session.ts';
import { createTabStore } from '#web/lib/tab-storage.ts';
import { toast } from '#web/ui/toast.ts';
import { moveDraft, moveMessagesToDraft, removeDeliveredMessagesFromDraft } from './drafts.ts';
import {
  hasMessagesOfLostSession,
  saveUnsentMessagesOnDevice,
  takeAbandonedMessages,
} from './outbox-copy.ts';

/** Maximum number of queued messages of one conversation. */
export const maxQueuedMessages = 50;

const newConversationKeyPrefix = 'about ';

/**
 * Returns the key for the draft and the outgoing messages of a conversation that does not exist
 * yet.
 */
export const toNewConversationKey = (listingId: string): string => `${newConversationKeyPrefix}${listingId}`;

/** Returns whether a key identifies a conversation that may not exist yet. */
export const isNewConversationKey = (key: string): boolean => key.startsWith(newConversationKeyPrefix);

const outgoingMessageSchema = z.object({
  client_id: z.string(),
  message_text: z.string(),
  created_at: z.string(),
  /** The seq up to which its author had seen the thread; missing in messages that older versions have stored. */
  seen_seq: z.int().optional(),
  conversation: z.object({
    /** The conversation's id, or the result of `toNewConversationKey`. */
    id: z.string(),
    listing_id: z.string().nullable(),
    buyer_id: z.string().nullable(),
    seller_id: z.string().nullable(),
  }),
});
/**
 * An outgoing message. The server stores each client_id once, so a retry cannot create a duplicate.
 */
export type OutgoingMessage = z.infer<typeof outgoingMessageSchema>;

/** The outgoing messages of one conversation. */
export interface OutgoingQueue {
  /** The messages in the order in which the person wrote them. */
  entries: readonly OutgoingMessage[];
  /**
   * Whether the queue waits because the server is unreachable; sending resumes when it is
   * reachable.
   */
  waiting: boolean;
  /**
   * The server's error for the last message if the server refused it. Undefined once a later message has been
   * stored.
   */
  refusal: ApiError | undefined;
}

const emptyQueue: OutgoingQueue = { entries: [], waiting: false, refusal: undefined };
const waitingConversationIds = new Set<string>();
const refusalsByConversation = new Map<string, ApiError>();

/** Reports in a toast that sending failed, because the conversation may no longer be on screen. */
const showSendFailure = (reason: unknown): void => {
  const limited = reason instanceof ApiError && reason.code === 'rate_limited';
  toast.error(messagingErrorMessages.send, limited ? reason.message : undefined);
};

const parseMessages = (stored: unknown): readonly OutgoingMessage[] =>
  z.array(outgoingMessageSchema).safeParse(stored).data ?? [];

const outbox = createTabStore<readonly OutgoingMessage[]>('outbox', parseMessages, {
  onSessionEnd: (unsent) => {
    refusalsByConversation.clear();
    if (unsent.length === 0) return;
    if (hasMessagesOfLostSession() && !hasLoggedOut()) toast.message('Log in again to send your messages');
    else showSendFailure('signed out');
  },
});

let queuesByConversation = new Map<string, OutgoingQueue>();
let isUnloadWarningActive = false;

const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

const rebuildQueues = (): void => {
  const entries = outbox.get();
  const ids = new Set([
    ...entries.map(({ conversation }) => conversation.id),
    ...refusalsByConversation.keys(),
  ]);
  queuesByConversation = new Map(
    [...ids].map((id) => [
      id,
      {
        entries: entries.filter(({ conversation }) => conversation.id === id),
        waiting: waitingConversationIds.has(id),
        refusal: refusalsByConversation.get(id),
      },
    ]),
  );
  saveUnsentMessagesOnDevice(getSessionSnapshot().user?.id, outbox.get());
  // If the person closes the tab, its waiting messages are not sent until another tab is open. Therefore
  // let the browser ask for confirmation.
  const atRisk = outbox.get().some(({ conversation }) => waitingConversationIds.has(conversation.id));
  if (atRisk === isUnloadWarningActive) return;
  isUnloadWarningActive = atRisk;
  if (isUnloadWarningActive) window.addEventListener('beforeunload', warnBeforeUnload);
  else window.removeEventListener('beforeunload', warnBeforeUnload);
};

outbox.subscribe(rebuildQueues);
rebuildQueues();

const notifySubscribers = (): void => outbox.set(outbox.get().slice());

export const getOutgoingQueue = (id: string): OutgoingQueue => queuesByConversation.get(id) ?? emptyQueue;

/** Returns the keys of conversations with outgoing messages. */
export const listQueuedConversationKeys = (): readonly string[] =>
  [...queuesByConversation].filter(([, { entries }]) => entries.length > 0).map(([id]) => id);

/** Sets whether a queue waits for the server to become reachable. */
export const setQueueWaiting = (id: string, waits: boolean): void => {
  if (waitingConversationIds.has(id) === waits) return;
  if (waits) waitingConversationIds.add(id);
  else waitingConversationIds.delete(id);
  notifySubscribers();
};

/** Discards the error of a refused message, for example when the conversation leaves the screen. */
export const clearSendError = (id: string): void => {
  if (refusalsByConversation.delete(id)) notifySubscribers();
};

/**
 * Returns whether a message must still be sent: it has not been delivered, and its author has not logged
 * out.
 */
export const isMessageQueued = (entry: OutgoingMessage): boolean =>
  outbox.get().some(({ client_id }) => client_id === entry.client_id);

export const enqueueMessage = (entry: OutgoingMessage): void => outbox.set([...outbox.get(), entry]);

/**
 * Queues the messages that a lost session or closed tabs of this browser have left behind, ahead of this
 * tab's own messages, and then calls `onQueued`. Returns a function that stops waiting for tabs to close.
 */
export const enqueueAbandonedMessages = (ownerId: string, onQueued: () => void): (() => void) =>
  takeAbandonedMessages(ownerId, (messages) => {
    const known = new Set(outbox.get().map(({ client_id }) => client_id));
    const found = parseMessages(messages).filter(({ client_id }) => !known.has(client_id));
    outbox.set([...found, ...outbox.get()]);
    onQueued();
  });

/** Removes messages that the server has stored, as reported by the send response or by a live event. */
export const removeDeliveredMessages = (
  conversationId: string,
  arrived: readonly { client_id: string }[],
): void => {
  const names = new Set(arrived.map(({ client_id }) => client_id));
  const left = outbox.get().filter(({ client_id }) => !names.has(client_id));
  if (left.length < outbox.get().length) outbox.set(left);
  removeDeliveredMessagesFromDraft(conversationId, arrived);
};

/**
 * Moves all messages of a queue back into the draft after one of them failed, because messages must
 * not be sent out of order.
 */
export const moveQueueToDraft = (id: string, reason: unknown): void => {
  const { entries } = getOutgoingQueue(id);
  if (reason instanceof ApiError) refusalsByConversation.set(id, reason);
  else refusalsByConversation.delete(id);
  outbox.set(outbox.get().filter(({ conversation }) => conversation.id !== id));
  moveMessagesToDraft(
    id,
    entries.map(({ client_id, message_text }) => ({ client_id, message_text })),
  );
  showSendFailure(reason);
};

/**
 * Moves the draft and the queued messages to a newly created conversation. `from` is the key under
 * which they were stored before the conversation existed.
 */
export const moveQueueToConversation = (
  from: string,
  conversation: OutgoingMessage['conversation'],
): void => {
  moveDraft(from, conversation.id);
  const entries = outbox.get();
  if (!entries.some((entry) => entry.conversation.id === from)) return;
  outbox.set(entries.map((entry) => (entry.conversation.id === from ? { ...entry, conversation } : entry)));
};

/** Returns the outgoing messages of a conversation. */
export const useOutgoingQueue = (conversationId: string): OutgoingQueue =>
  useSyncExternalStore(
    outbox.subscribe,
    () => getOutgoingQueue(conversationId),
    () => emptyQueue,
  );

/** Returns the number of outgoing messages across all conversations. */
export const useOutgoingMessageCount = (): number =>
  useSyncExternalStore(
    outbox.subscribe,
    () => outbox.get().length,
    () => 0,
  );
