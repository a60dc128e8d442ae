/// <reference lib="webworker" />

import type { WorkboxPlugin } from 'workbox-core';
import { toCacheKey, toPageDataUrl, toPageUrl } from './cached-pages.ts';

/** Statuses with which the server responds when a page does not exist, or no longer does. */
const missingStatuses = [404, 410];

/**
 * Creates the plugin that removes a page and its data from their caches when the server responds that the page
 * does not exist. Otherwise a deleted page would be shown again offline or on a slow connection.
 */
export const createMissingPagePlugin = (
  caches: CacheStorage,
  names: { pages: string; data: string },
): WorkboxPlugin => ({
  // Not `fetchDidSucceed`, which Workbox does not call for the responses of navigation preload.
  cacheWillUpdate: async ({ request, response }) => {
    if (!missingStatuses.includes(response.status)) return response;
    const url = new URL(request.url);
    const page = toPageUrl(url) ?? url;
    await (await caches.open(names.pages)).delete(toCacheKey(page), { ignoreVary: true });
    await (await caches.open(names.data)).delete(toCacheKey(toPageDataUrl(page)), { ignoreVary: true });
    return response;
  },
});
