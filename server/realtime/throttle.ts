/** Lets each key pass at most once per interval. It keeps only the keys that passed within the last interval. */
export interface Throttle {
  pass(key: string): boolean;
  /** Number of keys that are kept. */
  size(): number;
}

/** Creates a throttle. `elapsed` returns the time in milliseconds on a monotonic clock. */
export const createThrottle = (intervalMs: number, elapsed: () => number): Throttle => {
  // In the order in which the keys passed.
  const passedAt = new Map<string, number>();
  return {
    pass: (key) => {
      const now = elapsed();
      for (const [passed, at] of passedAt) {
        if (now - at < intervalMs) break;
        passedAt.delete(passed);
      }
      if (passedAt.has(key)) return false;
      passedAt.set(key, now);
      return true;
    },
    size: () => passedAt.size,
  };
};
