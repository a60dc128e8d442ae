import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { newId } from '#web/lib/new-id.ts';
import { getReachability, onReachabilityChange } from '#web/lib/reachability.ts';
import { reconnectDelayMs } from '#web/lib/reconnect.ts';
import { noteSent, noteStarted } from './conversation-cache.ts';
import type { Unsent } from './drafts.ts';
import {
  enqueue,
  forgetRefusal,
  isNewConversation,
  isQueued,
  listQueues,
  moveQueue,
  type Outgoing,
  queueOf,
  returnQueue,
  settle,
  setWaiting,
} from './outbox.ts';

/** A message that waited longer returns to the input: it would surprise both sides. In milliseconds. */
const lifetimeMs = 12 * 60 * 60 * 1000;
/** Delays before retries after a failure of the server, in milliseconds. */
const retryDelaysMs = [700, 2000];

/** The conversations whose queue is being sent. */
const working = new Set<string>();

/** Announces the very first message to the seller. A failure is ignored (§8). */
const notifySeller = (conversation: Outgoing['conversation'], message_text: string): void => {
  const body = {
    conversationId: conversation.id,
    listingId: conversation.listing_id,
    sellerId: conversation.seller_id,
    buyerId: conversation.buyer_id,
    firstMessage: message_text,
  };
  request(calls.notifySellerNewMessage, { body }).catch(() => undefined);
};

const addressOf = ({ id, listing_id, buyer_id, seller_id }: Outgoing['conversation']) => ({
  id,
  listing_id,
  buyer_id,
  seller_id,
});

const sendTo = async (conversationId: string, { client_id, message_text }: Outgoing): Promise<Message> => {
  const message = await request(calls.sendMessage, {
    params: { id: conversationId },
    body: { client_id, message_text },
  });
  noteSent(message);
  forgetRefusal(conversationId);
  return message;
};

/** Creates the conversation of a first message, or finds it when that is retried, and sends the message. */
const sendFirst = async (entry: Outgoing, listing_id: string): Promise<void> => {
  const key = entry.conversation.id;
  const conversation = await request(calls.openConversation, { body: { listing_id } });
  const message = await sendTo(conversation.id, entry);
  noteStarted(listing_id, conversation, message);
  settle(conversation.id, [message]);
  moveQueue(key, addressOf(conversation));
  if (message.seq === 1) notifySeller(conversation, entry.message_text);
  void start(conversation.id);
};

const post = async (entry: Outgoing): Promise<void> => {
  const { conversation } = entry;
  if (isNewConversation(conversation.id) && conversation.listing_id)
    return sendFirst(entry, conversation.listing_id);
  const message = await sendTo(conversation.id, entry);
  settle(conversation.id, [message]);
  if (message.seq === 1) notifySeller(conversation, entry.message_text);
};

/** A refusal does not change by itself; a lost response and a failing server may. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the server is reachable again, and after `ms` at the latest. */
const reachableOr = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = onReachabilityChange(() => getReachability() === 'live' && done());
    const timer = setTimeout(() => done(), ms);
    const done = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
  });

const isStale = ({ created_at }: Outgoing): boolean => Date.now() - Date.parse(created_at) > lifetimeMs;

/** Sends the messages of a queue one by one, so that they are stored in the order of writing. */
const work = async (id: string): Promise<void> => {
  let tries = 0;
  let waits = 0;
  for (;;) {
    const [entry] = queueOf(id).entries;
    if (!entry) return;
    if (isStale(entry)) return returnQueue(id, 'too old');
    if (getReachability() !== 'live') setWaiting(id, true);
    try {
      await post(entry);
      setWaiting(id, false);
      tries = 0;
      waits = 0;
    } catch (error) {
      if (!isQueued(entry)) continue;
      if (mayPass(error) && getReachability() !== 'live') {
        waits += 1;
        tries = 0;
        setWaiting(id, true);
        await reachableOr(reconnectDelayMs(waits));
        continue;
      }
      const delay = mayPass(error) ? retryDelaysMs[tries] : undefined;
      if (delay === undefined) return returnQueue(id, error);
      tries += 1;
      await pause(delay);
    }
  }
};

const start = async (id: string): Promise<void> => {
  if (working.has(id)) return;
  working.add(id);
  await work(id);
  working.delete(id);
  setWaiting(id, false);
  if (queueOf(id).entries.length > 0) void start(id);
};

/** Continues what a reload of the page interrupted. */
export const resumeOutbox = (): void => {
  for (const id of listQueues()) void start(id);
};

/** Continues under a conversation's id with what was typed and queued before the conversation existed. */
export const adopt = (key: string, conversation: Conversation): void => {
  moveQueue(key, addressOf(conversation));
  void start(conversation.id);
};

/** Queues a message. It is sent once, after those before it, as soon as the server is reachable. */
export const send = (conversation: Outgoing['conversation'], text: string, again?: Unsent): void => {
  enqueue({
    client_id: again?.message_text === text ? again.client_id : newId(),
    message_text: text,
    created_at: new Date().toISOString(),
    conversation: addressOf(conversation),
  });
  void start(conversation.id);
};
