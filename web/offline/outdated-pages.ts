/// <reference lib="webworker" />

import type { WorkboxPlugin } from 'workbox-core';
import type { MessageToPage } from '#web/lib/service-worker-messages.ts';
import { toCacheKey, toPageUrl } from './cached-pages.ts';

/**
 * Creates the part of the service worker that tells open pages whether their content came from the cache,
 * because the network did not respond in time. Returns the plugin for the strategies of pages and their data,
 * and `report`, which repeats what is known about a page.
 */
export const createOutdatedPageReports = ({ clients }: Pick<ServiceWorkerGlobalScope, 'clients'>) => {
  /** URLs of the pages that came from the cache, by the id of the client that shows them. */
  const outdatedUrls = new Map<string, string>();
  const cachedResponses = new WeakSet<Response>();

  const report = async (clientId: string): Promise<void> => {
    const page = await clients.get(clientId);
    page?.postMessage({ outdated: outdatedUrls.get(clientId) ?? null } satisfies MessageToPage);
  };

  const plugin: WorkboxPlugin = {
    cachedResponseWillBeUsed: async ({ cachedResponse }) => {
      if (cachedResponse) cachedResponses.add(cachedResponse);
      return cachedResponse;
    },
    handlerDidRespond: async ({ event, request, response }) => {
      const { clientId, resultingClientId } = event as FetchEvent;
      const id = resultingClientId || clientId;
      if (response && cachedResponses.has(response)) {
        const url = new URL(request.url);
        outdatedUrls.set(id, toCacheKey(toPageUrl(url) ?? url));
      } else outdatedUrls.delete(id);
      // A page that is only being loaded does not listen yet. It asks for the report when it does. Other pages are
      // always told, because the browser may have restarted this worker since it reported them as outdated.
      if (!resultingClientId) await report(id);
    },
  };
  return { plugin, report };
};
