/** Work by key that never runs twice at once for the same key. */
export interface Coalesced {
  /** Runs the work; asked for during a run, it runs once more afterwards. */
  run(key: string): void;
  /** Runs again what failed. */
  retry(): void;
  /** Resolves when nothing runs. */
  settled(): Promise<void>;
}

/** `onError` hears of the first failure only, until everything that failed has succeeded. */
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
