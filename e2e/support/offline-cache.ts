import type { Page } from '@playwright/test';

/**
 * Returns all responses that the service worker has cached in this browser, grouped by cache name.
 * The names do not include the build id.
 */
export const listCachedResponses = (
  page: Page,
): Promise<Record<string, { address: string; text: string }[]>> =>
  page.evaluate(async () => {
    const stores: Record<string, { address: string; text: string }[]> = {};
    for (const name of await caches.keys()) {
      const store = await caches.open(name);
      const entries: { address: string; text: string }[] = [];
      for (const request of await store.keys()) {
        const answer = await store.match(request, { ignoreVary: true });
        const words = /text|json|javascript/.test(answer?.headers.get('content-type') ?? '');
        entries.push({
          address: request.url.slice(location.origin.length),
          text: words ? ((await answer?.text()) ?? '') : '',
        });
      }
      stores[name.replace(/-[0-9a-f]{12}$/, '')] = entries;
    }
    return stores;
  });

export const listCachedPaths = (
  page: Page,
  store: 'pages' | 'data' | 'photos' | 'screens',
): Promise<string[]> =>
  page.evaluate(async (prefix) => {
    const name = (await caches.keys()).find((it) => it.startsWith(prefix));
    const requests = name ? await (await caches.open(name)).keys() : [];
    return requests.map(({ url }) => url.slice(location.origin.length));
  }, `quad-${store}`);

export const waitForServiceWorker = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  });

/** Returns Workbox's records of when cached responses were last used, which it stores in IndexedDB. */
const listLastUses = (page: Page): Promise<{ url: string; cacheName: string; timestamp: number }[]> =>
  page.evaluate(async () => {
    const toResult = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await toResult(indexedDB.open('workbox-expiration'));
    const store = database.transaction('cache-entries').objectStore('cache-entries');
    const entries = await toResult(store.getAll());
    database.close();
    return entries;
  });

/** Returns the URLs of the pages whose last use is recorded. */
export const listUsedUrls = async (page: Page): Promise<string[]> =>
  (await listLastUses(page)).map(({ url }) => url);

/**
 * Returns when an entry of a cache was last marked as used, as Unix time in milliseconds, or 0 if none was.
 */
export const getLastUsedTime = async (page: Page, store: 'files' | 'pages'): Promise<number> => {
  const uses = (await listLastUses(page)).filter(({ cacheName }) => cacheName === `quad-${store}`);
  return Math.max(0, ...uses.map(({ timestamp }) => timestamp));
};
