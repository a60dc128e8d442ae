import type { PushPayload } from '#contract/push.ts';

/** Messages from a page to the service worker. */
export type MessageToServiceWorker =
  /** Requests caching of the page at this URL, which was loaded before the service worker was active. */
  | { keep: string }
  /**
   * Tells the service worker that the person has logged out. It deletes the pages that it cached while
   * they were browsing, ends push notifications and closes those that are displayed.
   */
  | { forget: true };

/** Messages from the service worker to a page. */
export type MessageToPage =
  /**
   * Asks the page to navigate to this path, because a notification was clicked. The page confirms this on
   * the port of the message.
   */
  | { open: string }
  /** The browser has renewed its push subscription, which the server does not know yet. */
  | { renewed: true };

/**
 * The data attached to a displayed push notification: the path that a click opens, and the subject by
 * which pages find out whether it was read elsewhere.
 */
export type ShownPushData = Pick<PushPayload, 'path'> & { subject: PushPayload['subject'] | undefined };

const openedNotificationPrefix = '#notification=';

/**
 * Returns the URL fragment with which a click on a push notification opens its page; it contains the
 * notification's id.
 */
export const toOpenedNotificationHash = (id: string): string => `${openedNotificationPrefix}${id}`;

/**
 * Returns the notification id in a URL fragment, if the URL was opened by a click on a push notification;
 * otherwise undefined.
 */
export const parseOpenedNotificationHash = (hash: string): string | undefined =>
  hash.startsWith(openedNotificationPrefix) ? hash.slice(openedNotificationPrefix.length) : undefined;
