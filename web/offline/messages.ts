/** What a page says to the service worker. */
export type WorkerMessage =
  /** Keep this page, which was read before there was a worker. */
  | { keep: string }
  /** Forget what was read: its reader has left this browser. */
  | { forget: true };
