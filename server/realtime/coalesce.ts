/** Runs work by key, never concurrently for the same key. */
export interface Coalesced {
  /** Runs the work for a key. Calls during a run lead to one more run afterwards. */
  run(key: string): void;
  /** Runs the work again for all keys whose last run failed. */
  retry(): void;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

/**
 * Wraps `work` so that it never runs concurrently for the same key. `onError` is called for the first failure only, and
 * again only after all failed keys have succeeded.
 */
export const coalesce = (
  work: (key: string) => Promise<void>,
  onError: (error: unknown) => void,
): Coalesced => {
  const running = new Map<string, Promise<void>>();
  const rerunKeys = new Set<string>();
  const failedKeys = new Set<string>();

  const runUntilDone = async (key: string): Promise<void> => {
    do {
      rerunKeys.delete(key);
      try {
        await work(key);
        failedKeys.delete(key);
      } catch (error) {
        if (failedKeys.size === 0) onError(error);
        failedKeys.add(key);
      }
    } while (rerunKeys.has(key));
    running.delete(key);
  };

  const run = (key: string): void => {
    if (running.has(key)) rerunKeys.add(key);
    else running.set(key, runUntilDone(key));
  };

  return {
    run,
    retry: () => {
      for (const key of failedKeys) run(key);
    },
    settled: async () => {
      await Promise.all(running.values());
    },
  };
};
