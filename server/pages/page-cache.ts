import { LRUCache } from 'lru-cache';
import { type Campus, campusDay } from '#contract/campus.ts';
import type { CacheKey, FindCacheKey } from '#contract/reads.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { type Encoding, encodings, finishPage, type Page } from './page.ts';
import { isAffected, type PageDependencies, type PagesChange } from './page-invalidation.ts';
import type { Render, RenderedPage } from './render.ts';

/** Maximum age of a page, because an invalidation may be lost. */
const maxAgeSeconds = 60;
/** Enough for about two thousand pages. Filtered pages and searches have their own budget and evict only each other. */
const plainBytes = 64 * 2 ** 20;
const narrowedBytes = 16 * 2 ** 20;
/** Memory of a page besides its encoded bodies. */
const overheadBytes = 4096;

interface CachedPage extends Page {
  dependencies: PageDependencies;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** A render in progress and the invalidations received since it started, whose old state it may have read. */
interface PendingRender {
  changes: (PagesChange | 'unknown')[];
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
  maxBytes?: { plain: number; narrowed: number };
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

const bytesOf = ({ encoded }: Page): number =>
  Object.values(encoded).reduce((sum, { body }) => sum + body.length, overheadBytes);

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
  maxBytes = { plain: plainBytes, narrowed: narrowedBytes },
}: PageCacheDeps): PageCache => {
  const createPool = (maxSize: number) =>
    new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: bytesOf });
  const plain = createPool(maxBytes.plain);
  const narrowed = createPool(maxBytes.narrowed);
  const pools = [plain, narrowed];
  const pendingRenders = new Set<PendingRender>();
  const joinable = new Map<string, Promise<Page>>();

  const recordChange = (change: PagesChange | 'unknown'): void => {
    for (const pending of pendingRenders) pending.changes.push(change);
    // Later requests must not join an outdated render.
    joinable.clear();
  };

  const unsubscribe = bus.subscribe(
    (announcement) => {
      if (announcement.kind !== 'pages_changed') return;
      recordChange(announcement);
      for (const pool of pools) {
        for (const [address, { dependencies }] of [...pool.entries()]) {
          if (isAffected(dependencies, announcement)) pool.delete(address);
        }
      }
    },
    () => {
      recordChange('unknown');
      for (const pool of pools) pool.clear();
    },
  );

  const isStillValid = (dependencies: PageDependencies, { changes }: PendingRender): boolean =>
    changes.every((change) => change !== 'unknown' && !isAffected(dependencies, change));

  /** Returns until when a page rendered at an instant stays correct by the clock; undefined when that is about to end. */
  const findExpiry = ({ today }: PageDependencies, startedAt: Date): number | undefined => {
    const end = secondsAfter(startedAt, maxAgeSeconds);
    const sameDay = !today || campusDay(campus, startedAt) === campusDay(campus, end);
    return sameDay ? end.getTime() : undefined;
  };

  const isCacheable = ({ status, headers }: RenderedPage): boolean =>
    status === 200 && headers['set-cookie'] === undefined;

  const renderAndCache = async ({ address, narrowed: isNarrowed }: CacheKey): Promise<Page> => {
    const pending: PendingRender = { changes: [] };
    pendingRenders.add(pending);
    try {
      const startedAt = clock.now();
      const rendered = await render(address);
      const cacheable = isCacheable(rendered);
      const page = await finishPage(rendered, protection, { cacheable, wanted: encodings });
      const expiresAt = findExpiry(rendered.dependencies, startedAt);
      if (cacheable && expiresAt !== undefined && isStillValid(rendered.dependencies, pending)) {
        (isNarrowed ? narrowed : plain).set(address, {
          ...page,
          dependencies: rendered.dependencies,
          expiresAt,
        });
      }
      return page;
    } finally {
      pendingRenders.delete(pending);
    }
  };

  const join = (key: CacheKey): Promise<Page> => {
    const { address } = key;
    const known = joinable.get(address);
    if (known) return known;
    const page = renderAndCache(key).finally(() => {
      if (joinable.get(address) === page) joinable.delete(address);
    });
    joinable.set(address, page);
    return page;
  };

  const find = (url: string): Page | undefined => {
    const page = plain.get(url) ?? narrowed.get(url);
    return page && clock.now().getTime() < page.expiresAt ? page : undefined;
  };

  return {
    find,
    load: async (url, wanted) => {
      const key = findCacheKey(url);
      if (!key) return finishPage(await render(url), protection, { cacheable: false, wanted: [wanted] });
      return find(key.address) ?? join(key);
    },
    size: () => plain.size + narrowed.size,
    close: unsubscribe,
  };
};
