import type { PushPayload } from '#contract/push.ts';

export type MessageToServiceWorker =
  /**
   * Asks the service worker to cache the page at this URL, which was loaded before the service worker was
   * active.
   */
  | { keep: string }
  /**
   * Tells the service worker that the person has logged out. The service worker then deletes the pages that
   * were cached while the person was browsing, cancels the push subscription, and closes all displayed
   * notifications.
   */
  | { forget: true }
  /** Asks whether the page that sends this message came from the cache. */
  | { isOutdated: true };

export type MessageToPage =
  /**
   * Asks the page to navigate to this path, because a notification was clicked. The page confirms by
   * replying on the message's port.
   */
  | { open: string }
  /** Reports that the browser has renewed its push subscription, which the server does not know yet. */
  | { renewed: true }
  /**
   * Reports the URL of a page that was taken from the cache, because the network failed or did not respond
   * in time, or null when the content is up to date.
   */
  | { outdated: string | null };

/**
 * The data attached to a displayed push notification: the path that a click opens, and the subject of the
 * notification. Pages use the subject to ask the server whether the person has already read it elsewhere.
 */
export type PushNotificationData = Pick<PushPayload, 'path'> & {
  subject: PushPayload['subject'] | undefined;
};

const openedNotificationPrefix = '#notification=';

/**
 * Returns the URL fragment with which a click on a push notification opens its page. The fragment contains
 * the notification's id.
 */
export const toOpenedNotificationFragment = (id: string): string => `${openedNotificationPrefix}${id}`;

/**
 * Returns the notification id in a URL fragment if the URL was opened by a click on a push notification, or
 * undefined otherwise.
 */
export const parseOpenedNotificationFragment = (hash: string): string | undefined =>
  hash.startsWith(openedNotificationPrefix) ? hash.slice(openedNotificationPrefix.length) : undefined;
