import { useSyncExternalStore } from 'react';
import { type Message, messagingErrorMessages, type QuotedMessage } from '#contract/conversations.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { createListeners } from '#web/lib/listeners.ts';
import { getSessionSnapshot, hasLoggedOut, onSessionChange } from '#web/lib/session.ts';
import { declareStoredValue } from '#web/lib/stored-values.ts';
import { sessionEndToastGroup, toast } from '#web/ui/toast.ts';
import {
  getDraft,
  moveDraft,
  moveMessagesToDraft,
  removeDeliveredMessagesFromDraft,
  setDraftReply,
} from './drafts.ts';
import {
  hasMessagesOfLostSession,
  saveUnsentMessagesOnDevice,
  takeAbandonedMessages,
} from './outbox-copy.ts';
import { type OutgoingMessage, parseOutgoingMessages } from './outgoing-message.ts';
import { toUnsentQuote } from './thread.ts';

export const maxQueuedMessages = 50;

const newConversationKeyPrefix = 'about ';

/**
 * Returns the key for the draft and the outgoing messages of a conversation that does not exist
 * yet.
 */
export const toNewConversationKey = (listingId: string): string => `${newConversationKeyPrefix}${listingId}`;

/** Returns whether a key identifies a conversation that may not exist yet. */
export const isNewConversationKey = (key: string): boolean => key.startsWith(newConversationKeyPrefix);

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

const isAboutPhotos = ({ code }: ApiError): boolean =>
  code.startsWith('photo_') ||
  code === 'message_photo_gone' ||
  code === 'rental_photos_closed' ||
  code === 'uploads_busy';

/** Reports in a toast that sending failed, because the conversation may no longer be on screen. */
const showSendFailure = (reason: unknown): void => {
  const isExplained = reason instanceof ApiError && (reason.code === 'rate_limited' || isAboutPhotos(reason));
  toast.error(messagingErrorMessages.send, isExplained ? reason.message : undefined, undefined, 'sending');
};

const tabOutbox = declareStoredValue({ name: 'outbox', scope: 'tab', parse: parseOutgoingMessages });
let ownerId: string | undefined;
let messages: readonly OutgoingMessage[] = [];
const { subscribe, notify } = createListeners();

let queuesByConversation = new Map<string, OutgoingQueue>();
let isUnloadWarningActive = false;

const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

const rebuildQueues = (): void => {
  const ids = new Set([
    ...messages.map(({ conversation }) => conversation.id),
    ...refusalsByConversation.keys(),
  ]);
  queuesByConversation = new Map(
    [...ids].map((id) => [
      id,
      {
        entries: messages.filter(({ conversation }) => conversation.id === id),
        waiting: waitingConversationIds.has(id),
        refusal: refusalsByConversation.get(id),
      },
    ]),
  );
  saveUnsentMessagesOnDevice(ownerId, messages);
  // If the person closes the tab, its waiting messages are not sent until another tab is open. Therefore
  // let the browser ask for confirmation.
  const atRisk = messages.some(({ conversation }) => waitingConversationIds.has(conversation.id));
  if (atRisk === isUnloadWarningActive) return;
  isUnloadWarningActive = atRisk;
  if (isUnloadWarningActive) window.addEventListener('beforeunload', warnBeforeUnload);
  else window.removeEventListener('beforeunload', warnBeforeUnload);
};

const notifySubscribers = (): void => {
  rebuildQueues();
  notify();
};

const setMessages = (next: readonly OutgoingMessage[]): void => {
  if (!ownerId) return;
  messages = next;
  tabOutbox.save(ownerId, messages);
  notifySubscribers();
};

const switchAccount = (): void => {
  const nextId = getSessionSnapshot().user?.id;
  if (nextId === ownerId) return;
  const [endedId, unsent] = [ownerId, messages];
  if (endedId) tabOutbox.remove(endedId);
  ownerId = nextId;
  messages = (nextId && tabOutbox.find(nextId)) || [];
  notifySubscribers();
  if (!endedId) return;
  refusalsByConversation.clear();
  if (unsent.length === 0) return;
  if (hasMessagesOfLostSession() && !hasLoggedOut())
    toast.message('Log in again to send your messages', undefined, undefined, sessionEndToastGroup);
  else showSendFailure('signed out');
};
onSessionChange(switchAccount);
switchAccount();

