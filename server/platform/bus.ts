import type { Announcement } from '#contract/realtime.ts';

/** Carries announcements (ids only) to every listener of every process, after the facts are committed. */
export interface Bus {
  publish(announcement: Announcement): Promise<void>;
  /** Answers how to stop listening. */
  subscribe(listener: (announcement: Announcement) => void): () => void;
  close(): Promise<void>;
}

/** The bus of a single process: listeners hear in the order of publishing, after the publisher's turn ends. */
export const createProcessBus = (): Bus => {
  const listeners = new Set<(announcement: Announcement) => void>();
  return {
    publish: async (announcement) => {
      queueMicrotask(() => {
        for (const listener of listeners) listener(announcement);
      });
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => listeners.clear(),
  };
};
