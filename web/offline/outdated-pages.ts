/// <reference lib="webworker" />

import type { WorkboxPlugin } from 'workbox-core';
import type { MessageToPage } from '#web/lib/service-worker-messages.ts';
import { toCacheKey, toPageUrl } from './cached-pages.ts';

/** Returns the id of the client that shows, or will show, the response to a request. */
const toPageClientId = ({ clientId, resultingClientId }: FetchEvent): string => resultingClientId || clientId;

/**
 * Creates the part of the service worker that tells open pages whether their content came from the cache,
 * because the network failed or did not respond in time. Returns the plugin for the strategies of pages and their data,
 * `mark`, which records that a page comes from a cache although no strategy with the plugin found it there, and
 * `report`, which repeats what is known about a page.
 */
export const createOutdatedPageReports = ({ clients }: Pick<ServiceWorkerGlobalScope, 'clients'>) => {
  /** URLs of the pages that came from the cache, by the id of the client that shows them. */
  const outdatedUrls = new Map<string, string>();
  const cachedResponses = new WeakSet<Response>();

  const report = async (clientId: string): Promise<void> => {
    const page = await clients.get(clientId);
    page?.postMessage({ outdated: outdatedUrls.get(clientId) ?? null } satisfies MessageToPage);
  };

  const mark = (event: FetchEvent, url: URL): void => {
    outdatedUrls.set(toPageClientId(event), toCacheKey(toPageUrl(url) ?? url));
  };

  const plugin: WorkboxPlugin = {
    cachedResponseWillBeUsed: async ({ cachedResponse }) => {
      if (cachedResponse) cachedResponses.add(cachedResponse);
      return cachedResponse;
    },
    handlerDidRespond: async ({ event, request, response }) => {
      const id = toPageClientId(event as FetchEvent);
      if (response && cachedResponses.has(response)) mark(event as FetchEvent, new URL(request.url));
      else outdatedUrls.delete(id);
      // A page that is only being loaded does not listen yet. It asks for the report when it does. Other pages are
      // always told, because the browser may have restarted this worker since it reported them as outdated.
      if (!(event as FetchEvent).resultingClientId) await report(id);
    },
  };
  return { plugin, mark, report };
};
