/// <reference lib="webworker" />
/**
 * The service worker. It caches only public content: the built files, the documents of screens,
 * pages with listings as they were last seen, and their photos. It never handles private content:
 * neither API calls nor requests with an access token. It also shows push notifications.
 */

import { clientsClaim, type WorkboxPlugin } from 'workbox-core';
import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration';
import { enable as enableNavigationPreload } from 'workbox-navigation-preload';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies';
import { offlinePaths } from '#contract/pwa.ts';
import { findCacheKey } from '#web/cache-key.ts';
import { links, textPagePaths } from '#web/lib/links.ts';
import { parseUrl } from '#web/lib/parse-url.ts';
import type { MessageToServiceWorker } from '#web/lib/service-worker-messages.ts';
import {
  appShellPaths,
  isPageWithListings,
  isPublicPage,
  toCacheKey,
  toPageDataUrl,
  toPageUrl,
} from './cached-pages.ts';
import { createMissingPagePlugin } from './missing-pages.ts';
import { createOutdatedPageReports } from './outdated-pages.ts';
import { endPushNotifications, listenToPushEvents } from './push-events.ts';

declare const self: ServiceWorkerGlobalScope;

/** Constants inserted by the build: the URLs of all files that it produced, and its version. */
declare const builtFiles: readonly string[];
declare const buildName: string;

const cacheNamePrefix = 'quad-';
const cacheNames = {
  files: `${cacheNamePrefix}files`,
  photos: `${cacheNamePrefix}photos`,
  pages: `${cacheNamePrefix}pages`,
  // Each build has its own caches for data and screens, because data and screens only work with the scripts
  // of their own build.
  data: `${cacheNamePrefix}data-${buildName}`,
  screens: `${cacheNamePrefix}screens-${buildName}`,
};

const daysInSeconds = (count: number): number => count * 24 * 60 * 60;
const cacheLimits = {
  // The cache has room for the files of several builds, so that open tabs of an earlier build can still
  // load theirs.
  files: { maxEntries: 600 },
  photos: { maxEntries: 150, maxAgeSeconds: daysInSeconds(7) },
  pages: { maxEntries: 60, maxAgeSeconds: daysInSeconds(7) },
};
/** Time in seconds to wait for the network before the cached page or screen is used. */
const pageTimeoutSeconds = 5;
const screenTimeoutSeconds = 10;

const createExpirationPlugin = (limits: { maxEntries: number; maxAgeSeconds?: number }) =>
  new ExpirationPlugin({ ...limits, purgeOnQuotaError: true }) as WorkboxPlugin &
    Required<Pick<WorkboxPlugin, 'cacheDidUpdate'>>;

const publicResponsesOnlyPlugin: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => {
    const forbidden = /no-store|private/.test(response.headers.get('cache-control') ?? '');
    return response.status === 200 && !response.redirected && !forbidden ? response : null;
  },
};

const canonicalCacheKeyPlugin: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => toCacheKey(new URL(request.url)),
};

const cacheMatchOptions = { ignoreVary: true };

const createFilesStrategy = (expirationPlugin: WorkboxPlugin) =>
  new CacheFirst({
    cacheName: cacheNames.files,
    matchOptions: cacheMatchOptions,
    plugins: [publicResponsesOnlyPlugin, expirationPlugin],
  });
const filesExpirationPlugin = createExpirationPlugin(cacheLimits.files);
/** Used during the installation. Marks every file of this build as used, so that files of older builds expire first. */
const installFilesStrategy = createFilesStrategy(filesExpirationPlugin);
// Files that pages request are marked as used only when they are stored. A page may consist of a hundred files,
// and marking each of them at every visit would write to IndexedDB a hundred times while the page starts.
const filesStrategy = createFilesStrategy({ cacheDidUpdate: filesExpirationPlugin.cacheDidUpdate });
const photosStrategy = new CacheFirst({
  cacheName: cacheNames.photos,
  matchOptions: cacheMatchOptions,
  plugins: [publicResponsesOnlyPlugin, createExpirationPlugin(cacheLimits.photos)],
});
const missingPagePlugin = createMissingPagePlugin(caches, cacheNames);
const createNetworkFirstStrategy = (cacheName: string, ...more: WorkboxPlugin[]) =>
  new NetworkFirst({
    cacheName,
    matchOptions: cacheMatchOptions,
    networkTimeoutSeconds: pageTimeoutSeconds,
    plugins: [
      // Comes first, because Workbox asks no further plugin about a response that one has refused.
      missingPagePlugin,
      publicResponsesOnlyPlugin,
      canonicalCacheKeyPlugin,
      createExpirationPlugin(cacheLimits.pages),
      ...more,
    ],
  });

/**
 * Creates a plugin that, when a page's HTML document is cached, also caches the page's data, and vice
 * versa. Navigations inside the app fetch the data, and full page loads fetch the document, so a page that
 * was visited in one way can be opened offline in the other.
 */
const createCounterpartPlugin = (
  otherStrategy: NetworkFirst,
  toOtherUrl: (url: URL) => URL | undefined,
): WorkboxPlugin => ({
  cacheDidUpdate: async ({ request, event }) => {
    const address = toOtherUrl(new URL(request.url));
    if (address) await fetchAndCache(otherStrategy, address, event).catch(() => {});
  },
});
const pagesOnlyStrategy = createNetworkFirstStrategy(cacheNames.pages);
const dataOnlyStrategy = createNetworkFirstStrategy(cacheNames.data);
const outdatedPageReports = createOutdatedPageReports(self);
const pagesStrategy = createNetworkFirstStrategy(
  cacheNames.pages,
  outdatedPageReports.plugin,
  createCounterpartPlugin(dataOnlyStrategy, (page) =>
    isPageWithListings(page.pathname) ? toPageDataUrl(page) : undefined,
  ),
);
const dataStrategy = createNetworkFirstStrategy(
  cacheNames.data,
  outdatedPageReports.plugin,
  createCounterpartPlugin(pagesOnlyStrategy, toPageUrl),
);

