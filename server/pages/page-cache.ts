import { LRUCache } from 'lru-cache';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { PageCacheKey, PageCacheKeyFinder } from '#contract/page-rendering.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { isPageAffected, type PageDataChange, type PageDependencies } from './page-invalidation.ts';
import { type ContentEncoding, contentEncodings, type PreparedPage, preparePage } from './page-response.ts';
import type { PageRenderer, RenderedPage } from './render.ts';

/** Maximum age of a cached page; limits how long a lost invalidation leaves a page outdated. */
const maxAgeSeconds = 60;
/**
 * Maximum size of all cached pages without filters. It is enough for about two thousand pages. Filtered pages
 * and searches have a separate limit and evict only each other.
 */
const maxUnfilteredCacheBytes = 64 * 2 ** 20;
const maxFilteredCacheBytes = 16 * 2 ** 20;
/** Estimated memory that a cached page uses in addition to its encoded bodies, in bytes. */
const pageOverheadBytes = 4096;

interface CachedPage extends PreparedPage {
  dependencies: PageDependencies;
  /** When the cached page expires, as Unix time in milliseconds. */
  expiresAt: number;
}

/**
 * A render in progress, with the invalidations received since it started. The render may have read
 * the data before these changes, so its result may already be outdated.
 */
interface PendingRender {
  changes: (PageDataChange | 'unknown')[];
}

interface PageCacheDeps {
  render: PageRenderer;
  findCacheKey: PageCacheKeyFinder;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  campus: Campus;
  /** The security headers sent with every page. */
  securityHeaders: Record<string, string>;
  /** Size of the cache in bytes; tests pass a smaller one. */
  maxBytes?: { unfiltered: number; filtered: number };
}

export interface PageCache {
  /** Returns the cached page at a URL, or undefined when it is missing or expired. */
  find(url: string): PreparedPage | undefined;
  /** Number of cached pages. */
  size(): number;
  /** Returns the page at a URL, cached or rendered. The page includes at least the requested encoding. */
  load(url: string, wanted: ContentEncoding): Promise<PreparedPage>;
  close(): void;
}

const getPageSize = ({ encoded }: PreparedPage): number =>
  Object.values(encoded).reduce((sum, { body }) => sum + body.length, pageOverheadBytes);

/**
 * Caches public pages in memory, encoded and ready to send, until the data they show changes. A
 * cached page is rendered from its URL alone, so it cannot contain anything about the visitor.
 */
export const createPageCache = ({
  render,
  findCacheKey,
  bus,
  clock,
  campus,
  securityHeaders,
  maxBytes = { unfiltered: maxUnfilteredCacheBytes, filtered: maxFilteredCacheBytes },
}: PageCacheDeps): PageCache => {
  const createPool = (maxSize: number) =>
    new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: getPageSize });
  const unfiltered = createPool(maxBytes.unfiltered);
  const filtered = createPool(maxBytes.filtered);
  const pools = [unfiltered, filtered];
  const pendingRenders = new Set<PendingRender>();
  const joinable = new Map<string, Promise<PreparedPage>>();

  const recordChange = (change: PageDataChange | 'unknown'): void => {
    for (const pending of pendingRenders) pending.changes.push(change);
    // Later requests must not join an outdated render.
    joinable.clear();
  };

  const dropAll = (): void => {
    recordChange('unknown');
    for (const pool of pools) pool.clear();
  };

  const unsubscribe = bus.subscribe((announcement) => {
    if (announcement.kind === 'announcement_changed') return dropAll();
    if (announcement.kind !== 'pages_changed') return;
    recordChange(announcement);
    for (const pool of pools) {
      for (const [address, { dependencies }] of [...pool.entries()]) {
        if (isPageAffected(dependencies, announcement)) pool.delete(address);
      }
    }
  }, dropAll);

  const isStillValid = (dependencies: PageDependencies, { changes }: PendingRender): boolean =>
    changes.every((change) => change !== 'unknown' && !isPageAffected(dependencies, change));

  /**
   * Returns when a page expires, as Unix time in milliseconds: after the maximum age, or when an announcement begins or
   * ends. Returns undefined when the page depends on the date and the campus day ends before the maximum age; such a
   * page is not cached.
   */
  const findExpiry = ({ today, until }: PageDependencies, startedAt: Date): number | undefined => {
    const end = addSeconds(startedAt, maxAgeSeconds);
    const sameDay = !today || toCampusDay(campus, startedAt) === toCampusDay(campus, end);
    if (!sameDay) return undefined;
    return Math.min(end.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY);
  };

  const isCacheable = ({ status, headers }: RenderedPage): boolean =>
    status === 200 && headers['set-cookie'] === undefined;

  const renderAndCache = async ({ address, isFiltered }: PageCacheKey): Promise<PreparedPage> => {
    const pending: PendingRender = { changes: [] };
    pendingRenders.add(pending);
    try {
      const startedAt = clock.now();
      const rendered = await render(address);
      const cacheable = isCacheable(rendered);
      const page = await preparePage(rendered, securityHeaders, { cacheable, wanted: contentEncodings });
      const expiresAt = findExpiry(rendered.dependencies, startedAt);
      if (cacheable && expiresAt !== undefined && isStillValid(rendered.dependencies, pending)) {
        (isFiltered ? filtered : unfiltered).set(address, {
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

  const join = (key: PageCacheKey): Promise<PreparedPage> => {
    const { address } = key;
    const known = joinable.get(address);
    if (known) return known;
    const page = renderAndCache(key).finally(() => {
      if (joinable.get(address) === page) joinable.delete(address);
    });
    joinable.set(address, page);
    return page;
  };

  const find = (url: string): PreparedPage | undefined => {
    const page = unfiltered.get(url) ?? filtered.get(url);
    return page && clock.now().getTime() < page.expiresAt ? page : undefined;
  };

  return {
    find,
    load: async (url, wanted) => {
      const key = findCacheKey(url);
      if (!key)
        return preparePage(await render(url), securityHeaders, { cacheable: false, wanted: [wanted] });
      return find(key.address) ?? join(key);
    },
    size: () => unfiltered.size + filtered.size,
    close: unsubscribe,
  };
};
