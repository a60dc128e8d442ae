import type { BusMessage } from '#contract/realtime.ts';
import type { ConversationService } from '#server/features/conversations/public.ts';
import type { Log } from '#server/platform/process/log.ts';
import { coalesceByKey } from './coalesce.ts';
import { isSocketBufferFull, type LiveSocket, sendEvent, type TopicListener } from './live-socket.ts';

/**
 * Maximum number of messages read at once. This many messages of maximum length are still well below a socket's buffer
 * limit.
 */
const messagesPerPage = 50;
const conversationsPerQuery = 1000;

export interface DeliveryDeps {
  conversations: Pick<ConversationService, 'listAfter' | 'listLastSeqs' | 'listParties' | 'findUnread'>;
  /** Returns the number of unread notifications of a person. */
  countUnreadNotifications: (userId: string) => Promise<number>;
  log: Pick<Log, 'warn'>;
}

export type LiveDelivery = ReturnType<typeof createLiveDelivery>;

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

/**
 * Creates the service that delivers stored messages to listeners. A bus message says only which conversation
 * changed. Each listener has a cursor, and the messages after it are read from the database and sent in
 * order, exactly once, even when bus messages are lost, duplicated or late.
 */
export const createLiveDelivery = ({ conversations, countUnreadNotifications, log }: DeliveryDeps) => {
  const conversationListeners = new Map<string, Set<TopicListener>>();
  const personListeners = new Map<string, Set<TopicListener>>();
  const pausedConversations = new Map<LiveSocket, Set<string>>();
  const onError = (error: unknown) => log.warn({ err: error }, 'Live delivery failed; it is tried again');

  /** Sends a batch of messages to the listeners that share a cursor; returns whether there may be more messages. */
  const sendPage = async (
    id: string,
    from: number,
    listeners: readonly TopicListener[],
  ): Promise<boolean> => {
    const messages = await conversations.listAfter(id, from, messagesPerPage);
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
  const deliver = async (id: string): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      hasMore = false;
      const ready = [...(conversationListeners.get(id) ?? [])].filter(({ socket }) => {
        if (isSocketBufferFull(socket)) addToSetMap(pausedConversations, socket, id);
        return !isSocketBufferFull(socket);
      });
      for (const [from, listeners] of Map.groupBy(ready, ({ cursor }) => cursor)) {
        hasMore = (await sendPage(id, from, listeners)) || hasMore;
      }
    }
  };
  const delivering = coalesceByKey(deliver, onError);

  // Sends unread counts. The key is either a conversation id, to send them to both parties, or `conversation
  // id/user id`, to send them to only that person.
  const sendUnread = async (key: string): Promise<void> => {
    const [id = '', party] = key.split('/');
    const parties = party === undefined ? await conversations.listParties(id) : [party];
    for (const userId of parties) {
      if (!personListeners.has(userId)) continue;
      const unread = await conversations.findUnread({ id, userId });
      if (!unread) continue;
      const payload = JSON.stringify({ conversation_id: id, ...unread });
      for (const listener of personListeners.get(userId) ?? []) sendEvent(listener, 'unread', payload);
    }
  };
  const sendingUnread = coalesceByKey(sendUnread, onError);

  /** Sends a person the number of their unread notifications. */
  const sendNotificationCount = async (userId: string): Promise<void> => {
    const payload = JSON.stringify({ unread_total: await countUnreadNotifications(userId) });
    for (const listener of personListeners.get(userId) ?? []) sendEvent(listener, 'notification', payload);
  };
  const sendingNotificationCounts = coalesceByKey(sendNotificationCount, onError);

  return {
    /**
     * Registers a listener and then starts to deliver the messages after its cursor. This order ensures that no message
     * is missed in between.
     */
    join: (listener: TopicListener): void => {
      const { kind, id } = listener;
      addToSetMap(kind === 'conversation' ? conversationListeners : personListeners, id, listener);
      if (kind === 'conversation') delivering.run(id);
    },

    leave: (listener: TopicListener): void =>
      removeFromSetMap(
        listener.kind === 'conversation' ? conversationListeners : personListeners,
        listener.id,
        listener,
      ),

    announce: (announcement: Extract<BusMessage, { conversation_id: string }>): void => {
      const { conversation_id: id } = announcement;
      if (announcement.kind === 'message' && conversationListeners.has(id)) delivering.run(id);
      if (personListeners.size === 0) return;
      sendingUnread.run(announcement.kind === 'message' ? id : `${id}/${announcement.user_id}`);
    },

    /** Tells the devices of these people how many notifications are unread. */
    announceNotifications: (userIds: readonly string[]): void => {
      for (const id of userIds) if (personListeners.has(id)) sendingNotificationCounts.run(id);
    },

    /** Returns whether delivery to this socket is paused until its buffer drains. */
    isPaused: (socket: LiveSocket): boolean => pausedConversations.has(socket),

    /** Continues delivery to a socket whose buffer was full. */
    resume: (socket: LiveSocket): void => {
      const conversationIds = pausedConversations.get(socket);
      pausedConversations.delete(socket);
      for (const id of conversationIds ?? []) delivering.run(id);
    },

    /** Returns the listeners of all topics and sockets. */
    listeners: (): TopicListener[] =>
      [...conversationListeners.values(), ...personListeners.values()].flatMap((room) => [...room]),

    /** Removes all listeners of a socket. */
    forget: (socket: LiveSocket): void => {
      for (const listener of socket.listeners.values()) {
        removeFromSetMap(
          listener.kind === 'conversation' ? conversationListeners : personListeners,
          listener.id,
          listener,
        );
      }
      socket.listeners.clear();
      pausedConversations.delete(socket);
    },

    /** Repeats all deliveries that failed. */
    retry: (): void => {
      delivering.retry();
      sendingUnread.retry();
      sendingNotificationCounts.retry();
    },

    /**
     * Finds conversations whose listeners miss messages because bus messages were lost, and delivers the
     * missing messages.
     */
    reconcile: async (): Promise<void> => {
      const ids = [...conversationListeners.keys()];
      for (let start = 0; start < ids.length; start += conversationsPerQuery) {
        const newest = await conversations.listLastSeqs(ids.slice(start, start + conversationsPerQuery));
        for (const [id, lastSeq] of newest) {
          const isBehind = [...(conversationListeners.get(id) ?? [])].some(({ cursor }) => cursor < lastSeq);
          if (isBehind) delivering.run(id);
        }
      }
    },

    /** Resolves when no delivery is in progress. */
    settled: async (): Promise<void> => {
      await Promise.all([delivering.settled(), sendingUnread.settled(), sendingNotificationCounts.settled()]);
    },
  };
};
