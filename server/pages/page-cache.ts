import { LRUCache } from 'lru-cache';
import { type Campus, campusDay } from '#contract/campus.ts';
import type { CacheKey, FindCacheKey } from '#contract/reads.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { type Encoding, encodings } from './encodings.ts';
import { finishPage, type Page } from './page.ts';
import { isAffected, type PageDependencies, type PagesChange } from './page-dependencies.ts';
import type { Render, RenderedPage } from './render.ts';

/** Maximum age of a page, because an invalidation may be lost. */
const keptSeconds = 60;
/** Enough for about two thousand pages. Filtered pages and searches have their own budget and evict only each other. */
const plainBytes = 64 * 2 ** 20;
const narrowedBytes = 16 * 2 ** 20;
/** Memory of a page besides its encoded bodies. */
const overheadBytes = 4096;

interface CachedPage extends Page {
  shown: PageDependencies;
  /** In milliseconds since 1970. */
  until: number;
}

/** A render in progress and the invalidations received since it started, whose old state it may have read. */
interface Making {
  missed: (PagesChange | 'unknown')[];
}

interface PageCacheDeps {
  render: Render;
  findCacheKey: FindCacheKey;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  campus: Campus;
  /** Headers of every response. */
  protection: Record<string, string>;
  /** Size of the cache in bytes; tests pass a smaller one. */
  room?: { plain: number; narrowed: number };
}

export interface PageCache {
  /** Returns a cached page synchronously. */
  find(url: string): Page | undefined;
  /** Number of cached pages. */
  size(): number;
  /** Returns the page at a URL, cached or rendered, in at least the requested encoding. */
  load(url: string, wanted: Encoding): Promise<Page>;
  close(): void;
}

const bytesOf = ({ forms }: Page): number =>
  Object.values(forms).reduce((sum, { body }) => sum + body.length, overheadBytes);

/**
 * Caches public pages in memory, in the form they are sent, until something they show changes. A cached page is rendered
 * from its URL alone, so it cannot contain anything about the visitor.
 */
export const createPageCache = ({
  render,
  findCacheKey,
  bus,
  clock,
  campus,
  protection,
  room = { plain: plainBytes, narrowed: narrowedBytes },
}: PageCacheDeps): PageCache => {
  const createPool = (maxSize: number) =>
    new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: bytesOf });
  const plain = createPool(room.plain);
  const narrowed = createPool(room.narrowed);
  const pools = [plain, narrowed];
  const underway = new Set<Making>();
  const joinable = new Map<string, Promise<Page>>();

  const miss = (change: PagesChange | 'unknown'): void => {
    for (const making of underway) making.missed.push(change);
    // Later requests must not join an outdated render.
    joinable.clear();
  };

  const stopHearing = bus.subscribe(
    (announcement) => {
      if (announcement.kind !== 'pages_changed') return;
      miss(announcement);
      for (const pool of pools) {
        for (const [address, { shown }] of [...pool.entries()]) {
          if (isAffected(shown, announcement)) pool.delete(address);
        }
      }
    },
    () => {
      miss('unknown');
      for (const pool of pools) pool.clear();
    },
  );

  const staysTrue = (shown: PageDependencies, { missed }: Making): boolean =>
    missed.every((change) => change !== 'unknown' && !isAffected(shown, change));

  /** Returns until when a page rendered at an instant stays correct by the clock; undefined when that is about to end. */
  const untilOf = ({ today }: PageDependencies, begun: Date): number | undefined => {
    const end = secondsAfter(begun, keptSeconds);
    const sameDay = !today || campusDay(campus, begun) === campusDay(campus, end);
    return sameDay ? end.getTime() : undefined;
  };

  const isKeepable = ({ status, headers }: RenderedPage): boolean =>
    status === 200 && headers['set-cookie'] === undefined;

  const make = async ({ address, narrowed: isNarrowed }: CacheKey): Promise<Page> => {
    const making: Making = { missed: [] };
    underway.add(making);
    try {
      const begun = clock.now();
      const rendered = await render(address);
      const keepable = isKeepable(rendered);
      const page = await finishPage(rendered, protection, { keep: keepable, wanted: encodings });
      const until = untilOf(rendered.shown, begun);
      if (keepable && until !== undefined && staysTrue(rendered.shown, making)) {
        (isNarrowed ? narrowed : plain).set(address, { ...page, shown: rendered.shown, until });
      }
      return page;
    } finally {
      underway.delete(making);
    }
  };

  const join = (kept: CacheKey): Promise<Page> => {
    const { address } = kept;
    const known = joinable.get(address);
    if (known) return known;
    const page = make(kept).finally(() => {
      if (joinable.get(address) === page) joinable.delete(address);
    });
    joinable.set(address, page);
    return page;
  };

  const find = (url: string): Page | undefined => {
    const page = plain.get(url) ?? narrowed.get(url);
    return page && clock.now().getTime() < page.until ? page : undefined;
  };

  return {
    find,
    load: async (url, wanted) => {
      const kept = findCacheKey(url);
      if (!kept) return finishPage(await render(url), protection, { keep: false, wanted: [wanted] });
      return find(kept.address) ?? join(kept);
    },
    size: () => plain.size + narrowed.size,
    close: stopHearing,
  };
};
