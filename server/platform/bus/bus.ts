import type { BusMessage } from '#contract/realtime.ts';

/**
 * Publishes messages about committed changes to the listeners in all processes. The messages contain only
 * ids.
 */
export interface Bus {
  /**
   * Resolves when the message is queued for delivery. Never rejects, because the change is already committed.
   */
  publish(announcement: BusMessage): Promise<void>;
  /**
   * Registers a listener and returns an unsubscribe function. `onGap` is called when messages from other
   * processes may have been missed; the subscriber should then read the current state from the database.
   */
  subscribe(listener: (announcement: BusMessage) => void, onGap?: () => void): () => void;
  /**
   * Returns whether the connection to other processes is down. While it is, time-critical subscribers poll
   * the database.
   */
  isDisconnected(): boolean;
  close(): Promise<void>;
}

interface ListenerRegistry extends Pick<Bus, 'subscribe'> {
  /** Notifies all listeners asynchronously, after the caller's current task. */
  notify(announcement: BusMessage): void;
  notifyGap(): void;
  clear(): void;
}

/** Creates the set of listeners that one process has registered on the bus. */
export const createListenerRegistry = (): ListenerRegistry => {
  const listeners = new Set<{
    listener: (announcement: BusMessage) => void;
    onGap?: (() => void) | undefined;
  }>();
  return {
    notify: (announcement) => {
      queueMicrotask(() => {
        for (const { listener } of listeners) listener(announcement);
      });
    },
    notifyGap: () => {
      for (const { onGap } of listeners) onGap?.();
    },
    subscribe: (listener, onGap) => {
      const entry = { listener, onGap };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    clear: () => listeners.clear(),
  };
};

/** Creates a bus within a single process; listeners receive messages in the order they were published. */
export const createInProcessBus = (): Bus => {
  const listeners = createListenerRegistry();
  return {
    publish: async (announcement) => listeners.notify(announcement),
    subscribe: listeners.subscribe,
    isDisconnected: () => false,
    close: async () => listeners.clear(),
  };
};
