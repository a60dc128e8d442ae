import { offlinePaths } from '#contract/offline.ts';
import { getSessionView, hasLoggedOut, onSessionChange } from '#web/lib/session.ts';
import type { WorkerMessage } from './messages.ts';

/** Minimum interval between update checks of an open tab, made when it becomes visible, in milliseconds. */
const updateCheckIntervalMs = 60 * 60_000;

/** Registers the service worker and sends it what it needs to know about this page. */
export const registerWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
  // Service workers are unavailable over insecure connections and in some private windows.
  if (!serviceWorker) return;
  const hadWorker = serviceWorker.controller !== null;
  if (hadWorker) reloadAtNextLinkAfterUpdate(serviceWorker);

  const postToWorker = async (message: WorkerMessage) =>
    (await serviceWorker.ready).active?.postMessage(message);
  // This script loads late: the person may have logged out before it arrived.
  let wasSignedIn = hasLoggedOut();
  const reportLogout = (): void => {
    const { isAuthenticated } = getSessionView();
    if (wasSignedIn && !isAuthenticated) void postToWorker({ forget: true });
    wasSignedIn = isAuthenticated;
  };
  onSessionChange(reportLogout);
  reportLogout();

  try {
    await serviceWorker.register(offlinePaths.worker, { updateViaCache: 'none' });
  } catch {
    // The site works without it.
    return;
  }
  const registration = await serviceWorker.ready;
  if (!hadWorker) void postToWorker({ keep: window.location.href });

  let lastUpdateCheck = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastUpdateCheck < updateCheckIntervalMs) return;
    lastUpdateCheck = Date.now();
    registration.update().catch(() => {
      // No connection, or the worker was removed; the next page load handles it.
    });
  });
};

/**
 * Another worker has taken over because a new version was deployed, and data loaded from now on may not fit this page's
 * scripts. So the next link is followed as a full page load, which brings the new ones.
 */
const reloadAtNextLinkAfterUpdate = (serviceWorker: ServiceWorkerContainer): void => {
  const followAsFullPageLoad = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
    if (!link || link.target || link.origin !== location.origin || !navigator.onLine) return;
    // An anchor within this page.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.stopImmediatePropagation();
  };
  serviceWorker.addEventListener(
    'controllerchange',
    () => window.addEventListener('click', followAsFullPageLoad, { capture: true }),
    { once: true },
  );
};
