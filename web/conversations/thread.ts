import {
  type Message,
  type MessagePhoto,
  photoMessageText,
  type QuotedMessage,
  unsentMessageText,
} from '#contract/conversations.ts';
import { findRecordedTransition } from '#contract/deal-event-lines.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import type { OutgoingPhoto } from './outgoing-message.ts';
import type { MessageFormatter } from './use-message-format.ts';

/**
 * The loaded messages of a conversation. Messages that are not stored on the server yet are in the
 * outbox; `toThreadItems` returns both.
 */
export interface Thread {
  /** Whether the newest page has been loaded. Live messages may be added to `stored` before that. */
  loaded: boolean;
  /** The messages, sorted by seq, without duplicates. */
  stored: readonly Message[];
  /** Whether the server has older messages. */
  more: boolean;
  /** Messages that were unsent while the thread was loaded. They replace those in responses that are on their way. */
  unsent?: readonly Message[] | undefined;
  /** How many messages had been unsent when the server last said so. Undefined until then. */
  unsentCount?: number | undefined;
}

export type ThreadEvent =
  | { kind: 'loaded'; messages: readonly Message[]; more: boolean; unsentCount?: number | undefined }
  | { kind: 'older'; messages: readonly Message[]; more: boolean }
  /** Messages that were received live, fetched to fill a gap, or returned by the send request. */
  | { kind: 'arrived'; messages: readonly Message[] }
  /** Messages that were unsent. With `unsentCount`, they are all that were unsent since the previous one. */
  | { kind: 'unsent'; messages: readonly Message[]; unsentCount?: number | undefined };

/** Returns whether a message is an event line, which records a transition of a deal or a change to its listing. */
export const isEventLine = ({ kind }: Pick<Message, 'kind'>): boolean => kind === 'deal' || kind === 'system';

export const emptyThread: Thread = { loaded: false, stored: [], more: false };

const mergeMessages = (stored: readonly Message[], messages: readonly Message[]): readonly Message[] => {
  const bySeq = new Map(stored.map((message) => [message.seq, message]));
  const added = messages.filter(({ seq }) => !bySeq.has(seq));
  if (added.length === 0) return stored;
  for (const message of added) bySeq.set(message.seq, message);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
};

/** Returns what a reply quotes of a message. */
export const toQuotedMessage = (message: Message): QuotedMessage => ({
  id: message.id,
  seq: message.seq,
  sender_id: message.sender_id,
  message_text: message.message_text,
  has_photos: message.photos !== undefined,
  photo_id: message.photos?.[0]?.id ?? null,
  is_unsent: message.unsent_number !== undefined,
});

/** Returns a quote of a message that was unsent in the meantime. */
export const toUnsentQuote = (quoted: QuotedMessage): QuotedMessage => ({
  ...quoted,
  message_text: unsentMessageText,
  has_photos: false,
  photo_id: null,
  is_unsent: true,
});

/** Returns the messages with those replaced that were unsent, also where others quote them. */
const replaceUnsent = (stored: readonly Message[], unsent: readonly Message[]): readonly Message[] => {
  if (unsent.length === 0) return stored;
  const bySeq = new Map(unsent.map((message) => [message.seq, message]));
  let hasChanged = false;
  const next = stored.map((message) => {
    const { reply_to: quoted, unsent_number: isUnsent } = message;
    const own = isUnsent ? undefined : bySeq.get(message.seq);
    const isQuoteGone = quoted && !quoted.is_unsent && bySeq.has(quoted.seq);
    if (!own && !isQuoteGone) return message;
    hasChanged = true;
    return own ?? { ...message, reply_to: quoted && toUnsentQuote(quoted) };
  });
  return hasChanged ? next : stored;
};

/**
 * Merges an event into a thread. Messages with the same seq count as the same message; one that was unsent stays so. Returns
 * the same object if nothing changed.
 */
export const threadReducer = (thread: Thread, event: ThreadEvent): Thread => {
  const { unsent = [] } = thread;
  if (event.kind === 'unsent') {
    const known = [...unsent, ...event.messages];
    return {
      ...thread,
      stored: replaceUnsent(thread.stored, known),
      unsent: known,
      unsentCount: event.unsentCount ?? thread.unsentCount,
    };
  }
  const stored = replaceUnsent(mergeMessages(thread.stored, event.messages), unsent);
  if (event.kind === 'arrived') return stored === thread.stored ? thread : { ...thread, stored };
  const { unsentCount } = event.kind === 'loaded' ? event : thread;
  return {
    ...thread,
    loaded: thread.loaded || event.kind === 'loaded',
    stored,
    more: event.more,
    unsentCount,
  };
};

/** A message of the current user that the server has not stored yet, identified by its client_id. */
export interface PendingMessage {
  client_id: string;
  message_text: string;
  photos?: readonly OutgoingPhoto[] | undefined;
  reply_to?: QuotedMessage | undefined;
  created_at: string;
}

/** A pending message with photos. */
export type PhotoMessage = PendingMessage & { photos: readonly OutgoingPhoto[] };

const hasPhotos = (message: PendingMessage): message is PhotoMessage => message.photos !== undefined;

interface DisplayedItem {
  /** React key; identical before and after the server stores the message, so that React keeps the element. */
  key: string;
  text: string;
  at: string;
}

export interface MessageBubbleItem extends DisplayedItem {
  kind: 'bubble';
  own: boolean;
  pending: boolean;
  /** The stored message. */
  message?: Message | undefined;
  /** The client id of a pending message. */
  clientId?: string | undefined;
  /** The message that this one replies to. */
  reply?: QuotedMessage | undefined;
  isReplyToOwn?: boolean | undefined;
  /** The photos of a stored message. */
  photos?: readonly MessagePhoto[] | undefined;
  /** The pending message, if it has photos. */
  outgoing?: PhotoMessage | undefined;
}

