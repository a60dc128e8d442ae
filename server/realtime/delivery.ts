import type { Announcement } from '#contract/realtime.ts';
import type { Conversations } from '#server/conversations/service.ts';
import type { Log } from '#server/platform/process/log.ts';
import { coalesce } from './coalesce.ts';
import { isFull, type Listener, type LiveSocket, push } from './live-socket.ts';

/** Fifty of the longest messages are still well below what may wait for a slow reader. */
const pageSize = 50;
const roomsPerLook = 1000;

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
 * Delivers what is stored to those who listen. An announcement only says where to look: each listener has a cursor,
 * and the rows after it are read and sent in order, each exactly once, whatever was announced, twice, late or never.
 */
export const createDelivery = ({ conversations, log }: DeliveryDeps) => {
  const rooms = new Map<string, Set<Listener>>();
  const people = new Map<string, Set<Listener>>();
  const paused = new Map<LiveSocket, Set<string>>();
  const onError = (error: unknown) => log.warn({ err: error }, 'Live delivery failed; it is tried again');

  /** Sends a page to those who stand at the same place; answers whether there may be more. */
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

  // Mostly all stand at the same place and one read serves them; who has much to catch up with delays nobody else.
  const deliver = async (id: string): Promise<void> => {
    for (let more = true; more; ) {
      more = false;
      const ready = [...(rooms.get(id) ?? [])].filter(({ socket }) => {
        if (isFull(socket)) addTo(paused, socket, id);
        return !isFull(socket);
      });
      for (const [from, listeners] of Map.groupBy(ready, ({ cursor }) => cursor)) {
        more = (await sendPage(id, from, listeners)) || more;
      }
    }
  };
  const delivering = coalesce(deliver, onError);

  // The key is a conversation, for both of its parties, or a conversation and the one party to be told.
  const tellUnread = async (key: string): Promise<void> => {
    const [id = '', reader] = key.split('/');
    const parties = reader === undefined ? await conversations.listParties(id) : [reader];
    for (const userId of parties) {
      if (!people.has(userId)) continue;
      const unread = await conversations.findUnread({ id, userId });
      if (!unread) continue;
      const payload = JSON.stringify({ conversation_id: id, ...unread });
      for (const listener of people.get(userId) ?? []) push(listener, 'unread', payload);
    }
  };
  const telling = coalesce(tellUnread, onError);

  return {
    /** Begins to listen: first it counts as a listener, then it is brought up to date, so nothing falls between. */
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
      telling.run(announcement.kind === 'message' ? id : `${id}/${announcement.user_id}`);
    },

    /** Whether this reader is left to take in what it was sent. */
    isPaused: (socket: LiveSocket): boolean => paused.has(socket),

    /** Goes on with what a reader that was full still lacks. */
    resume: (socket: LiveSocket): void => {
      const waiting = paused.get(socket);
      paused.delete(socket);
      for (const id of waiting ?? []) delivering.run(id);
    },

    /** Everyone who listens to anything. */
    listeners: (): Listener[] => [...rooms.values(), ...people.values()].flatMap((room) => [...room]),

    /** Lets go of everything a socket listened to. */
    forget: (socket: LiveSocket): void => {
      for (const listener of socket.listeners.values()) {
        removeFrom(listener.kind === 'conversation' ? rooms : people, listener.id, listener);
      }
      socket.listeners.clear();
      paused.delete(socket);
    },

    /** Tries again what failed. */
    retry: (): void => {
      delivering.retry();
      telling.retry();
    },

    /** Looks whether any room lacks something, as happens when announcements are lost. */
    reconcile: async (): Promise<void> => {
      const ids = [...rooms.keys()];
      for (let start = 0; start < ids.length; start += roomsPerLook) {
        const newest = await conversations.listLastSeqs(ids.slice(start, start + roomsPerLook));
        for (const [id, lastSeq] of newest) {
          const lacking = [...(rooms.get(id) ?? [])].some(({ cursor }) => cursor < lastSeq);
          if (lacking) delivering.run(id);
        }
      }
    },

    /** Resolves when nothing is being delivered. */
    settled: async (): Promise<void> => {
      await Promise.all([delivering.settled(), telling.settled()]);
    },
  };
};
