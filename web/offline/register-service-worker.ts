import { offlinePaths } from '#contract/pwa.ts';
import type { MessageToServiceWorker } from '#web/lib/service-worker-messages.ts';
import { getSessionSnapshot, hasLoggedOut, onSessionChange } from '#web/lib/session.ts';

/** Minimum interval in milliseconds between checks for a new service worker, made when the tab becomes visible. */
const updateCheckIntervalMs = 60 * 60_000;

/**
 * Registers the service worker, asks it to cache the current page on the first visit, and notifies it of
 * each log-out.
 */
export const registerServiceWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
  // Service workers are unavailable over insecure connections and in some private windows.
  if (!serviceWorker) return;
  const hadWorker = serviceWorker.controller !== null;
  if (hadWorker) reloadAtNextLinkAfterUpdate(serviceWorker);

  const postToWorker = async (message: MessageToServiceWorker) =>
    (await serviceWorker.ready).active?.postMessage(message);
  // Start with true if the person logged out before this script was loaded, so that the first call of
  // `reportLogout` reports that log-out.
  let wasSignedIn = hasLoggedOut();
  const reportLogout = (): void => {
    const { isAuthenticated } = getSessionSnapshot();
    if (wasSignedIn && !isAuthenticated) void postToWorker({ forget: true });
    wasSignedIn = isAuthenticated;
  };
  onSessionChange(reportLogout);
  reportLogout();

  try {
    await serviceWorker.register(offlinePaths.worker, { updateViaCache: 'none' });
  } catch {
    // The site works without a service worker.
    return;
  }
  const registration = await serviceWorker.ready;
  if (!hadWorker) void postToWorker({ keep: window.location.href });

  let lastUpdateCheck = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastUpdateCheck < updateCheckIntervalMs) return;
    lastUpdateCheck = Date.now();
    registration.update().catch(() => {
      // The update check fails if the device is offline or the service worker no longer exists. The next
      // page load tries again.
    });
  });
};

/**
 * Turns the next click on a link into a full page load once a new service worker has replaced the
 * old one. The replacement means that a new version was deployed, whose data may not fit the
 * scripts that this page has loaded.
 */
const reloadAtNextLinkAfterUpdate = (serviceWorker: ServiceWorkerContainer): void => {
  const followAsFullPageLoad = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
    if (!link || link.target || link.origin !== location.origin || !navigator.onLine) return;
    // Links to anchors on this page load no data, so they need no full page load.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.stopImmediatePropagation();
  };
  serviceWorker.addEventListener(
    'controllerchange',
    () => window.addEventListener('click', followAsFullPageLoad, { capture: true }),
    { once: true },
  );
};
