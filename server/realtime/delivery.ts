import type { BusMessage } from '#contract/realtime.ts';
import type { App } from '#server/app.ts';
import {
  findSharedSeenSeq,
  findUnreadCounts,
  listConversationParties,
  listConversationProgress,
  listMessagesAfter,
  listUnsentMessagesAfter,
} from '#server/features/conversations/public.ts';
import { countUnreadNotifications } from '#server/features/notifications/public.ts';
import { type CoalescedRunner, coalesceByKey } from './coalesce.ts';
import { isSocketBufferFull, type LiveSocket, sendEvent, type TopicListener } from './live-socket.ts';
import { createTypingThrottles, type TypingThrottles } from './typing.ts';

/**
 * Maximum number of messages read at once. This many messages of maximum length are still well below a socket's buffer
 * limit.
 */
const messagesPerPage = 50;
const conversationsPerQuery = 1000;

/**
 * The delivery of stored messages to listeners. A bus message says only which conversation changed. Each listener has a
 * cursor, and the messages after it are read from the database and sent in order, exactly once, even when bus messages
 * are lost, duplicated or late.
 */
export interface LiveDelivery {
  readonly app: App;
  readonly conversationListeners: Map<string, Set<TopicListener>>;
  readonly personListeners: Map<string, Set<TopicListener>>;
  readonly pausedConversations: Map<LiveSocket, Set<string>>;
  /** Delivers the messages of a conversation, by its id. */
  readonly delivering: CoalescedRunner;
  /** Sends the `unsent` events of a conversation, by its id. */
  readonly sendingUnsent: CoalescedRunner;
  /**
   * Sends unread counts. The key is either a conversation id, to send them to both parties, or `conversation id/user
   * id`, to send them to only that person.
   */
  readonly sendingUnread: CoalescedRunner;
  /** Tells the other party up to which message a person has read. The key is `conversation id/user id` of that party. */
  readonly sendingSeen: CoalescedRunner;
  readonly typing: TypingThrottles;
  /** Sends a person the number of their unread notifications, by the id of the person. */
  readonly sendingNotificationCounts: CoalescedRunner;
}

const addToSetMap = <Key, Value>(index: Map<Key, Set<Value>>, key: Key, value: Value): void => {
  const found = index.get(key);
  if (found) found.add(value);
  else index.set(key, new Set([value]));
};

const removeFromSetMap = <Key, Value>(index: Map<Key, Set<Value>>, key: Key, value: Value): void => {
  const found = index.get(key);
  found?.delete(value);
  if (found?.size === 0) index.delete(key);
};

/** Sends a batch of messages to the listeners that share a cursor; returns whether there may be more messages. */
const sendPage = async (
  { app, conversationListeners }: LiveDelivery,
  { id, from, listeners }: { id: string; from: number; listeners: readonly TopicListener[] },
): Promise<boolean> => {
  const messages = await listMessagesAfter(app, id, from, messagesPerPage);
  const present = conversationListeners.get(id);
  for (const message of messages) {
    const payload = JSON.stringify(message);
    for (const listener of listeners) {
      if (!present?.has(listener)) continue;
      listener.cursor = message.seq;
      sendEvent(listener, 'message', payload);
    }
  }
  return messages.length === messagesPerPage;
};

// Listeners with the same cursor, usually all of them, share one read of the database. Each round reads at
// most one batch per cursor, so that a listener that is far behind does not delay the others.
const deliver = async (delivery: LiveDelivery, id: string): Promise<void> => {
  for (let hasMore = true; hasMore; ) {
    hasMore = false;
    const ready = [...(delivery.conversationListeners.get(id) ?? [])].filter(({ socket }) => {
      if (isSocketBufferFull(socket)) addToSetMap(delivery.pausedConversations, socket, id);
      return !isSocketBufferFull(socket);
    });
    for (const [from, listeners] of Map.groupBy(ready, ({ cursor }) => cursor)) {
      hasMore = (await sendPage(delivery, { id, from, listeners })) || hasMore;
    }
  }
};

