/** Runs work that is identified by a key, so that two runs for the same key never overlap. */
export interface CoalescedRunner {
  /**
   * Runs the work for a key. If the work for this key is already running, it runs once more
   * afterwards, however many calls were made in the meantime.
   */
  run(key: string): void;
  /** Repeats the work for all keys whose last run failed. */
  retry(): void;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

/**
 * Wraps `work` so that two runs for the same key never overlap. Calls `onError` for the first
 * failure only; later failures are not reported until all failed keys have succeeded.
 */
export const coalesceByKey = (
  work: (key: string) => Promise<void>,
  onError: (error: unknown) => void,
): CoalescedRunner => {
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
