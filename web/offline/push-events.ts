/// <reference lib="webworker" />

import type { PushPayload } from '#contract/push.ts';
import { siteIcons, unsentPushDetail } from '#contract/pwa.ts';
import { links } from '#web/lib/links.ts';
import { parseUrl } from '#web/lib/parse-url.ts';
import {
  type MessageToPage,
  type PushNotificationData,
  toOpenedNotificationFragment,
} from '#web/lib/service-worker-messages.ts';

/**
 * Time in milliseconds within which an open page must confirm that it navigates to the path of a clicked
 * notification.
 */
const openTimeoutMs = 1_500;

/**
 * The notification shown for a push message with an unreadable payload. Something must be shown, because
 * browsers require a notification for every push message.
 */
const unreadablePush = {
  title: 'New notification',
  text: '',
  path: links.notifications,
  tag: 'unreadable',
  subject: undefined,
};

const readPayload = ({ data }: PushEvent): PushPayload | typeof unreadablePush => {
  try {
    const payload = data?.json() as PushPayload;
    return payload.title && payload.path && payload.tag ? payload : unreadablePush;
  } catch {
    return unreadablePush;
  }
};

// `renotify` is missing in TypeScript's types, because Safari does not know it.
type ShowOptions = NotificationOptions & { renotify: boolean };

/**
 * Returns the URL that a click on a notification opens. If the notification's path leads to another site,
 * returns the URL of the notifications page.
 */
const toUrl = ({ path, subject }: PushNotificationData, origin: string): URL => {
  const url = parseUrl(path, origin);
  if (url?.origin !== origin) return new URL(links.notifications, origin);
  // The fragment makes the page mark the notification as read, as if it had been opened from the list of
  // notifications.
  if (subject?.source === 'notification') url.hash = toOpenedNotificationFragment(subject.subject_id);
  return url;
};

/** Asks an open page to navigate to a path; resolves to whether the page confirmed this in time. */
const askToOpen = (page: Client, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    page.postMessage({ open: path } satisfies MessageToPage, [port2]);
    setTimeout(() => resolve(false), openTimeoutMs);
  });

/**
 * Registers the service worker's listeners for push events. They display push notifications, open a page
 * when a notification is clicked, and renew a push subscription that the browser has ended.
 */
export const listenToPushEvents = (worker: ServiceWorkerGlobalScope): void => {
  const { origin } = worker.location;
  const listWindows = () => worker.clients.matchAll({ type: 'window' });

  const show = (
    { title, text, path, tag, subject }: ReturnType<typeof readPayload>,
    { silent } = { silent: false },
  ): Promise<void> =>
    worker.registration.showNotification(title, {
      body: text,
      tag,
      silent,
      renotify: !silent,
      icon: siteIcons[0].path,
      data: { path, subject } satisfies PushNotificationData,
    } satisfies ShowOptions as NotificationOptions);

  /** Replaces the notification about a message that was unsent, without a sound, unless it was closed before. */
  const replace = async (payload: ReturnType<typeof readPayload>): Promise<void> => {
    const find = () => worker.registration.getNotifications({ tag: payload.tag });
    const { length: wasShown } = await find();
    // Browsers require that something is shown.
    await show(payload, { silent: true });
    if (!wasShown) for (const notification of await find()) notification.close();
  };

  /** Shows a URL in the most recently used tab or, if no tab is open, in a new one. */
  const open = async ({ href, pathname, search, hash }: URL): Promise<void> => {
    const [tab] = await listWindows();
    if (!tab) return void (await worker.clients.openWindow(href));
    // If the browser refuses to focus the tab, navigate in it anyway.
    await tab.focus().catch(() => {});
    // Let the page navigate by itself, so that it does not lose typed text. Pages that are still
    // starting, or on which nobody is signed in, do not respond; they are navigated from here.
    if (!(await askToOpen(tab, `${pathname}${search}${hash}`))) await tab.navigate(href);
  };

  const renewSubscription = async (ended: PushSubscription | null): Promise<void> => {
    const { pushManager } = worker.registration;
    if (ended && !(await pushManager.getSubscription())) await pushManager.subscribe(ended.options);
    // Open pages report the renewed subscription to the server. If no page is open, the next one reports it
    // when it opens.
    for (const page of await listWindows()) page.postMessage({ renewed: true } satisfies MessageToPage);
  };

  worker.addEventListener('push', (event) => {
    const payload = readPayload(event);
    const isUnsent = payload.subject?.detail === unsentPushDetail;
    event.waitUntil(isUnsent ? replace(payload) : show(payload));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(toUrl(event.notification.data as PushNotificationData, origin)));
  });
  worker.addEventListener('pushsubscriptionchange', (event) => {
    const { oldSubscription = null } = event as unknown as { oldSubscription?: PushSubscription | null };
    (event as ExtendableEvent).waitUntil(renewSubscription(oldSubscription));
  });
};

/** After a logout, closes all displayed notifications and cancels this browser's push subscription. */
export const endPushNotifications = async ({ registration }: ServiceWorkerGlobalScope): Promise<void> => {
  for (const notification of await registration.getNotifications()) notification.close();
  // Ignore a failure, for example of the push service. The server has already deleted the subscription with
  // the session, so it sends no more push messages.
  await (await registration.pushManager?.getSubscription())?.unsubscribe().catch(() => false);
};
