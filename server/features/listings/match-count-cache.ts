import { LRUCache } from 'lru-cache';
import type { BusMessage } from '#contract/realtime.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { ListingFilter } from './filter.ts';

/**
 * Maximum age of a cached total, which limits how long it can be wrong after a lost invalidation.
 */
const maxAgeSeconds = 60;
const maxCachedMatchCounts = 10_000;

type PagesChangedMessage = Extract<BusMessage, { kind: 'pages_changed' }>;

interface CachedMatchCount {
  filter: ListingFilter;
  total: number;
  /** When the total expires, as Unix time in milliseconds. */
  until: number;
}

export interface MatchCountCache {
  /** Returns the cached number of listings that match a filter, or undefined when it is not cached. */
  find(filter: ListingFilter): number | undefined;
  /** Returns the result of `read` and caches its total, unless an invalidation arrived while it ran. */
  remember<Result extends { total: number }>(
    filter: ListingFilter,
    read: () => Promise<Result>,
  ): Promise<Result>;
  /** Returns the cached total or calls `count`; concurrent callers share one call. */
  count(filter: ListingFilter, count: () => Promise<number>): Promise<number>;
  /** Subscribes to the bus, to drop cached totals when listings change. Returns an unsubscribe function. */
  listen(): () => void;
}

const isTotalAffected = (
  { category, verified }: ListingFilter,
  { categories, user_ids }: PagesChangedMessage,
): boolean =>
  (category ? categories.includes(category) : categories.length > 0) ||
  // A profile change may have granted or removed the verified badge, which changes the totals of lists of verified
  // sellers.
  (verified === true && user_ids.length > 0);

/**
 * Creates a cache of the number of listings that match each filter. A bus message that invalidates
 * cached public pages also removes the affected totals (docs/decisions/0023).
 */
export const createMatchCountCache = (
  bus: Pick<Bus, 'subscribe'>,
  clock: Pick<Clock, 'now'>,
): MatchCountCache => {
  const cached = new LRUCache<string, CachedMatchCount>({ max: maxCachedMatchCounts });
  const counting = new Map<string, Promise<number>>();
  let invalidations = 0;

  const listen = (): (() => void) =>
    bus.subscribe(
      (announcement) => {
        if (announcement.kind !== 'pages_changed') return;
        invalidations += 1;
        counting.clear();
        for (const [key, { filter }] of [...cached.entries()])
          if (isTotalAffected(filter, announcement)) cached.delete(key);
      },
      () => {
        invalidations += 1;
        counting.clear();
        cached.clear();
      },
    );

  const find = (filter: ListingFilter): number | undefined => {
    const known = cached.get(JSON.stringify(filter));
    return known && clock.now().getTime() < known.until ? known.total : undefined;
  };

  const remember: MatchCountCache['remember'] = async (filter, read) => {
    const before = invalidations;
    const until = clock.now().getTime() + maxAgeSeconds * 1000;
    const result = await read();
    if (before === invalidations) cached.set(JSON.stringify(filter), { filter, total: result.total, until });
    return result;
  };

  const count: MatchCountCache['count'] = async (filter, countNow) => {
    const known = find(filter);
    if (known !== undefined) return known;
    const key = JSON.stringify(filter);
    const shared = counting.get(key);
    if (shared) return shared;
    const counted = remember(filter, async () => ({ total: await countNow() }))
      .then(({ total }) => total)
      .finally(() => {
        if (counting.get(key) === counted) counting.delete(key);
      });
    counting.set(key, counted);
    return counted;
  };

  return { find, remember, count, listen };
};