export const getOutgoingQueue = (id: string): OutgoingQueue => queuesByConversation.get(id) ?? emptyQueue;

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
  messages.some(({ client_id }) => client_id === entry.client_id);

export const enqueueMessage = (entry: OutgoingMessage): void => setMessages([...messages, entry]);

/**
 * Queues the messages that a lost session or closed tabs of this browser have left behind, ahead of this
 * tab's own messages, and then calls `onQueued`. Returns a function that stops waiting for tabs to close.
 */
export const enqueueAbandonedMessages = (ownerId: string, onQueued: () => void): (() => void) =>
  takeAbandonedMessages(ownerId, (abandoned) => {
    const known = new Set(messages.map(({ client_id }) => client_id));
    setMessages([...abandoned.filter(({ client_id }) => !known.has(client_id)), ...messages]);
    onQueued();
  });

/** Removes messages that the server has stored, as reported by the send response or by a live event. */
export const removeDeliveredMessages = (
  conversationId: string,
  arrived: readonly { client_id: string }[],
): void => {
  const names = new Set(arrived.map(({ client_id }) => client_id));
  const left = messages.filter(({ client_id }) => !names.has(client_id));
  if (left.length < messages.length) setMessages(left);
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
  setMessages(messages.filter(({ conversation }) => conversation.id !== id));
  moveMessagesToDraft(
    id,
    entries.map(({ client_id, message_text, photos, rental, reply_to }) => ({
      ...{ client_id, message_text, photos, reply_to },
      // Photos that came too late for their step can still be sent as those of an ordinary message.
      rental: reason instanceof ApiError && reason.code === 'rental_photos_closed' ? undefined : rental,
    })),
  );
  showSendFailure(reason);
};

/** Moves one message of a queue back into the draft, because its author has canceled it. */
export const moveMessageToDraft = (client_id: string): void => {
  const entry = messages.find((message) => message.client_id === client_id);
  if (!entry) return;
  const { message_text, photos, rental, reply_to, conversation } = entry;
  setMessages(messages.filter((message) => message !== entry));
  moveMessagesToDraft(conversation.id, [{ client_id, message_text, photos, rental, reply_to }]);
};

/** Removes a message that waits for the connection from this device. */
export const discardMessage = (client_id: string): void =>
  setMessages(messages.filter((message) => message.client_id !== client_id));

/** Removes the texts of unsent messages from the draft and the outgoing messages that reply to them. */
export const updateQuotes = (conversationId: string, stored: readonly Message[]): void => {
  const isGone = (quoted: QuotedMessage | undefined): quoted is QuotedMessage =>
    quoted?.is_unsent === false &&
    stored.some(({ id, unsent_number: number }) => id === quoted.id && number !== undefined);
  const { reply_to } = getDraft(conversationId);
  if (isGone(reply_to)) setDraftReply(conversationId, toUnsentQuote(reply_to));
  if (messages.some((message) => isGone(message.reply_to)))
    setMessages(
      messages.map((message) =>
        isGone(message.reply_to) ? { ...message, reply_to: toUnsentQuote(message.reply_to) } : message,
      ),
    );
};

/** Replaces the photos of a queued message, for example when one has been uploaded. */
export const setOutgoingPhotos = (client_id: string, photos: OutgoingMessage['photos']): void =>
  setMessages(
    messages.map((message) => (message.client_id === client_id ? { ...message, photos } : message)),
  );

/**
 * Moves the draft and the queued messages to a newly created conversation. `from` is the key under
 * which they were stored before the conversation existed.
 */
export const moveQueueToConversation = (
  from: string,
  conversation: OutgoingMessage['conversation'],
): void => {
  moveDraft(from, conversation.id);
  if (!messages.some((entry) => entry.conversation.id === from)) return;
  setMessages(messages.map((entry) => (entry.conversation.id === from ? { ...entry, conversation } : entry)));
};

export const useOutgoingQueue = (conversationId: string): OutgoingQueue =>
  useSyncExternalStore(
    subscribe,
    () => getOutgoingQueue(conversationId),
    () => emptyQueue,
  );

export const useOutgoingMessageCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => messages.length,
    () => 0,
  );