/** Sends the `unsent` events after the cursor of each listener. */
const sendUnsent = async ({ app, conversationListeners }: LiveDelivery, id: string): Promise<void> => {
  for (let hasMore = true; hasMore; ) {
    const listeners = [...(conversationListeners.get(id) ?? [])];
    const from = Math.min(...listeners.map(({ unsentCursor }) => unsentCursor));
    if (listeners.length === 0) return;
    const messages = await listUnsentMessagesAfter(app, id, from, messagesPerPage);
    for (const message of messages) {
      const payload = JSON.stringify(message);
      for (const listener of conversationListeners.get(id) ?? []) {
        if (!listeners.includes(listener) || listener.unsentCursor >= message.unsent_number) continue;
        listener.unsentCursor = message.unsent_number;
        sendEvent(listener, 'unsent', payload);
      }
    }
    hasMore = messages.length === messagesPerPage;
  }
};

const sendUnread = async ({ app, personListeners }: LiveDelivery, key: string): Promise<void> => {
  const [id = '', party] = key.split('/');
  const parties = party === undefined ? await listConversationParties(app, id) : [party];
  for (const userId of parties) {
    if (!personListeners.has(userId)) continue;
    const unread = await findUnreadCounts(app, { id, userId });
    if (!unread) continue;
    const payload = JSON.stringify({ conversation_id: id, ...unread });
    for (const listener of personListeners.get(userId) ?? []) sendEvent(listener, 'unread', payload);
  }
};

const listListenersOf = (
  { conversationListeners }: LiveDelivery,
  id: string,
  isIncluded: (userId: string) => boolean,
): TopicListener[] => [...(conversationListeners.get(id) ?? [])].filter(({ userId }) => isIncluded(userId));

const sendSeen = async (delivery: LiveDelivery, key: string): Promise<void> => {
  const [id = '', userId = ''] = key.split('/');
  const seq = await findSharedSeenSeq(delivery.app, { id, userId });
  if (seq === undefined) return;
  const payload = JSON.stringify({ seq });
  for (const listener of listListenersOf(delivery, id, (it) => it === userId))
    sendEvent(listener, 'seen', payload);
};

const sendNotificationCount = async (
  { app, personListeners }: LiveDelivery,
  userId: string,
): Promise<void> => {
  const payload = JSON.stringify({ unread_total: await countUnreadNotifications(app, userId) });
  for (const listener of personListeners.get(userId) ?? []) sendEvent(listener, 'notification', payload);
};

/** Creates the delivery of a process, without listeners. */
export const createLiveDelivery = (app: App): LiveDelivery => {
  const onError = (error: unknown) => app.log.warn({ err: error }, 'Live delivery failed; it is tried again');
  const delivery: LiveDelivery = {
    app,
    conversationListeners: new Map(),
    personListeners: new Map(),
    pausedConversations: new Map(),
    delivering: coalesceByKey((id) => deliver(delivery, id), onError),
    sendingUnsent: coalesceByKey((id) => sendUnsent(delivery, id), onError),
    sendingUnread: coalesceByKey((key) => sendUnread(delivery, key), onError),
    sendingSeen: coalesceByKey((key) => sendSeen(delivery, key), onError),
    typing: createTypingThrottles(app),
    sendingNotificationCounts: coalesceByKey((userId) => sendNotificationCount(delivery, userId), onError),
  };
  return delivery;
};

const getListeners = (
  { conversationListeners, personListeners }: LiveDelivery,
  { kind }: TopicListener,
): Map<string, Set<TopicListener>> => (kind === 'conversation' ? conversationListeners : personListeners);

/**
 * Registers a listener and then starts to deliver the messages after its cursor, and the `unsent` events if it misses some.
 * This order ensures that no message is missed in between.
 */
export const addListener = (
  delivery: LiveDelivery,
  listener: TopicListener,
  { isBehindUnsent }: { isBehindUnsent: boolean },
): void => {
  const { kind, id } = listener;
  addToSetMap(getListeners(delivery, listener), id, listener);
  if (kind !== 'conversation') return;
  delivery.delivering.run(id);
  if (isBehindUnsent) delivery.sendingUnsent.run(id);
};

