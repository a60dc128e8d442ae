/** Messages from a page to the service worker. */
export type ServiceWorkerMessage =
  /** Requests caching of the page at this URL, which was loaded before the service worker was active. */
  | { keep: string }
  /** Requests deletion of everything that was cached while browsing, because the person logged out. */
  | { forget: true };
