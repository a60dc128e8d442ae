/// <reference lib="webworker" />
import { siteIcons } from '#contract/offline.ts';
import type { PushPayload } from '#contract/push.ts';
import { links } from '#web/lib/links.ts';
import {
  type PageMessage,
  type ShownPushData,
  toOpenedNotificationHash,
} from '#web/lib/service-worker-messages.ts';

/** Time in milliseconds in which an open page must confirm that it shows what was clicked. */
const openTimeoutMs = 1_500;

/** What is shown for a payload that cannot be read, because browsers require a notification for every push message. */
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

/** Returns the URL of what a notification is about; the page of all notifications if that is elsewhere. */
const toUrl = ({ path, subject }: ShownPushData, origin: string): URL => {
  const url = URL.canParse(path, origin) ? new URL(path, origin) : undefined;
  if (url?.origin !== origin) return new URL(links.notifications, origin);
  // Opening it from here marks it as read, as opening it in the list does.
  if (subject?.source === 'notification') url.hash = toOpenedNotificationHash(subject.subject_id);
  return url;
};

/** Asks an open page to show a path; resolves to whether the page has answered in time. */
const askToOpen = (page: Client, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    page.postMessage({ open: path } satisfies PageMessage, [port2]);
    setTimeout(() => resolve(false), openTimeoutMs);
  });

/**
 * Registers the listeners of the service worker for push notifications: it shows them, opens what they are about when they
 * are clicked, and renews a subscription that the browser has ended.
 */
export const listenToPushEvents = (worker: ServiceWorkerGlobalScope): void => {
  const { origin } = worker.location;
  const listWindows = () => worker.clients.matchAll({ type: 'window' });

  const show = ({ title, text, path, tag, subject }: ReturnType<typeof readPayload>): Promise<void> =>
    worker.registration.showNotification(title, {
      body: text,
      tag,
      renotify: true,
      icon: siteIcons[0].path,
      data: { path, subject } satisfies ShownPushData,
    } satisfies ShowOptions as NotificationOptions);

  /** Shows a URL in the tab that was used last, or in a new one. */
  const open = async ({ href, pathname, search, hash }: URL): Promise<void> => {
    const [tab] = await listWindows();
    if (!tab) return void (await worker.clients.openWindow(href));
    // A browser may refuse to focus a tab; the tab shows the page nevertheless.
    await tab.focus().catch(() => {});
    // The page navigates by itself, so that nothing typed is lost. Pages that are still starting, or signed out, do not
    // answer.
    if (!(await askToOpen(tab, `${pathname}${search}${hash}`))) await tab.navigate(href);
  };

  const renewSubscription = async (ended: PushSubscription | null): Promise<void> => {
    const { pushManager } = worker.registration;
    if (ended && !(await pushManager.getSubscription())) await pushManager.subscribe(ended.options);
    // Without an open page the server learns it from the next one.
    for (const page of await listWindows()) page.postMessage({ renewed: true } satisfies PageMessage);
  };

  worker.addEventListener('push', (event) => event.waitUntil(show(readPayload(event))));
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(toUrl(event.notification.data as ShownPushData, origin)));
  });
  worker.addEventListener('pushsubscriptionchange', (event) => {
    const { oldSubscription = null } = event as unknown as { oldSubscription?: PushSubscription | null };
    (event as ExtendableEvent).waitUntil(renewSubscription(oldSubscription));
  });
};

/** After a logout, closes all displayed notifications and cancels this browser's push subscription. */
export const forgetPushes = async ({ registration }: ServiceWorkerGlobalScope): Promise<void> => {
  for (const notification of await registration.getNotifications()) notification.close();
  // The push service may be unreachable; the server has ended the subscription together with the session.
  await (await registration.pushManager?.getSubscription())?.unsubscribe().catch(() => false);
};
