import type { ConsoleOverview } from '#contract/console-overview.ts';
import { addSeconds } from '#server/platform/clock.ts';

/** How long the counts are cached, in seconds, because counting the rows of several weeks is slow. */
const maxAgeSeconds = 60;

/** Keeps the latest overview of the console in memory. */
export interface OverviewCache {
  /** Returns the cached overview if it is less than a minute old, and otherwise loads it. */
  get(now: Date, load: () => Promise<ConsoleOverview>): Promise<ConsoleOverview>;
}

export const createOverviewCache = (): OverviewCache => {
  let last: { overview: Promise<ConsoleOverview>; expiresAt: Date } | undefined;
  return {
    get: (now, load) => {
      if (last && now < last.expiresAt) return last.overview;
      const loaded = { overview: load(), expiresAt: addSeconds(now, maxAgeSeconds) };
      last = loaded;
      // Drop a failed load, so that the next call tries again.
      loaded.overview.catch(() => {
        if (last === loaded) last = undefined;
      });
      return loaded.overview;
    },
  };
};
