/** Runs work by key, never concurrently for the same key. */
export interface Coalesced {
  /** Runs the work; a request during a run leads to one more run afterwards. */
  run(key: string): void;
  /** Runs again what failed. */
  retry(): void;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

/** `onError` is called for the first failure only, until all failed work has succeeded. */
export const coalesce = (
  work: (key: string) => Promise<void>,
  onError: (error: unknown) => void,
): Coalesced => {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const failed = new Set<string>();

  const loop = async (key: string): Promise<void> => {
    do {
      again.delete(key);
      try {
        await work(key);
        failed.delete(key);
      } catch (error) {
        if (failed.size === 0) onError(error);
        failed.add(key);
      }
    } while (again.has(key));
    running.delete(key);
  };

  const run = (key: string): void => {
    if (running.has(key)) again.add(key);
    else running.set(key, loop(key));
  };

  return {
    run,
    retry: () => {
      for (const key of failed) run(key);
    },
    settled: async () => {
      await Promise.all(running.values());
    },
  };
};
