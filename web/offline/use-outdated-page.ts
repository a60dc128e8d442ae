import { useSyncExternalStore } from 'react';
import type { MessageToPage, MessageToServiceWorker } from '#web/lib/service-worker-messages.ts';
import { toCacheKey } from './cached-pages.ts';

/**
 * Interval in milliseconds between checks whether the person is still at the outdated page. Not all supported
 * browsers have an event for navigations of the router, which this script cannot import.
 */
const locationCheckIntervalMs = 500;

let outdatedUrl: string | null = null;

const subscribe = (listener: () => void): (() => void) => {
  const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
  let timer: ReturnType<typeof setInterval> | undefined;
  const receive = ({ data }: MessageEvent<MessageToPage>) => {
    if (!('outdated' in data)) return;
    outdatedUrl = data.outdated;
    clearInterval(timer);
    if (outdatedUrl) timer = setInterval(listener, locationCheckIntervalMs);
    listener();
  };
  serviceWorker?.addEventListener('message', receive);
  serviceWorker?.controller?.postMessage({ isOutdated: true } satisfies MessageToServiceWorker);
  return () => {
    clearInterval(timer);
    serviceWorker?.removeEventListener('message', receive);
  };
};

/** Returns whether the service worker has taken the page at the current URL from its cache. */
export const useOutdatedPage = (): boolean =>
  useSyncExternalStore(subscribe, () => outdatedUrl === toCacheKey(new URL(window.location.href)));