export interface EventLineItem extends DisplayedItem {
  kind: 'event_line';
  /** The deal transition that the line reports, or null if this version of the code does not know it. */
  transition: DealTransitionName | null;
}

export type ThreadItem = MessageBubbleItem | EventLineItem;

/**
 * Returns the messages that the person sent. Only these may be compared with the outbox by
 * client_id, because other people's messages may have the same client ids.
 */
export const filterOwnMessages = (messages: readonly Message[], ownId: string): Message[] =>
  messages.filter(({ sender_id }) => sender_id === ownId);

/** Returns the text of a message that is displayed; that of photos without a caption is empty. */
const getDisplayedText = (message: Message, format: MessageFormatter): string =>
  message.photos && message.message_text === photoMessageText ? '' : format(message);

const toReply = (reply: QuotedMessage | undefined, ownId: string) =>
  reply ? { reply, isReplyToOwn: reply.sender_id === ownId } : {};

/** Returns the `key` of the item of a message. */
const toItemKey = ({ sender_id, client_id }: Message): string => `${sender_id ?? ''} ${client_id}`;

const toThreadItem = (message: Message, ownId: string, format: MessageFormatter): ThreadItem => {
  const item = {
    key: toItemKey(message),
    text: getDisplayedText(message, format),
    at: message.created_at,
  };
  return isEventLine(message)
    ? { ...item, kind: 'event_line', transition: findRecordedTransition(message.data)?.transition ?? null }
    : {
        ...item,
        kind: 'bubble',
        own: message.sender_id === ownId,
        pending: false,
        message,
        ...toReply(message.reply_to, ownId),
        ...(message.photos ? { photos: message.photos } : {}),
      };
};

/** Returns the lines about running late that a later one of the same party replaces. */
const findReplacedLines = (stored: readonly Message[]): Set<Message> => {
  const latest = new Map<string, Message>();
  const replaced = new Set<Message>();
  for (const message of stored) {
    const line = findRecordedTransition(message.data);
    if (line?.transition !== 'running_late') continue;
    const key = `${line.deal_id} ${line.by} ${line.time}`;
    const before = latest.get(key);
    if (before) replaced.add(before);
    latest.set(key, message);
  }
  return replaced;
};

/** Returns the items to display: stored messages in order, then pending ones, without duplicates. */
export const toThreadItems = (
  thread: Thread,
  pending: readonly PendingMessage[],
  ownId: string,
  format: MessageFormatter = ({ message_text }) => message_text,
): ThreadItem[] => {
  const names = new Set(filterOwnMessages(thread.stored, ownId).map(({ client_id }) => client_id));
  const replaced = findReplacedLines(thread.stored);
  return [
    ...thread.stored
      .filter((message) => !replaced.has(message))
      .map((message) => toThreadItem(message, ownId, format)),
    ...pending
      .filter(({ client_id }) => !names.has(client_id))
      .map((message) => ({
        kind: 'bubble' as const,
        key: `${ownId} ${message.client_id}`,
        own: true,
        text: message.message_text,
        at: message.created_at,
        pending: true,
        clientId: message.client_id,
        ...toReply(message.reply_to, ownId),
        ...(hasPhotos(message) ? { outgoing: message } : {}),
      })),
  ];
};

/**
 * Returns the highest seq before the first missing message, counted from the oldest loaded message, or from 0
 * when the server has no older ones. Returns undefined until the thread is loaded. When the client joins the
 * topic, it sends this seq in order to receive all later messages.
 */
export const getLastContiguousSeq = (thread: Thread): number | undefined => {
  if (!thread.loaded) return undefined;
  let reached = thread.more ? (thread.stored[0]?.seq ?? 0) : 0;
  for (const { seq } of thread.stored) {
    if (seq > reached + 1) break;
    reached = seq;
  }
  return reached;
};

/** Returns whether a message is missing between two loaded messages. */
export const hasMessageGap = (thread: Thread): boolean =>
  thread.loaded && (thread.stored.at(-1)?.seq ?? 0) > (getLastContiguousSeq(thread) ?? 0);

/**
 * Returns the thread with only its newest `atMost` messages, for the cache. Returns undefined if the thread
 * is not loaded or has a gap.
 */
export const toCacheableThread = (thread: Thread, atMost: number): Thread | undefined => {
  if (!thread.loaded || hasMessageGap(thread)) return undefined;
  const stored = thread.stored.slice(-atMost);
  return { ...thread, stored, more: thread.more || stored.length < thread.stored.length };
};

/** Returns whether a message with this seq is loaded, and is no event line. */
export const hasTextMessage = (stored: readonly Message[], seq: number | undefined): boolean =>
  stored.some((message) => message.seq === seq && !isEventLine(message));

/**
 * Returns the key of the person's last message up to a seq, apart from unsent ones, or undefined if none of the loaded ones
 * is.
 */
export const findSeenKey = (
  { stored }: Thread,
  ownId: string,
  seenSeq: number | null | undefined,
): string | undefined => {
  const message = stored.findLast(
    (it) => it.seq <= (seenSeq ?? 0) && it.sender_id === ownId && !isEventLine(it) && !it.unsent_number,
  );
  return message && toItemKey(message);
};

/** Returns the newest loaded event line, or undefined if there is none. */
export const findNewestEventLine = ({ stored }: Thread): Message | undefined =>
  stored.findLast(({ kind }) => kind !== 'text');
