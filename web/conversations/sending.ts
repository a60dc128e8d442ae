import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { maxPhotosPerMessage } from '#contract/photos.ts';
import { request } from '#web/lib/api.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { getReachability, onReachabilityChange } from '#web/lib/reachability.ts';
import { getReconnectDelayMs } from '#web/lib/reconnect.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { showPushPrompt } from '#web/push/public.ts';
import { applySentMessage, applyStartedConversation, getCachedThread } from './conversation-cache.ts';
import { getDraft, setDraft, type UnsentMessage } from './drafts.ts';
import {
  clearSendError,
  enqueueAbandonedMessages,
  enqueueMessage,
  getOutgoingQueue,
  isMessageQueued,
  isNewConversationKey,
  listQueuedConversationKeys,
  moveQueueToConversation,
  moveQueueToDraft,
  removeDeliveredMessages,
  setOutgoingPhotos,
  setQueueWaiting,
} from './outbox.ts';
import type { OutgoingMessage, OutgoingPhoto } from './outgoing-message.ts';
import { releaseSentPhotos, uploadPhotos } from './photo-uploads.ts';
import { filterOwnMessages, getLastContiguousSeq } from './thread.ts';

/**
 * Maximum time in the queue, in milliseconds. An older message moves back into the draft, because
 * sending it so late would confuse both people.
 */
const maxQueueTimeMs = 12 * 60 * 60 * 1000;
/** Number of the newest messages that are searched for one that may have been stored long ago. */
const storedMessageSearchSize = 500;
/** Delays before the retries after a server failure, in milliseconds. */
const retryDelaysMs = [700, 2000];

const conversationsBeingSent = new Set<string>();

/** Notifies the seller of the first message of a conversation. Failures are ignored (specification §8). */
const notifySeller = (conversation: OutgoingMessage['conversation'], message_text: string): void => {
  const body = {
    conversationId: conversation.id,
    listingId: conversation.listing_id,
    sellerId: conversation.seller_id,
    buyerId: conversation.buyer_id,
    firstMessage: message_text,
  };
  request(calls.notifySellerNewMessage, { body }).catch(() => undefined);
};

const toMessageTarget = ({ id, listing_id, buyer_id, seller_id }: OutgoingMessage['conversation']) => ({
  id,
  listing_id,
  buyer_id,
  seller_id,
});

const sendToConversation = async (conversationId: string, entry: OutgoingMessage): Promise<Message> => {
  const { client_id, message_text, seen_seq } = entry;
  const photos = entry.photos && (await uploadPhotos(entry));
  const message =
    entry.rental && photos
      ? await request(calls.addRentalPhotos, {
          params: { id: entry.rental.deal_id },
          body: { client_id, step: entry.rental.step, photos, seen_seq },
        })
      : await request(calls.sendMessage, {
          params: { id: conversationId },
          body: { client_id, message_text, photos, reply_to: entry.reply_to?.id, seen_seq },
        });
  if (photos) await releaseSentPhotos(entry, message);
  applySentMessage(message, seen_seq);
  clearSendError(conversationId);
  if (message.sender_id) showPushPrompt(message.sender_id);
  return message;
};

/**
 * Creates the conversation for a first message and sends the message. A retry reuses the
 * conversation that an earlier attempt created.
 */
const sendFirstMessage = async (entry: OutgoingMessage, listing_id: string): Promise<void> => {
  const key = entry.conversation.id;
  const conversation = await request(calls.openConversation, { body: { listing_id } });
  const message = await sendToConversation(conversation.id, entry);
  applyStartedConversation(listing_id, conversation, message);
  removeDeliveredMessages(conversation.id, [message]);
  moveQueueToConversation(key, toMessageTarget(conversation));
  if (message.seq === 1) notifySeller(conversation, entry.message_text);
  void startSendingQueue(conversation.id);
};

const sendOutgoingMessage = async (entry: OutgoingMessage): Promise<void> => {
  const { conversation } = entry;
  if (isNewConversationKey(conversation.id) && conversation.listing_id)
    return sendFirstMessage(entry, conversation.listing_id);
  const message = await sendToConversation(conversation.id, entry);
  removeDeliveredMessages(conversation.id, [message]);
  if (message.seq === 1) notifySeller(conversation, entry.message_text);
};

/**
 * Returns whether a retry may succeed after this error: yes after a lost response or a server failure, no
 * after a refusal.
 */
const isTransientError = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/**
 * Forgets which photos of a message are uploaded, so that they are uploaded again: the server has removed them after a day.
 * Returns false when that would not help.
 */
const forgetUploads = ({ client_id, photos }: OutgoingMessage, error: unknown): boolean => {
  if (!(error instanceof ApiError) || error.code !== 'message_photo_gone') return false;
  if (!photos?.some(({ uploaded_id }) => uploaded_id)) return false;
  setOutgoingPhotos(
    client_id,
    photos.map(({ id, width, height }) => ({ id, width, height })),
  );
  return true;
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Resolves when the server is reachable again, or after `ms` milliseconds, whichever comes first.
 */
const waitUntilReachable = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = onReachabilityChange(() => getReachability() === 'live' && done());
    const timer = setTimeout(() => done(), ms);
    const done = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
  });

const isMessageTooOld = ({ created_at }: OutgoingMessage): boolean =>
  Date.now() - Date.parse(created_at) > maxQueueTimeMs;