export const removeListener = (delivery: LiveDelivery, listener: TopicListener): void =>
  removeFromSetMap(getListeners(delivery, listener), listener.id, listener);

/** Delivers what a bus message has announced about a conversation. */
export const deliverAnnounced = (
  delivery: LiveDelivery,
  announcement: Extract<BusMessage, { kind: 'message' | 'read' | 'unsent' }>,
): void => {
  const { conversationListeners, personListeners, delivering, sendingUnsent, sendingUnread, sendingSeen } =
    delivery;
  const { conversation_id: id } = announcement;
  if (announcement.kind === 'message' && conversationListeners.has(id)) delivering.run(id);
  if (announcement.kind === 'unsent' && conversationListeners.has(id)) sendingUnsent.run(id);
  if (announcement.kind === 'read' && announcement.seen) {
    // The other party sees it while they have the thread open.
    const [other] = listListenersOf(delivery, id, (userId) => userId !== announcement.user_id);
    if (other) sendingSeen.run(`${id}/${other.userId}`);
  }
  if (personListeners.size === 0) return;
  sendingUnread.run(announcement.kind === 'read' ? `${id}/${announcement.user_id}` : id);
};

/** Tells the devices of these people how many notifications are unread. */
export const deliverNotificationCounts = (
  { personListeners, sendingNotificationCounts }: LiveDelivery,
  userIds: readonly string[],
): void => {
  for (const id of userIds) if (personListeners.has(id)) sendingNotificationCounts.run(id);
};

/** Returns whether delivery to this socket is paused until its buffer drains. */
export const isDeliveryPaused = ({ pausedConversations }: LiveDelivery, socket: LiveSocket): boolean =>
  pausedConversations.has(socket);

/** Continues delivery to a socket whose buffer was full. */
export const resumeDelivery = (
  { pausedConversations, delivering }: LiveDelivery,
  socket: LiveSocket,
): void => {
  const conversationIds = pausedConversations.get(socket);
  pausedConversations.delete(socket);
  for (const id of conversationIds ?? []) delivering.run(id);
};

export const listListeners = ({ conversationListeners, personListeners }: LiveDelivery): TopicListener[] =>
  [...conversationListeners.values(), ...personListeners.values()].flatMap((room) => [...room]);

export const forgetSocket = (delivery: LiveDelivery, socket: LiveSocket): void => {
  for (const listener of socket.listeners.values()) removeListener(delivery, listener);
  socket.listeners.clear();
  delivery.pausedConversations.delete(socket);
};

/** Repeats all deliveries that failed. */
export const retryDeliveries = (delivery: LiveDelivery): void => {
  delivery.delivering.retry();
  delivery.sendingUnsent.retry();
  delivery.sendingUnread.retry();
  delivery.sendingSeen.retry();
  delivery.sendingNotificationCounts.retry();
};

/**
 * Finds conversations whose listeners miss messages or `unsent` events because bus messages were lost, and delivers what
 * is missing.
 */
export const deliverMissedMessages = async (delivery: LiveDelivery): Promise<void> => {
  const { app, conversationListeners, delivering, sendingUnsent } = delivery;
  const ids = [...conversationListeners.keys()];
  for (let start = 0; start < ids.length; start += conversationsPerQuery) {
    const page = ids.slice(start, start + conversationsPerQuery);
    for (const { id, last_seq, unsent_count } of await listConversationProgress(app, page)) {
      const listeners = [...(conversationListeners.get(id) ?? [])];
      if (listeners.some(({ cursor }) => cursor < last_seq)) delivering.run(id);
      if (listeners.some(({ unsentCursor }) => unsentCursor < unsent_count)) sendingUnsent.run(id);
    }
  }
};

/** Resolves when no delivery is in progress. */
export const settleDeliveries = async (delivery: LiveDelivery): Promise<void> => {
  await Promise.all([
    delivery.delivering.settled(),
    delivery.sendingUnsent.settled(),
    delivery.sendingUnread.settled(),
    delivery.sendingSeen.settled(),
    delivery.sendingNotificationCounts.settled(),
  ]);
};
