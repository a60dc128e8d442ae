import { offlineAddresses } from '#contract/offline.ts';
import { hasLoggedOut, onSessionChange, sessionNow } from '#web/lib/session.ts';
import type { WorkerMessage } from './messages.ts';

/** How often a tab that stays open asks for a newer version when it is looked at again, in milliseconds. */
const askAgainMs = 60 * 60_000;

/** Gives the site its service worker, and tells it what it needs to know of this page. */
export const registerWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
  // Not over an insecure connection, nor in every private window.
  if (!serviceWorker) return;
  const hadWorker = serviceWorker.controller !== null;
  if (hadWorker) leaveAtNextLinkOnceReplaced(serviceWorker);

  const tell = async (message: WorkerMessage) => (await serviceWorker.ready).active?.postMessage(message);
  // This script comes late: its reader may have left before it was there.
  let known = hasLoggedOut();
  const notice = (): void => {
    const { isAuthenticated } = sessionNow();
    if (known && !isAuthenticated) void tell({ forget: true });
    known = isAuthenticated;
  };
  onSessionChange(notice);
  notice();

  try {
    await serviceWorker.register(offlineAddresses.worker, { updateViaCache: 'none' });
  } catch {
    // The site works without.
    return;
  }
  const registration = await serviceWorker.ready;
  if (!hadWorker) void tell({ keep: window.location.href });

  let asked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < askAgainMs) return;
    asked = Date.now();
    registration.update().catch(() => {
      // No connection, or no worker any more: the next page load will tell.
    });
  });
};

/**
 * Another worker has taken over: the site was deployed anew, and what this page would fetch next may not fit its
 * scripts any more. So the next link is followed by the browser, which brings the new ones.
 */
const leaveAtNextLinkOnceReplaced = (serviceWorker: ServiceWorkerContainer): void => {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
    if (!link || link.target || link.origin !== location.origin || !navigator.onLine) return;
    // A place within this page.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.stopImmediatePropagation();
  };
  serviceWorker.addEventListener(
    'controllerchange',
    () => window.addEventListener('click', follow, { capture: true }),
    { once: true },
  );
};
