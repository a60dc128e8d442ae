import { calls } from '#contract/calls.ts';
import type { PushDevices, PushSubscriptionBody } from '#contract/push.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { writeBrowserText } from '#web/lib/stored-values.ts';
import { pushDevicesQuery } from './push-devices.ts';
import { pushEndpoint } from './push-endpoint.ts';

/** Time in milliseconds to wait for the service worker, which still loads files on the first visit. */
const workerTimeoutMs = 30_000;

const pushServiceFailedMessage = 'This browser cannot reach its push service. Please try again later.';

export const serviceWorkerNotReadyMessage = 'This browser is not ready yet. Please try again in a moment.';

const findSubscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;

const waitForServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(serviceWorkerNotReadyMessage)), workerTimeoutMs),
    ),
  ]);

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Returns whether a push subscription was created with this application server key. Browsers only accept
 * push messages that are signed with the key of the subscription.
 */
const hasServerKey = ({ options }: PushSubscription, key: string): boolean =>
  options.applicationServerKey !== null && toBase64Url(options.applicationServerKey) === key;

const reloadDevices = (ownId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: pushDevicesQuery(ownId).queryKey });

const saveSubscription = async (ownId: string, subscription: PushSubscription): Promise<void> => {
  await request(calls.savePushSubscription, { body: subscription.toJSON() as PushSubscriptionBody });
  pushEndpoint.save(ownId, subscription.endpoint);
  await reloadDevices(ownId);
};

const subscribe = async (ownId: string, { application_server_key: key }: PushDevices): Promise<void> => {
  const { pushManager } = await waitForServiceWorker();
  const existing = await pushManager.getSubscription();
  if (existing && !hasServerKey(existing, key)) await existing.unsubscribe();
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch((cause: unknown) => {
      throw new Error(pushServiceFailedMessage, { cause });
    });
  await saveSubscription(ownId, subscription);
};

/**
 * Subscribes this browser to push notifications. Must be called right after the permission was granted. If
 * the subscription fails, throws an Error whose message is shown to the person.
 */
export const turnOnPushNotifications = async (ownId: string): Promise<void> => {
  await subscribe(ownId, await request(calls.listPushSubscriptions, {}));
  writeBrowserText('quad.push-declined', null);
};

/**
 * Ends push notifications on this device. Throws an ApiError if the server cannot be reached or refuses the
 * request.
 */
export const turnOffPushNotifications = async (ownId: string): Promise<void> => {
  await request(calls.removePushSubscription, { query: {} });
  pushEndpoint.remove(ownId);
  // Ignore a failure: the server has already deleted the subscription and sends no more push messages.
  await (await findSubscription())?.unsubscribe().catch(() => false);
  await reloadDevices(ownId);
};

/**
 * Ends push notifications on another of the person's devices. Throws an ApiError if the server cannot be
 * reached or refuses the request.
 */
export const removePushDevice = async (ownId: string, id: string): Promise<void> => {
  await request(calls.removePushSubscription, { query: { id } });
  await reloadDevices(ownId);
};

/**
 * Makes the push subscriptions of this browser and of the server agree: reports a renewed subscription,
 * subscribes again if the server has a new key, and ends a subscription that was removed on another device.
 */
export const reconcilePushSubscription = async (ownId: string): Promise<void> => {
  const subscription = await findSubscription();
  const savedEndpoint = pushEndpoint.find(ownId);
  if (!subscription) {
    // The browser has removed the subscription, for example together with the site's data.
    if (savedEndpoint) await turnOffPushNotifications(ownId);
    return;
  }
  const devices = await request(calls.listPushSubscriptions, {});
  const isKnown = devices.items.some((device) => device.is_current);
  const isRenewed = savedEndpoint !== undefined && savedEndpoint !== subscription.endpoint;
  if (!isKnown && !isRenewed && hasServerKey(subscription, devices.application_server_key))
    return turnOffPushNotifications(ownId);
  if (!hasServerKey(subscription, devices.application_server_key)) return subscribe(ownId, devices);
  if (savedEndpoint !== subscription.endpoint) await saveSubscription(ownId, subscription);
};
