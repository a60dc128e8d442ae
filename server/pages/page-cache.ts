import { LRUCache } from 'lru-cache';
import type { PageCacheKey, PageCacheKeyFinder } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import { buildSecurityHeaders } from '#server/http/security-headers.ts';
import { addSeconds, getEndOfDay } from '#server/platform/clock.ts';
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

interface PageCacheOptions {
  render: PageRenderer;
  findCacheKey: PageCacheKeyFinder;
  /** Size of the cache in bytes; tests pass a smaller one. */
  maxBytes?: { unfiltered: number; filtered: number };
}

export interface PageCache {
  /** Returns the cached page at a URL, or undefined when it is missing or expired. */
  find(url: string): PreparedPage | undefined;
  size(): number;
  /** Returns the page at a URL, cached or rendered. The page includes at least the requested encoding. */
  load(url: string, wanted: ContentEncoding): Promise<PreparedPage>;
  close(): void;
}

interface CacheState {
  readonly app: App;
  readonly render: PageRenderer;
  readonly securityHeaders: Record<string, string>;
  readonly unfiltered: LRUCache<string, CachedPage>;
  readonly filtered: LRUCache<string, CachedPage>;
  readonly pendingRenders: Set<PendingRender>;
  /** The renders that further requests for the same page join, by its address. */
  readonly joinable: Map<string, Promise<PreparedPage>>;
}

const getPageSize = ({ encoded }: PreparedPage): number =>
  Object.values(encoded).reduce((sum, { body }) => sum + body.length, pageOverheadBytes);

const createPool = (maxSize: number) =>
  new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: getPageSize });

const recordChange = ({ pendingRenders, joinable }: CacheState, change: PageDataChange | 'unknown'): void => {
  for (const pending of pendingRenders) pending.changes.push(change);
  // Later requests must not join an outdated render.
  joinable.clear();
};

const dropAll = (state: CacheState): void => {
  recordChange(state, 'unknown');
  state.unfiltered.clear();
  state.filtered.clear();
};

const dropAffected = (state: CacheState, change: PageDataChange): void => {
  recordChange(state, change);
  for (const pool of [state.unfiltered, state.filtered]) {
    for (const [address, { dependencies }] of [...pool.entries()]) {
      if (isPageAffected(dependencies, change)) pool.delete(address);
    }
  }
};

/** Drops pages when their data changes; returns an unsubscribe function. */
const followChanges = (state: CacheState): (() => void) =>
  state.app.bus.subscribe(
    (message) => {
      if (message.kind === 'announcement_changed') dropAll(state);
      else if (message.kind === 'pages_changed') dropAffected(state, message);
    },
    () => dropAll(state),
  );

const isStillValid = (dependencies: PageDependencies, { changes }: PendingRender): boolean =>
  changes.every((change) => change !== 'unknown' && !isPageAffected(dependencies, change));

/**
 * Returns when a page expires, as Unix time in milliseconds: after the maximum age, when an announcement begins or ends,
 * or, if the page depends on the date, when the campus day ends.
 */
const findExpiry = (
  { config: { campus } }: App,
  { today, until }: PageDependencies,
  startedAt: Date,
): number =>
  Math.min(
    addSeconds(startedAt, maxAgeSeconds).getTime(),
    until?.getTime() ?? Number.POSITIVE_INFINITY,
    today ? getEndOfDay(startedAt, campus.timezone).getTime() : Number.POSITIVE_INFINITY,
  );

const isCacheable = ({ status, headers }: RenderedPage, { isMissing }: PageCacheKey): boolean =>
  status === (isMissing ? 404 : 200) && headers['set-cookie'] === undefined;

const renderAndCache = async (state: CacheState, key: PageCacheKey): Promise<PreparedPage> => {
  const { address, isFiltered } = key;
  const { app, render, securityHeaders, pendingRenders } = state;
  const pending: PendingRender = { changes: [] };
  pendingRenders.add(pending);
  try {
    const startedAt = app.clock.now();
    const rendered = await render(address);
    const { dependencies } = rendered;
    const cacheable = isCacheable(rendered, key);
    const page = await preparePage(rendered, securityHeaders, { cacheable, wanted: contentEncodings });
    const expiresAt = findExpiry(app, dependencies, startedAt);
    if (cacheable && isStillValid(dependencies, pending)) {
      const pool = isFiltered ? state.filtered : state.unfiltered;
      pool.set(address, { ...page, dependencies, expiresAt });
    }
    return page;
  } finally {
    pendingRenders.delete(pending);
  }
};

const joinRender = (state: CacheState, key: PageCacheKey): Promise<PreparedPage> => {
  const { joinable } = state;
  const { address } = key;
  const known = joinable.get(address);
  if (known) return known;
  const page = renderAndCache(state, key).finally(() => {
    if (joinable.get(address) === page) joinable.delete(address);
  });
  joinable.set(address, page);
  return page;
};

const findCached = ({ app, unfiltered, filtered }: CacheState, address: string): PreparedPage | undefined => {
  const page = unfiltered.get(address) ?? filtered.get(address);
  return page && app.clock.now().getTime() < page.expiresAt ? page : undefined;
};

/**
 * Caches public pages in memory, encoded and ready to send, until the data they show changes. A
 * cached page is rendered from its URL alone, so it cannot contain anything about the visitor.
 */
export const createPageCache = (
  app: App,
  {
    render,
    findCacheKey,
    maxBytes = { unfiltered: maxUnfilteredCacheBytes, filtered: maxFilteredCacheBytes },
  }: PageCacheOptions,
): PageCache => {
  const state: CacheState = {
    app,
    render,
    securityHeaders: buildSecurityHeaders(app.config.publicUrl),
    unfiltered: createPool(maxBytes.unfiltered),
    filtered: createPool(maxBytes.filtered),
    pendingRenders: new Set(),
    joinable: new Map(),
  };
  return {
    find: (url) => findCached(state, url),
    load: async (url, wanted) => {
      const key = findCacheKey(url);
      if (key) return findCached(state, key.address) ?? joinRender(state, key);
      return preparePage(await render(url), state.securityHeaders, { cacheable: false, wanted: [wanted] });
    },
    size: () => state.unfiltered.size + state.filtered.size,
    close: followChanges(state),
  };
};
