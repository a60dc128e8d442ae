import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { ApiError, request } from './api.ts';
import { giveBack, takeBack, type Unsent } from './drafts.ts';
import { newId } from './new-id.ts';
import { onReach, reachNow } from './reach.ts';
import { reconnectDelay } from './reconnect.ts';
import { keepInTab } from './tab-keep.ts';

/** At most so many messages of one conversation wait for the connection. */
export const outboxAtMost = 50;
/** A message that waited longer is not sent any more: it would surprise both. In milliseconds. */
const keptForMs = 12 * 60 * 60 * 1000;
/** Before trying again what may have passed by then, in milliseconds. */
const pausesMs = [700, 2000];

const outgoingSchema = z.object({
  client_id: z.string(),
  message_text: z.string(),
  created_at: z.string(),
  conversation: z.object({
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

const noLine: Line = { entries: [], waiting: false };
const storedListeners = new Set<(message: Message) => void>();
const failureListeners = new Set<FailureListener>();
const waiting = new Set<string>();
const working = new Set<string>();

const fail = (reason: unknown, conversationId?: string): void => {
  for (const listener of failureListeners) listener(reason, conversationId);
};

const outbox = keepInTab<readonly Outgoing[]>(
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

const lineOf = (id: string): Line => lines.get(id) ?? noLine;

const setWaiting = (id: string, waits: boolean): void => {
  if (waiting.has(id) === waits) return;
  if (waits) waiting.add(id);
  else waiting.delete(id);
  outbox.set(outbox.get().slice());
};

const isQueued = (entry: Outgoing): boolean =>
  outbox.get().some(({ client_id }) => client_id === entry.client_id);

/** Removes what is stored by now, however that became known. */
export const settle = (conversationId: string, arrived: readonly { client_id: string }[]): void => {
  const names = new Set(arrived.map(({ client_id }) => client_id));
  const left = outbox.get().filter(({ client_id }) => !names.has(client_id));
  if (left.length < outbox.get().length) outbox.set(left);
  takeBack(conversationId, arrived);
};

/** Gives a whole line back: what comes later is not sent past what failed. */
const returnLine = (id: string, reason: unknown): void => {
  const unsent: readonly Unsent[] = lineOf(id).entries;
  outbox.set(outbox.get().filter(({ conversation }) => conversation.id !== id));
  giveBack(
    id,
    unsent.map(({ client_id, message_text }) => ({ client_id, message_text })),
  );
  fail(reason, id);
};

/** After the very first message: makes sure the seller hears of it. Failing here is nobody's business (§8). */
const notifySeller = ({ conversation, message_text }: Outgoing): void => {
  const body = {
    conversationId: conversation.id,
    listingId: conversation.listing_id,
    sellerId: conversation.seller_id,
    buyerId: conversation.buyer_id,
    firstMessage: message_text,
  };
  request(calls.notifySellerNewMessage, { body }).catch(() => undefined);
};

const post = async (entry: Outgoing): Promise<void> => {
  const { conversation, client_id, message_text } = entry;
  const message = await request(calls.sendMessage, {
    params: { id: conversation.id },
    body: { client_id, message_text },
  });
  for (const listener of storedListeners) listener(message);
  settle(conversation.id, [message]);
  if (message.seq === 1) notifySeller(entry);
};

/** A refusal will not change by itself; silence and a struggling server may. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the server is in reach again, and after `ms` to see for oneself. */
const reachableOr = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = onReach(() => reachNow() === 'live' && done());
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
    const [entry] = lineOf(id).entries;
    if (!entry) return;
    if (isStale(entry)) return returnLine(id, 'too old');
    if (reachNow() !== 'live') setWaiting(id, true);
    try {
      await post(entry);
      setWaiting(id, false);
      tries = 0;
      waits = 0;
    } catch (error) {
      // It was seen stored, or its owner left.
      if (!isQueued(entry)) continue;
      if (mayPass(error) && reachNow() !== 'live') {
        waits += 1;
        tries = 0;
        setWaiting(id, true);
        await reachableOr(reconnectDelay(waits));
        continue;
      }
      const wait = mayPass(error) ? pausesMs[tries] : undefined;
      if (wait === undefined) return returnLine(id, error);
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
  if (lineOf(id).entries.length > 0) void start(id);
};

outbox.subscribe(arrange);
arrange();

/** Goes on with what a reload of the page interrupted. */
export const resumeOutbox = (): void => {
  for (const id of lines.keys()) void start(id);
};

/** Takes a message on: it is sent after those before it, as soon as the server can be reached, once. */
export const send = (conversation: Conversation, text: string, again?: Unsent): void => {
  const { id, listing_id, buyer_id, seller_id } = conversation;
  const entry: Outgoing = {
    client_id: again?.message_text === text ? again.client_id : newId(),
    message_text: text,
    created_at: new Date().toISOString(),
    conversation: { id, listing_id, buyer_id, seller_id },
  };
  outbox.set([...outbox.get(), entry]);
  void start(id);
};

/** What a conversation still has to send. */
export const useLine = (conversationId: string): Line =>
  useSyncExternalStore(
    outbox.subscribe,
    () => lineOf(conversationId),
    () => noLine,
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
