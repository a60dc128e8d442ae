import { expect, type Page, type Request, type Response } from '@playwright/test';

/** Waits until React handles the events of the page. Until then, its links load whole documents. */
export const waitForHydration = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')));
};

const pendingRequestsByPage = new WeakMap<Page, Set<Request>>();

/** Returns the requests of a page that have not ended yet, of those that began after the first call. */
const trackRequests = (page: Page): Set<Request> => {
  const tracked = pendingRequestsByPage.get(page);
  if (tracked) return tracked;
  const pending = new Set<Request>();
  pendingRequestsByPage.set(page, pending);
  page.on('request', (request) => {
    // Requests of the previous document do not always end.
    if (request.isNavigationRequest()) pending.clear();
    pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return pending;
};

/** Returns what the page still shows as loading. Waits two frames, in which React renders what has arrived. */
const listLoadingStates = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Some pages work without the application, such as those that links in emails open.
    if (!document.querySelector('script[type=module]')) return [];
    const [, root] = Object.entries(document).find(([key]) => key.startsWith('__reactContainer')) ?? [];
    const { __reactRouterDataRouter: router } = window as {
      __reactRouterDataRouter?: { state: { navigation: { state: string } } };
    };
    if (!router || root?.stateNode.current.memoizedState.isDehydrated !== false) return ['hydration'];
    if (router.state.navigation.state !== 'idle') return ['navigation'];
    if (root.stateNode.pendingLanes !== 0) return ['rendering'];
    return [...document.querySelectorAll('[aria-busy=true], div.animate-shimmer, .animate-spin')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.outerHTML.slice(0, 100));
  });

/**
 * Waits until the page is ready: the application has started, nothing on the screen is loading, and no request is
 * pending whose response could change it.
 */
export const waitUntilReady = async (page: Page): Promise<void> => {
  const pending = trackRequests(page);
  const listUrls = () => [...pending].map((request) => `${request.method()} ${request.url()}`);
  await expect
    .poll(
      async () => {
        const loading = pending.size > 0 ? [] : await listLoadingStates(page);
        return [...listUrls(), ...loading];
      },
      { message: `${page.url()} is ready`, intervals: [20, 20, 50, 50, 100] },
    )
    .toEqual([]);
};

/** Opens a path in a page, waits until it is ready, and returns the response of the document. */
export const openReadyPage = async (page: Page, path: string): Promise<Response | null> => {
  trackRequests(page);
  const response = await page.goto(path);
  await waitUntilReady(page);
  return response;
};

export const reloadUntilReady = async (page: Page): Promise<void> => {
  trackRequests(page);
  await page.reload();
  await waitUntilReady(page);
};
