import type { Announcement } from '#contract/realtime.ts';

/** Carries announcements (ids only) to every listener of every process, after the facts are committed. */
export interface Bus {
  /** Returns as soon as the announcement is on its way; never fails: the facts are committed already. */
  publish(announcement: Announcement): Promise<void>;
  /**
   * Answers how to stop listening. `onGap` is called when announcements of other processes may have been missed:
   * the listener then looks for itself.
   */
  subscribe(listener: (announcement: Announcement) => void, onGap?: () => void): () => void;
  /** Whether other processes cannot be heard at the moment: who must not wait looks for itself meanwhile. */
  isDisconnected(): boolean;
  close(): Promise<void>;
}

interface Listeners extends Pick<Bus, 'subscribe'> {
  /** Tells all, after the turn of the caller ends. */
  tell(announcement: Announcement): void;
  tellGap(): void;
  clear(): void;
}

/** The listeners of one process. */
export const createListeners = (): Listeners => {
  const listeners = new Set<{
    hear: (announcement: Announcement) => void;
    onGap?: (() => void) | undefined;
  }>();
  return {
    tell: (announcement) => {
      queueMicrotask(() => {
        for (const { hear } of listeners) hear(announcement);
      });
    },
    tellGap: () => {
      for (const { onGap } of listeners) onGap?.();
    },
    subscribe: (hear, onGap) => {
      const listener = { hear, onGap };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
};

/** The bus of a single process: listeners hear in the order of publishing. */
export const createProcessBus = (): Bus => {
  const listeners = createListeners();
  return {
    publish: async (announcement) => listeners.tell(announcement),
    subscribe: listeners.subscribe,
    isDisconnected: () => false,
    close: async () => listeners.clear(),
  };
};
