import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Category } from '#contract/categories.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createStubApp } from '#server/testing/stub-app.ts';
import { createPageCache } from './page-cache.ts';
import { invalidateListingPages, type PageDependencies } from './page-invalidation.ts';
import type { RenderedPage } from './render.ts';

const createEmptyDependencies = (): PageDependencies => ({
  listings: new Set(),
  people: new Set(),
  lists: new Set(),
  today: false,
  until: undefined,
});

/**
 * Creates a cache whose renders the test can pause and finish; the text of each page contains its
 * render number.
 */
const createTestCache = (options: { maxBytes?: { unfiltered: number; filtered: number } } = {}) => {
  const clock = createTestClock();
  const bus = createInProcessBus();
  let gap = () => {};
  const pending: (() => void)[] = [];
  let renderCount = 0;
  let paused = false;
  const dependencies = createEmptyDependencies();
  const overrides: Partial<RenderedPage> = {};
  const app = createStubApp({
    clock,
    bus: {
      ...bus,
      subscribe: (listener, onGap) => {
        gap = onGap ?? gap;
        return bus.subscribe(listener, onGap);
      },
    },
  });
  const cache = createPageCache(app, {
    render: async (path) => {
      renderCount += 1;
      const body = `${path} ${renderCount}`;
      if (paused) await new Promise<void>((done) => pending.push(done));
      return { status: 200, headers: {}, body, dependencies, ...overrides };
    },
    // Each path is its own cache key. A path with a query counts as a filtered page; /private is not cached.
    findCacheKey: (url) =>
      url.startsWith('/private')
        ? undefined
        : { address: url, isFiltered: url.includes('?'), isMissing: url === '/*' },
    ...options,
  });
  const textOf = async (path: string) => {
    const page = cache.find(path) ?? (await cache.load(path, 'identity'));
    return page.encoded.identity?.body.toString();
  };
  const finish = async () => {
    // Wait one turn of the event loop, because the render starts in a later task than the request for the
    // page.
    await new Promise((done) => setImmediate(done));
    for (const done of pending.splice(0)) done();
  };
  return {
    clock,
    invalidateListing: (id: string, categories: readonly Category[]) =>
      invalidateListingPages(app, id, categories),
    cache,
    dependencies,
    overrides,
    textOf,
    finish,
    pauseRenders: (pause: boolean) => {
      paused = pause;
    },
    notifyGap: () => gap(),
    renderCount: () => renderCount,
  };
};

test('renders a page once and then serves it from the cache', async () => {
  const { textOf, renderCount } = createTestCache();
  expect(await textOf('/')).toBe('/ 1');
  expect(await textOf('/')).toBe('/ 1');
  expect(renderCount()).toBe(1);
});

test('renders once for a hundred concurrent requests', async () => {
  const { textOf, pauseRenders, finish, renderCount } = createTestCache();
  pauseRenders(true);
  const requests = Array.from({ length: 100 }, () => textOf('/'));
  await finish();
  expect(new Set(await Promise.all(requests))).toEqual(new Set(['/ 1']));
  expect(renderCount()).toBe(1);
});

test('renders again on the next request after a failure', async () => {
  const { textOf, overrides } = createTestCache();
  Object.defineProperty(overrides, 'status', {
    configurable: true,
    enumerable: true,
    get: () => {
      throw new Error('cannot');
    },
  });
  await expect(textOf('/')).rejects.toThrow('cannot');
  Reflect.deleteProperty(overrides, 'status');
  expect(await textOf('/')).toBe('/ 2');
});

test('does not cache or share a render that started before its dependencies changed', async () => {
  const { textOf, pauseRenders, finish, invalidateListing, dependencies } = createTestCache();
  const listing = randomUUID();
  dependencies.listings.add(listing);
  pauseRenders(true);
  const early = textOf('/');
  await new Promise((done) => setImmediate(done));
  await invalidateListing(listing, []);
  const late = textOf('/');
  await finish();
  expect(await early).toBe('/ 1');
  expect(await late).toBe('/ 2');
  pauseRenders(false);
  expect(await textOf('/')).toBe('/ 2');
});

test('caches a page when something else changes while it is rendered', async () => {
  const { textOf, pauseRenders, finish, invalidateListing, dependencies, renderCount } = createTestCache();
  dependencies.listings.add(randomUUID());
  pauseRenders(true);
  const page = textOf('/');
  await new Promise((done) => setImmediate(done));
  await invalidateListing(randomUUID(), ['kitchen']);
  await finish();
  await page;
  expect(await textOf('/')).toBe('/ 1');
  expect(renderCount()).toBe(1);
});

test('drops all pages, also those being rendered, after a gap in the announcements', async () => {
  const { textOf, pauseRenders, finish, notifyGap, renderCount } = createTestCache();
  await textOf('/');
  pauseRenders(true);
  const page = textOf('/other');
  await new Promise((done) => setImmediate(done));
  notifyGap();
  pauseRenders(false);
  await finish();
  await page;
  await textOf('/');
  await textOf('/other');
  expect(renderCount()).toBe(4);
});

test('serves a page for at most a minute when an invalidation is lost', async () => {
  const { textOf, clock } = createTestCache();
  await textOf('/');
  clock.advance(59);
  expect(await textOf('/')).toBe('/ 1');
  clock.advance(1);
  expect(await textOf('/')).toBe('/ 2');
});

test('does not cache pages that depend on the date beyond midnight on campus', async () => {
  const { textOf, clock, dependencies } = createTestCache();
  const halfAMinuteBefore = new Date('2026-03-03T07:59:30Z');
  for (const today of [true, false]) {
    dependencies.today = today;
    clock.set(halfAMinuteBefore);
    await textOf(`/${today}`);
    clock.advance(29);
    await textOf(`/${today}`);
    clock.advance(1);
    await textOf(`/${today}`);
  }
  expect(await textOf('/true')).toBe('/true 2');
  expect(await textOf('/false')).toBe('/false 3');
});

test.each([
  ['is missing', { status: 404 }],
  ['has failed', { status: 500 }],
  ['redirects', { status: 302 }],
  ['sets a cookie', { headers: { 'set-cookie': 'a=b' } }],
])('does not cache a page that %s', async (_what, override) => {
  const { textOf, overrides, renderCount } = createTestCache();
  Object.assign(overrides, override);
  await textOf('/');
  await textOf('/');
  expect(renderCount()).toBe(2);
});

test('caches the page of URLs without a page only with status 404', async () => {
  const { textOf, overrides } = createTestCache();
  for (const status of [200, 500]) {
    overrides.status = status;
    await textOf('/*');
  }
  overrides.status = 404;
  expect(await textOf('/*')).toBe('/* 3');
  expect(await textOf('/*')).toBe('/* 3');
});

test('renders a page without a cache key for every request', async () => {
  const { textOf, renderCount } = createTestCache();
  await Promise.all([textOf('/private'), textOf('/private')]);
  await textOf('/private');
  expect(renderCount()).toBe(3);
});

test('limits the size of the cache; search pages evict only other search pages', async () => {
  const { cache, textOf } = createTestCache({ maxBytes: { unfiltered: 50_000, filtered: 50_000 } });
  await textOf('/');
  for (let number = 0; number < 500; number += 1) await textOf(`/search?q=${number}`);
  expect(await textOf('/')).toBe('/ 1');
  expect(cache.find('/search?q=0')).toBeUndefined();
  const remaining = Array.from({ length: 500 }, (_, number) => cache.find(`/search?q=${number}`)).filter(
    Boolean,
  );
  expect(remaining.length).toBeGreaterThan(5);
  expect(remaining.length).toBeLessThan(13);
});
