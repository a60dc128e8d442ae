import type { BrowserContext, Page, Worker } from '@playwright/test';
import type { PushPayload, PushSubscriptionBody } from '#contract/push.ts';
import { createTestPushSubscription } from '#server/testing/push-service.ts';
import { waitForServiceWorker } from './offline-cache.ts';

/**
 * Records what push notifications would do in a real browser. The test browser can neither reach a push
 * service nor show notifications.
 */
interface FakePlatform {
  shown: { title: string; body: string; tag: string; data: unknown }[];
  /** URLs of the windows that clicks on notifications opened. */
  opened: string[];
  unsubscribed: boolean;
}

/**
 * Replaces the browser's notification permission and push subscription in all pages of a context. `answer` is
 * how the person answers the browser's permission prompt.
 */
export const fakePushSubscriptions = async (
  context: BrowserContext,
  { answer = 'granted' }: { answer?: NotificationPermission } = {},
): Promise<void> => {
  const { form } = createTestPushSubscription(`https://push.example/${crypto.randomUUID()}`);
  await context.exposeFunction('listShownPushes', async () => (await readPushEffects(context)).shown);
  await context.exposeFunction('closeShownPush', (tag: string) =>
    findWorker(context)?.evaluate((closed) => {
      const { platform } = self as unknown as { platform: FakePlatform };
      platform.shown = platform.shown.filter((notification) => notification.tag !== closed);
    }, tag),
  );
  await context.addInitScript(
    ({ form, answer }: { form: PushSubscriptionBody; answer: NotificationPermission }) => {
      const tools = window as unknown as {
        listShownPushes(): Promise<FakePlatform['shown']>;
        closeShownPush(tag: string): Promise<void>;
      };
      const storedSubscription = 'test.push-subscription';
      const readPermission = () => localStorage.getItem('test.push-permission') ?? 'default';
      Object.defineProperty(Notification, 'permission', { get: readPermission });
      Notification.requestPermission = async () => {
        localStorage.setItem('test.push-permission', answer);
        return answer;
      };
      const toSubscription = (key: string) => {
        const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (it) =>
          it.charCodeAt(0),
        );
        const endpoint = localStorage.getItem('test.push-endpoint') ?? form.endpoint;
        return {
          endpoint,
          options: { userVisibleOnly: true, applicationServerKey: bytes.buffer },
          toJSON: () => ({ ...form, endpoint }),
          unsubscribe: async () => {
            localStorage.removeItem(storedSubscription);
            return true;
          },
        } as unknown as PushSubscription;
      };
      PushManager.prototype.subscribe = async (options) => {
        const key = String(options?.applicationServerKey);
        localStorage.setItem(storedSubscription, key);
        return toSubscription(key);
      };
      PushManager.prototype.getSubscription = async () => {
        const key = localStorage.getItem(storedSubscription);
        return key === null ? null : toSubscription(key);
      };
      ServiceWorkerRegistration.prototype.getNotifications = async () =>
        (await tools.listShownPushes()).map(
          (notification) =>
            ({
              ...notification,
              close: () => void tools.closeShownPush(notification.tag),
            }) as unknown as Notification,
        );
    },
    { form, answer },
  );
};

const findWorker = (context: BrowserContext): Worker | undefined =>
  context.serviceWorkers().find((worker) => worker.url().endsWith('/sw.js'));

const getWorker = (context: BrowserContext): Worker => {
  const worker = findWorker(context);
  if (!worker) throw new Error('The context has no service worker');
  return worker;
};

const emptyPlatform: FakePlatform = { shown: [], opened: [], unsubscribed: false };

/** Returns the notifications that the service worker has shown, and the windows that it has opened. */
export const readPushEffects = async (context: BrowserContext): Promise<FakePlatform> =>
  (await findWorker(context)?.evaluate(
    () => (self as unknown as { platform?: FakePlatform }).platform ?? null,
  )) ?? emptyPlatform;

/**
 * Waits for the service worker of a page. Then makes the worker record its notifications instead of showing
 * them.
 */
export const fakeNotificationCenter = async (page: Page): Promise<void> => {
  await waitForServiceWorker(page);
  await getWorker(page.context()).evaluate(() => {
    const scope = self as unknown as ServiceWorkerGlobalScope & { platform: FakePlatform };
    const platform: FakePlatform = { shown: [], opened: [], unsubscribed: false };
    scope.platform = platform;
    scope.registration.showNotification = async (title, { body = '', tag = '', data } = {}) => {
      platform.shown = [
        ...platform.shown.filter((notification) => notification.tag !== tag),
        { title, body, tag, data },
      ];
    };
    scope.registration.getNotifications = async () =>
      platform.shown.map(
        (notification) =>
          ({
            ...notification,
            close: () => {
              platform.shown = platform.shown.filter((it) => it !== notification);
            },
          }) as unknown as Notification,
      );
    scope.registration.pushManager.getSubscription = async () =>
      ({
        unsubscribe: async () => {
          platform.unsubscribed = true;
          return true;
        },
      }) as unknown as PushSubscription;
    scope.clients.openWindow = async (url) => {
      platform.opened.push(String(url));
      return null;
    };
  });
};

/**
 * Delivers a push message to the service worker of a page through the browser's debugging protocol, as a push
 * service would.
 */
export const deliverPushNotification = async (page: Page, payload: PushPayload | string): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find((it) => it.scopeURL.startsWith(origin) && !it.isDeleted);
      if (own) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registered,
    data: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  await devtools.detach();
};

/** Simulates a click on a shown notification, which the debugging protocol cannot do. */
export const clickPushNotification = (context: BrowserContext, tag: string): Promise<void> =>
  getWorker(context).evaluate((clicked) => {
    const { platform } = self as unknown as { platform: FakePlatform };
    const notification = platform.shown.find((it) => it.tag === clicked);
    if (!notification) throw new Error(`No notification has the tag ${clicked}`);
    const close = () => {
      platform.shown = platform.shown.filter((it) => it !== notification);
    };
    const event = new ExtendableEvent('notificationclick');
    Object.assign(event, { notification: { ...notification, close } });
    self.dispatchEvent(event);
  }, tag);
