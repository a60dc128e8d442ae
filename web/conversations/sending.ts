import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { newId } from '#web/lib/new-id.ts';
import { onReachabilityChange, reachabilityNow } from '#web/lib/reachability.ts';
import { reconnectDelay } from '#web/lib/reconnect.ts';
import type { Unsent } from './drafts.ts';
import { isNewConversation } from './new-conversation.ts';
import {
  isQueued,
  listQueues,
  moveLine,
  noteStored,
  type Outgoing,
  queue,
  queueOf,
  returnQueue,
  setWaiting,
} from './outbox.ts';

/** A message that waited longer is not sent any more: it would surprise both. In milliseconds. */
const keptForMs = 12 * 60 * 60 * 1000;
/** Before trying again what may have passed by then, in milliseconds. */
const pausesMs = [700, 2000];

/** The conversations whose line is being sent. */
const working = new Set<string>();

/** After the very first message: makes sure the seller hears of it. Failing here is nobody's business (§8). */
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

/** Returns the conversation that a message is for; creates it for the first one, finds it when that is retried. */
const findOrCreate = async (filed: Outgoing['conversation']): Promise<Outgoing['conversation']> => {
  if (!isNewConversation(filed.id) || !filed.listing_id) return filed;
  const { id, listing_id, buyer_id, seller_id } = await request(calls.openConversation, {
    body: { listing_id: filed.listing_id },
  });
  return { id, listing_id, buyer_id, seller_id };
};

const post = async ({ conversation: filed, client_id, message_text }: Outgoing): Promise<void> => {
  const conversation = await findOrCreate(filed);
  const message = await request(calls.sendMessage, {
    params: { id: conversation.id },
    body: { client_id, message_text },
  });
  noteStored(message);
  if (message.seq === 1) notifySeller(conversation, message_text);
  if (filed.id === conversation.id) return;
  moveLine(filed.id, conversation);
  void start(conversation.id);
};

/** A refusal will not change by itself; silence and a struggling server may. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the server is in reach again, and after `ms` to see for oneself. */
const reachableOr = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = onReachabilityChange(() => reachabilityNow() === 'live' && done());
    const timer = setTimeout(() => done(), ms);
    const done = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
  });

const isStale = ({ created_at }: Outgoing): boolean => Date.now() - Date.parse(created_at) > keptForMs;

/** Sends a line one by one, so that its messages are stored in the order they were written in. */
const work = async (id: string): Promise<void> => {
  let tries = 0;
  let waits = 0;
  for (;;) {
    const [entry] = queueOf(id).entries;
    if (!entry) return;
    if (isStale(entry)) return returnQueue(id, 'too old');
    if (reachabilityNow() !== 'live') setWaiting(id, true);
    try {
      await post(entry);
      setWaiting(id, false);
      tries = 0;
      waits = 0;
    } catch (error) {
      if (!isQueued(entry)) continue;
      if (mayPass(error) && reachabilityNow() !== 'live') {
        waits += 1;
        tries = 0;
        setWaiting(id, true);
        await reachableOr(reconnectDelay(waits));
        continue;
      }
      const wait = mayPass(error) ? pausesMs[tries] : undefined;
      if (wait === undefined) return returnQueue(id, error);
      tries += 1;
      await pause(wait);
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

/** Goes on with what a reload of the page interrupted. */
export const resumeOutbox = (): void => {
  for (const id of listQueues()) void start(id);
};

/** Goes on under a conversation's id with what was typed and queued before it existed. */
export const adopt = (key: string, { id, listing_id, buyer_id, seller_id }: Conversation): void => {
  moveLine(key, { id, listing_id, buyer_id, seller_id });
  void start(id);
};

/** Takes a message on: it is sent after those before it, as soon as the server can be reached, once. */
export const send = (conversation: Outgoing['conversation'], text: string, again?: Unsent): void => {
  const { id, listing_id, buyer_id, seller_id } = conversation;
  const entry: Outgoing = {
    client_id: again?.message_text === text ? again.client_id : newId(),
    message_text: text,
    created_at: new Date().toISOString(),
    conversation: { id, listing_id, buyer_id, seller_id },
  };
  queue(entry);
  void start(id);
};
