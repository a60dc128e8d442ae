import { offlinePaths } from '#contract/offline.ts';
import { hasLoggedOut, onSessionChange, sessionNow } from '#web/lib/session.ts';
import type { WorkerMessage } from './messages.ts';

/** Minimum interval between update checks of an open tab, made when it becomes visible, in milliseconds. */
const askAgainMs = 60 * 60_000;

/** Registers the service worker and sends it what it needs to know about this page. */
export const registerWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
  // Service workers are unavailable over insecure connections and in some private windows.
  if (!serviceWorker) return;
  const hadWorker = serviceWorker.controller !== null;
  if (hadWorker) leaveAtNextLinkOnceReplaced(serviceWorker);

  const tell = async (message: WorkerMessage) => (await serviceWorker.ready).active?.postMessage(message);
  // This script loads late: the person may have logged out before it arrived.
  let known = hasLoggedOut();
  const notice = (): void => {
    const { isAuthenticated } = sessionNow();
    if (known && !isAuthenticated) void tell({ forget: true });
    known = isAuthenticated;
  };
  onSessionChange(notice);
  notice();

  try {
    await serviceWorker.register(offlinePaths.worker, { updateViaCache: 'none' });
  } catch {
    // The site works without it.
    return;
  }
  const registration = await serviceWorker.ready;
  if (!hadWorker) void tell({ keep: window.location.href });

  let asked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < askAgainMs) return;
    asked = Date.now();
    registration.update().catch(() => {
      // No connection, or the worker was removed; the next page load handles it.
    });
  });
};

/**
 * Another worker has taken over because a new version was deployed, and data loaded from now on may not fit this page's
 * scripts. So the next link is followed as a full page load, which brings the new ones.
 */
const leaveAtNextLinkOnceReplaced = (serviceWorker: ServiceWorkerContainer): void => {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
    if (!link || link.target || link.origin !== location.origin || !navigator.onLine) return;
    // An anchor within this page.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.stopImmediatePropagation();
  };
  serviceWorker.addEventListener(
    'controllerchange',
    () => window.addEventListener('click', follow, { capture: true }),
    { once: true },
  );
};
