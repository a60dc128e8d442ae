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

/** Returns the paths of all responses in one cache. */
export const listCachedPaths = async (page: Page, store: 'pages' | 'data' | 'photos'): Promise<string[]> =>
  ((await listCachedResponses(page))[`quad-${store}`] ?? []).map(({ address }) => address);

/** Waits until the service worker controls the page. */
export const waitForServiceWorker = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  });

/**
 * Returns when an entry of a cache was last marked as used, as Unix time in milliseconds, or 0 if none was. Workbox
 * stores these times in IndexedDB.
 */
export const getLastUsedTime = (page: Page, store: 'files' | 'pages'): Promise<number> =>
  page.evaluate(async (cacheName) => {
    const toResult = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await toResult(indexedDB.open('workbox-expiration'));
    const entries = await toResult<{ cacheName: string; timestamp: number }[]>(
      database.transaction('cache-entries').objectStore('cache-entries').getAll(),
    );
    database.close();
    return Math.max(0, ...entries.filter((it) => it.cacheName === cacheName).map((it) => it.timestamp));
  }, `quad-${store}`);