const findConversationId = async ({
  conversation: { id, listing_id },
}: OutgoingMessage): Promise<string | undefined> => {
  if (!isNewConversationKey(id) || !listing_id) return id;
  const { conversation } = await request(calls.findConversation, { params: { id: listing_id } });
  return conversation?.id;
};

/**
 * Removes the messages of an entry's conversation from the queue that the server has stored. The tab that sent
 * them may have been closed before the response arrived.
 */
const removeStoredMessages = async (entry: OutgoingMessage): Promise<void> => {
  const id = await findConversationId(entry);
  if (!id) return;
  const query = { limit: storedMessageSearchSize };
  const { items } = await request(calls.listMessages, { params: { id }, query });
  removeDeliveredMessages(id, filterOwnMessages(items, getSessionSnapshot().user?.id ?? ''));
};

/** Sends the messages of a queue one by one, so that the server stores them in the order in which they were written. */
const sendQueue = async (id: string): Promise<void> => {
  let tries = 0;
  let waits = 0;
  for (;;) {
    const [entry] = getOutgoingQueue(id).entries;
    if (!entry) return;
    if (isMessageTooOld(entry)) {
      await removeStoredMessages(entry).catch(() => undefined);
      if (isMessageQueued(entry)) return moveQueueToDraft(id, 'too old');
      continue;
    }
    if (getReachability() !== 'live') setQueueWaiting(id, true);
    try {
      await sendOutgoingMessage(entry);
      setQueueWaiting(id, false);
      tries = 0;
      waits = 0;
    } catch (error) {
      if (!isMessageQueued(entry) || forgetUploads(entry, error)) continue;
      if (isTransientError(error) && getReachability() !== 'live') {
        waits += 1;
        tries = 0;
        setQueueWaiting(id, true);
        await waitUntilReachable(getReconnectDelayMs(waits));
        continue;
      }
      const delay = isTransientError(error) ? retryDelaysMs[tries] : undefined;
      if (delay === undefined) return moveQueueToDraft(id, error);
      tries += 1;
      await sleep(delay);
    }
  }
};

const startSendingQueue = async (id: string): Promise<void> => {
  if (conversationsBeingSent.has(id)) return;
  conversationsBeingSent.add(id);
  await sendQueue(id);
  conversationsBeingSent.delete(id);
  setQueueWaiting(id, false);
  if (getOutgoingQueue(id).entries.length > 0) void startSendingQueue(id);
};

const sendQueues = (): void => {
  for (const id of listQueuedConversationKeys()) void startSendingQueue(id);
};

/**
 * Resumes sending this tab's queued messages after a page reload. Also sends the queued messages of tabs
 * that are closed now or later. Returns a function that stops waiting for closed tabs.
 */
export const resumeOutbox = (ownId: string): (() => void) => {
  sendQueues();
  return enqueueAbandonedMessages(ownId, sendQueues);
};

/**
 * Moves the draft and the queue stored under `key` to the conversation that now exists, and starts
 * sending the queue.
 */
export const moveAndSendQueue = (key: string, conversation: Conversation): void => {
  moveQueueToConversation(key, toMessageTarget(conversation));
  void startSendingQueue(conversation.id);
};

const hasSamePhotos = (one: readonly OutgoingPhoto[] = [], other: readonly OutgoingPhoto[] = []): boolean =>
  one.map(({ id }) => id).join() === other.map(({ id }) => id).join();

/**
 * Queues a message. The queued messages of a conversation are sent one by one, in the order in
 * which they were written, as soon as the server is reachable.
 */
export const queueMessage = (
  conversation: OutgoingMessage['conversation'],
  text: string,
  unsent: readonly UnsentMessage[] = [],
  photos: readonly OutgoingPhoto[] = [],
  { reply_to, rental }: Pick<OutgoingMessage, 'reply_to' | 'rental'> = {},
): void => {
  const again = unsent.find(
    (message) => message.message_text === text && hasSamePhotos(message.photos, photos),
  );
  enqueueMessage({
    client_id: again?.client_id ?? createUuid(),
    message_text: text,
    ...(photos.length > 0 ? { photos: [...photos] } : {}),
    rental: rental ?? again?.rental,
    ...(reply_to ? { reply_to } : {}),
    created_at: new Date().toISOString(),
    // By the time the message is sent, the conversation may contain messages that its author has never seen.
    seen_seq:
      getLastContiguousSeq(getCachedThread(getSessionSnapshot().user?.id ?? '', conversation.id)) ?? 0,
    conversation: toMessageTarget(conversation),
  });
  void startSendingQueue(conversation.id);
};

/**
 * Queues the text typed into a conversation with the photos added to it, and empties its draft. Afterwards the same text
 * is another message, even if it retried a message that could not be sent. Messages that moved back into the draft may
 * have more photos together than one message; the further ones follow in messages of their own.
 */
export const sendDraft = (conversation: OutgoingMessage['conversation'], text: string): void => {
  const { unsent, photos = [], reply_to } = getDraft(conversation.id);
  setDraft(conversation.id, { text: '' });
  queueMessage(conversation, text, unsent, photos.slice(0, maxPhotosPerMessage), { reply_to });
  for (let start = maxPhotosPerMessage; start < photos.length; start += maxPhotosPerMessage)
    queueMessage(conversation, '', unsent, photos.slice(start, start + maxPhotosPerMessage));
};
