import type { PushPayload } from '#contract/push.ts';

/** Messages from a page to the service worker. */
export type ServiceWorkerMessage =
  /** Requests caching of the page at this URL, which was loaded before the service worker was active. */
  | { keep: string }
  /**
   * Requests the end of everything that concerns the person who logged out: what was cached while browsing, push
   * notifications, and those that are shown.
   */
  | { forget: true };

/** Messages from the service worker to a page. */
export type PageMessage =
  /** Asks the page to show this path, because a notification was clicked. The page answers on the port of the message. */
  | { open: string }
  /** The browser has renewed its push subscription, which the server does not know yet. */
  | { renewed: true };

/** What a push notification keeps for its click, and for pages that ask whether it was read elsewhere. */
export type ShownPushData = Pick<PushPayload, 'path'> & { subject: PushPayload['subject'] | undefined };

const openedNotificationPrefix = '#notification=';

/** Returns the fragment of a URL that was opened from the push notification about a notification with this id. */
export const toOpenedNotificationHash = (id: string): string => `${openedNotificationPrefix}${id}`;

/** Returns the id of the notification from whose push notification a URL was opened; undefined for other fragments. */
export const parseOpenedNotificationHash = (hash: string): string | undefined =>
  hash.startsWith(openedNotificationPrefix) ? hash.slice(openedNotificationPrefix.length) : undefined;