/** Fetches a URL with low priority and caches the response. Throws if the response is not successful. */
const fetchAndCache = async (
  strategy: CacheFirst | NetworkFirst,
  address: URL | string,
  event: ExtendableEvent,
): Promise<void> => {
  const request = new Request(address, { priority: 'low' });
  const [responsePromise, done] = strategy.handleAll({ event, request });
  // Await both promises, so that a rejection of either one is handled.
  const [{ ok }] = await Promise.all([responsePromise, done]);
  if (!ok) throw new Error(`${request.url} could not be cached`);
};

/** Caches the documents of all screens, text pages, the home page and /browse, even if they were never visited. */
const precacheScreens = async (): Promise<void> => {
  const cache = await caches.open(cacheNames.screens);
  for (const path of [offlinePaths.page, links.home, links.browse, ...textPagePaths, ...appShellPaths]) {
    const response = await fetch(path, { cache: 'no-cache', priority: 'low' });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    await cache.put(path, response);
  }
};

// Files are fetched one at a time, so that the requests of the open page have priority.
const installWorker = async (event: ExtendableEvent): Promise<void> => {
  for (const file of builtFiles) await fetchAndCache(installFilesStrategy, file, event);
  await precacheScreens();
  await self.skipWaiting();
};

const deleteOutdatedCaches = async (): Promise<void> => {
  const currentNames: readonly string[] = Object.values(cacheNames);
  const outdatedNames = (await caches.keys()).filter(
    (name) => name.startsWith(cacheNamePrefix) && !currentNames.includes(name),
  );
  await Promise.all(outdatedNames.map((name) => caches.delete(name)));
};

const deleteBrowsingCaches = async (): Promise<void> => {
  for (const name of [cacheNames.pages, cacheNames.data, cacheNames.photos]) {
    await caches.delete(name);
    // Workbox stores the list of the cache's entries outside the cache, so delete that list too.
    await new CacheExpiration(name, { maxEntries: 1 }).delete();
  }
};

self.addEventListener('install', (event) => event.waitUntil(installWorker(event)));
self.addEventListener('activate', (event) => event.waitUntil(deleteOutdatedCaches()));
self.addEventListener('message', (event) => {
  const message = event.data as MessageToServiceWorker;
  if ('forget' in message) event.waitUntil(Promise.all([deleteBrowsingCaches(), endPushNotifications(self)]));
  else if ('isOutdated' in message) event.waitUntil(outdatedPageReports.report((event.source as Client).id));
  else if (isPublicPage(new URL(message.keep).pathname)) {
    event.waitUntil(fetchAndCache(pagesStrategy, message.keep, event).catch(() => {}));
  }
});
listenToPushEvents(self);
enableNavigationPreload();
clientsClaim();

/** URL prefix of the console's scripts, which are not cached, because the console needs a connection. */
const consoleAssetsPath = '/assets/console-';

const hasAuthorizationHeader = (request: Request): boolean => request.headers.has('authorization');
const isNavigationRequest = ({ request }: { request: Request }): boolean => request.mode === 'navigate';

registerRoute(
  ({ sameOrigin, url, request }) =>
    sameOrigin &&
    url.pathname.startsWith('/assets/') &&
    !url.pathname.startsWith(consoleAssetsPath) &&
    !hasAuthorizationHeader(request),
  filesStrategy,
);
registerRoute(
  ({ sameOrigin, url, request }) =>
    sameOrigin &&
    url.pathname.startsWith('/storage/v1/object/public/') &&
    request.destination === 'image' &&
    !hasAuthorizationHeader(request) &&
    // Photos are cached only for public pages, not for private screens, which may contain photos of drafts.
    isPageWithListings(parseUrl(request.referrer)?.pathname ?? ''),
  photosStrategy,
);
registerRoute(({ sameOrigin, url, request }) => {
  // The router's link prefetches, which have the mode `no-cors`, are not cached.
  if (!sameOrigin || hasAuthorizationHeader(request) || request.mode === 'no-cors') return false;
  const page = toPageUrl(url);
  return page !== undefined && isPageWithListings(page.pathname);
}, dataStrategy);
registerRoute(
  ({ url, request }) => isNavigationRequest({ request }) && isPublicPage(url.pathname),
  pagesStrategy,
);
registerRoute(
  ({ url, request }) => isNavigationRequest({ request }) && appShellPaths.includes(url.pathname),
  new NetworkOnly({ networkTimeoutSeconds: screenTimeoutSeconds }),
);
registerRoute(isNavigationRequest, new NetworkOnly());

setCatchHandler(async ({ event, request, url = new URL(request.url) }) => {
  if (!isNavigationRequest({ request })) return Response.error();
  const cache = await caches.open(cacheNames.screens);
  // The precached document of a page with listings is unfiltered, so only a URL without filters may show it.
  const { address = url.pathname } = findCacheKey(url.pathname + url.search) ?? {};
  const screen = await cache.match(address, cacheMatchOptions);
  if (screen && isPageWithListings(url.pathname)) outdatedPageReports.mark(event as FetchEvent, url);
  return screen ?? (await cache.match(offlinePaths.page, cacheMatchOptions)) ?? Response.error();
});
