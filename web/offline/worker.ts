/// <reference lib="webworker" />
/**
 * The service worker. It caches only public content: the built files, the documents of screens, pages with listings as
 * they were last seen, and their photos. It never handles private content: neither calls nor requests with a token.
 */
import { clientsClaim, type WorkboxPlugin } from 'workbox-core';
import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration';
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies';
import { offlinePaths } from '#contract/offline.ts';
import { textPages } from '#web/lib/links.ts';
import { cacheKeyOf, dataAddress, isListingPage, isPublicPage, pageOfData, screens } from './cached-pages.ts';
import type { WorkerMessage } from './messages.ts';

declare const self: ServiceWorkerGlobalScope;

/** Set by the build: its version, and every file that it produced. */
declare const builtFiles: readonly string[];
declare const buildName: string;

const prefix = 'quad-';
const names = {
  files: `${prefix}files`,
  photos: `${prefix}photos`,
  pages: `${prefix}pages`,
  // These two belong to one build, because data only fits the scripts of its own build.
  data: `${prefix}data-${buildName}`,
  screens: `${prefix}screens-${buildName}`,
};

const days = (count: number): number => count * 24 * 60 * 60;
const bounds = {
  // Holds several builds, so that a tab of an earlier build still finds the files that it loads later.
  files: { maxEntries: 600 },
  photos: { maxEntries: 150, maxAgeSeconds: days(7) },
  pages: { maxEntries: 60, maxAgeSeconds: days(7) },
};
/** How long the network may take before a cached page is shown, in seconds. */
const pageTimeoutSeconds = 5;
const screenTimeoutSeconds = 10;

const expire = (bound: { maxEntries: number; maxAgeSeconds?: number }) =>
  new ExpirationPlugin({ ...bound, purgeOnQuotaError: true }) as WorkboxPlugin;

const onlyWholeAndPublic: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => {
    const forbidden = /no-store|private/.test(response.headers.get('cache-control') ?? '');
    return response.status === 200 && !response.redirected && !forbidden ? response : null;
  },
};

const underOneName: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => cacheKeyOf(new URL(request.url)),
};

const matchOptions = { ignoreVary: true };

const files = new CacheFirst({
  cacheName: names.files,
  matchOptions,
  plugins: [onlyWholeAndPublic, expire(bounds.files)],
});
const photos = new CacheFirst({
  cacheName: names.photos,
  matchOptions,
  plugins: [onlyWholeAndPublic, expire(bounds.photos)],
});
const lastSeen = (cacheName: string, ...more: WorkboxPlugin[]) =>
  new NetworkFirst({
    cacheName,
    matchOptions,
    networkTimeoutSeconds: pageTimeoutSeconds,
    plugins: [onlyWholeAndPublic, underOneName, expire(bounds.pages), ...more],
  });

/** A page is loaded as a document or as data, and later possibly in the other form, so both are cached. */
const alsoAs = (form: NetworkFirst, addressIn: (kept: URL) => URL | undefined): WorkboxPlugin => ({
  cacheDidUpdate: async ({ request, event }) => {
    const address = addressIn(new URL(request.url));
    if (address) await keep(form, address, event).catch(() => {});
  },
});
const pagesAlone = lastSeen(names.pages);
const dataAlone = lastSeen(names.data);
const pages = lastSeen(
  names.pages,
  alsoAs(dataAlone, (page) => (isListingPage(page.pathname) ? dataAddress(page) : undefined)),
);
const data = lastSeen(names.data, alsoAs(pagesAlone, pageOfData));

/** Fetches with low priority and caches. Throws when there is nothing to cache. */
const keep = async (
  strategy: CacheFirst | NetworkFirst,
  address: URL | string,
  event: ExtendableEvent,
): Promise<void> => {
  const request = new Request(address, { priority: 'low' });
  const [answer, done] = strategy.handleAll({ event, request });
  // Both are awaited, so that neither failure is lost.
  const [{ ok }] = await Promise.all([answer, done]);
  if (!ok) throw new Error(`${request.url} could not be kept`);
};

/** The home page and all text pages are cached with the screens, whether or not they were visited. */
const keepScreens = async (): Promise<void> => {
  const cache = await caches.open(names.screens);
  for (const path of [offlinePaths.page, '/', ...textPages, ...screens]) {
    const answer = await fetch(path, { cache: 'no-cache', priority: 'low' });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await cache.put(path, answer);
  }
};

// Sequentially, so that the person's own requests have priority.
const install = async (event: ExtendableEvent): Promise<void> => {
  for (const file of builtFiles) await keep(files, file, event);
  await keepScreens();
  await self.skipWaiting();
};

const dropOthers = async (): Promise<void> => {
  const present: readonly string[] = Object.values(names);
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && !present.includes(name));
  await Promise.all(others.map((name) => caches.delete(name)));
};

const forget = async (): Promise<void> => {
  for (const name of [names.pages, names.data, names.photos]) {
    await caches.delete(name);
    // Also deletes its list of entries.
    await new CacheExpiration(name, { maxEntries: 1 }).delete();
  }
};

self.addEventListener('install', (event) => event.waitUntil(install(event)));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage;
  if ('forget' in message) event.waitUntil(forget());
  else if (isPublicPage(new URL(message.keep).pathname)) {
    event.waitUntil(keep(pages, message.keep, event).catch(() => {}));
  }
});
enableNavigationPreload();
clientsClaim();

const withToken = (request: Request): boolean => request.headers.has('authorization');
const navigates = ({ request }: { request: Request }): boolean => request.mode === 'navigate';

registerRoute(
  ({ sameOrigin, url, request }) => sameOrigin && url.pathname.startsWith('/assets/') && !withToken(request),
  files,
);
registerRoute(
  ({ sameOrigin, url, request }) =>
    sameOrigin &&
    url.pathname.startsWith('/storage/v1/object/public/') &&
    request.destination === 'image' &&
    !withToken(request) &&
    // Photos on private screens, such as those of drafts, are not cached.
    URL.canParse(request.referrer) &&
    isListingPage(new URL(request.referrer).pathname),
  photos,
);
registerRoute(({ sameOrigin, url, request }) => {
  // Speculative prefetches are not cached.
  if (!sameOrigin || withToken(request) || request.mode === 'no-cors') return false;
  const page = pageOfData(url);
  return page !== undefined && isListingPage(page.pathname);
}, data);
registerRoute(({ url, request }) => navigates({ request }) && isPublicPage(url.pathname), pages);
registerRoute(
  ({ url, request }) => navigates({ request }) && screens.includes(url.pathname),
  new NetworkOnly({ networkTimeoutSeconds: screenTimeoutSeconds }),
);
registerRoute(navigates, new NetworkOnly());

setCatchHandler(async ({ request, url }) => {
  if (!navigates({ request })) return Response.error();
  const cache = await caches.open(names.screens);
  const path = (url ?? new URL(request.url)).pathname;
  return (
    (await cache.match(path, matchOptions)) ??
    (await cache.match(offlinePaths.page, matchOptions)) ??
    Response.error()
  );
});
