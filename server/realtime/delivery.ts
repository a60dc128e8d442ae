import type { Announcement } from '#contract/realtime.ts';
import type { Conversations } from '#server/conversations/public.ts';
import type { Log } from '#server/platform/process/log.ts';
import { coalesce } from './coalesce.ts';
import { isFull, type Listener, type LiveSocket, push } from './live-socket.ts';

/** Fifty messages of maximum length are still well below the buffer limit of a slow reader. */
const pageSize = 50;
const roomsPerQuery = 1000;

export interface DeliveryDeps {
  conversations: Pick<Conversations, 'listAfter' | 'listLastSeqs' | 'listParties' | 'findUnread'>;
  log: Pick<Log, 'warn'>;
}

export type Delivery = ReturnType<typeof createDelivery>;

const addTo = <Key, Value>(index: Map<Key, Set<Value>>, key: Key, value: Value): void => {
  const found = index.get(key);
  if (found) found.add(value);
  else index.set(key, new Set([value]));
};

const removeFrom = <Key, Value>(index: Map<Key, Set<Value>>, key: Key, value: Value): void => {
  const found = index.get(key);
  found?.delete(value);
  if (found?.size === 0) index.delete(key);
};

/**
 * Delivers stored messages to listeners. An announcement only says which conversation changed: each listener has a
 * cursor, and the rows after it are read and sent in order, exactly once, even when announcements are lost, doubled or
 * late.
 */
export const createDelivery = ({ conversations, log }: DeliveryDeps) => {
  const rooms = new Map<string, Set<Listener>>();
  const people = new Map<string, Set<Listener>>();
  const paused = new Map<LiveSocket, Set<string>>();
  const onError = (error: unknown) => log.warn({ err: error }, 'Live delivery failed; it is tried again');

  /** Sends a page to the listeners that share a cursor; returns whether there may be more. */
  const sendPage = async (id: string, from: number, listeners: readonly Listener[]): Promise<boolean> => {
    const messages = await conversations.listAfter(id, from, pageSize);
    const present = rooms.get(id);
    for (const message of messages) {
      const payload = JSON.stringify(message);
      for (const listener of listeners) {
        if (!present?.has(listener)) continue;
        listener.cursor = message.seq;
        push(listener, 'message', payload);
      }
    }
    return messages.length === pageSize;
  };

  // Usually all listeners share one cursor and one read serves them. One that is far behind must not delay the others.
  const deliver = async (id: string): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      hasMore = false;
      const ready = [...(rooms.get(id) ?? [])].filter(({ socket }) => {
        if (isFull(socket)) addTo(paused, socket, id);
        return !isFull(socket);
      });
      for (const [from, listeners] of Map.groupBy(ready, ({ cursor }) => cursor)) {
        hasMore = (await sendPage(id, from, listeners)) || hasMore;
      }
    }
  };
  const delivering = coalesce(deliver, onError);

  // The key is a conversation, for both parties, or a conversation and the one party to notify.
  const sendUnread = async (key: string): Promise<void> => {
    const [id = '', party] = key.split('/');
    const parties = party === undefined ? await conversations.listParties(id) : [party];
    for (const userId of parties) {
      if (!people.has(userId)) continue;
      const unread = await conversations.findUnread({ id, userId });
      if (!unread) continue;
      const payload = JSON.stringify({ conversation_id: id, ...unread });
      for (const listener of people.get(userId) ?? []) push(listener, 'unread', payload);
    }
  };
  const sendingUnread = coalesce(sendUnread, onError);

  return {
    /** Registers a listener and then brings it up to date, in this order, so that no message falls in between. */
    join: (listener: Listener): void => {
      const { kind, id } = listener;
      addTo(kind === 'conversation' ? rooms : people, id, listener);
      if (kind === 'conversation') delivering.run(id);
    },

    leave: (listener: Listener): void =>
      removeFrom(listener.kind === 'conversation' ? rooms : people, listener.id, listener),

    announce: (announcement: Extract<Announcement, { conversation_id: string }>): void => {
      const { conversation_id: id } = announcement;
      if (announcement.kind === 'message' && rooms.has(id)) delivering.run(id);
      if (people.size === 0) return;
      sendingUnread.run(announcement.kind === 'message' ? id : `${id}/${announcement.user_id}`);
    },

    /** Returns whether delivery to this listener is paused until its buffer drains. */
    isPaused: (socket: LiveSocket): boolean => paused.has(socket),

    /** Continues delivery to a listener whose buffer was full. */
    resume: (socket: LiveSocket): void => {
      const waiting = paused.get(socket);
      paused.delete(socket);
      for (const id of waiting ?? []) delivering.run(id);
    },

    /** All listeners. */
    listeners: (): Listener[] => [...rooms.values(), ...people.values()].flatMap((room) => [...room]),

    /** Removes all listeners of a socket. */
    forget: (socket: LiveSocket): void => {
      for (const listener of socket.listeners.values()) {
        removeFrom(listener.kind === 'conversation' ? rooms : people, listener.id, listener);
      }
      socket.listeners.clear();
      paused.delete(socket);
    },

    /** Retries failed deliveries. */
    retry: (): void => {
      delivering.retry();
      sendingUnread.retry();
    },

    /** Finds conversations with undelivered messages, which happens when announcements are lost. */
    reconcile: async (): Promise<void> => {
      const ids = [...rooms.keys()];
      for (let start = 0; start < ids.length; start += roomsPerQuery) {
        const newest = await conversations.listLastSeqs(ids.slice(start, start + roomsPerQuery));
        for (const [id, lastSeq] of newest) {
          const isBehind = [...(rooms.get(id) ?? [])].some(({ cursor }) => cursor < lastSeq);
          if (isBehind) delivering.run(id);
        }
      }
    },

    /** Resolves when no delivery is in progress. */
    settled: async (): Promise<void> => {
      await Promise.all([delivering.settled(), sendingUnread.settled()]);
    },
  };
};
