/** Messages from a page to the service worker. */
export type WorkerMessage =
  /** Cache this page, which was loaded before there was a worker. */
  | { keep: string }
  /** Delete what was cached while browsing, because the person logged out. */
  | { forget: true };
