import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { PushDevice } from '#contract/push.ts';
import { writeBrowserText } from '#web/lib/stored-values.ts';
import { createTestApi } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { MessagePushPrompt, PushPromptDialog } from './public.ts';
import { pushEndpoint } from './push-endpoint.ts';
import { showPushPrompt } from './push-prompt.ts';
import { PushSettings } from './push-settings.tsx';
import { reconcilePushSubscription } from './push-subscription.ts';

const ownId = getRecorded('getMe').id;
const serverKey = getRecorded('listPushSubscriptions').application_server_key;
const otherDevice: PushDevice = {
  id: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11',
  device_name: 'Firefox on Linux',
  created_at: '2026-03-02T18:00:00Z',
  last_used_at: null,
  is_current: false,
};
const thisDevice: PushDevice = {
  ...otherDevice,
  id: '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f12',
  device_name: 'Chrome on Android',
  is_current: true,
};

let devices: PushDevice[];
/** What the browser has stored: the key with which it subscribed, and the endpoint. */
let subscription: { key: string; endpoint: string } | null;
let permission: NotificationPermission;
let answer: NotificationPermission;

const toBytes = (key: string): Uint8Array =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
const subscribe = vi.fn(async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
  subscription = { key, endpoint: `https://push.example/${crypto.randomUUID()}` };
  return getSubscription();
});
const getSubscription = async () =>
  subscription && {
    endpoint: subscription.endpoint,
    options: { applicationServerKey: toBytes(subscription.key).buffer },
    toJSON: () => ({ endpoint: subscription?.endpoint, keys: {} }),
    unsubscribe: async () => {
      subscription = null;
      return true;
    },
  };

const setNavigatorValue = (name: keyof Navigator, value: unknown) =>
  Object.defineProperty(navigator, name, { configurable: true, value });

const api = createTestApi();
api.answer(calls.listPushSubscriptions, () => ({ application_server_key: serverKey, items: devices }));
api.answer(calls.savePushSubscription, () => {
  devices = [thisDevice, ...devices.filter(({ is_current }) => !is_current)];
  return thisDevice;
});
api.answer(calls.removePushSubscription, ({ query: { id } }) => {
  devices = devices.filter((it) => (id ? it.id !== id : !it.is_current));
  return { success: true as const };
});

beforeEach(() => {
  signIn();
  [devices, subscription, permission, answer] = [[otherDevice], null, 'default', 'granted'];
  writeBrowserText('quad.push-declined', null);
  const registration = { pushManager: { subscribe, getSubscription } };
  setNavigatorValue('serviceWorker', {
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  });
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
    requestPermission: async () => {
      permission = answer;
      return answer;
    },
  });
});
afterEach(() => {
  for (const name of ['serviceWorker', 'userAgent']) Reflect.deleteProperty(navigator, name);
});

const toggle = page.getByRole('switch', { name: 'Push notifications on this device' });
const rows = page.getByRole('list', { name: 'Devices that get push notifications' }).getByRole('listitem');
const blockedNotice = page.getByText(/^Notifications from Quad are blocked on this device/);
const getButton = (name: string) => page.getByRole('button', { name });
const openSettings = () => openScreen('/', { '/': () => <PushSettings ownId={ownId} /> });
const turnOn = async () => {
  await openSettings();
  await toggle.click();
  await expect.element(page.getByText('Notifications are on')).toBeVisible();
  await expect.element(toggle).toBeChecked();
};

test('the switch adds and removes this device, and other devices can be removed', async () => {
  await turnOn();
  await expect.poll(() => rows.elements().length).toBe(2);
  await expect.element(rows.first()).toMatchTextContent(/This device/);
  await getButton('Remove Firefox on Linux').click();
  await expect.poll(() => devices).toEqual([thisDevice]);
  await expect.poll(() => rows.elements().length).toBe(1);
  await toggle.click();
  await expect.element(page.getByText('Notifications are off')).toBeVisible();
  await expect.poll(() => [devices, subscription, rows.elements().length]).toEqual([[], null, 0]);
});

test('a refused permission is remembered, and the settings say what to do', async () => {
  answer = 'denied';
  await openSettings();
  await toggle.click();
  await expect
    .element(page.getByText('Allow them for this site in the settings of your browser.'))
    .toBeVisible();
  await expect.element(blockedNotice).toBeVisible();
  await expect.element(toggle).not.toBeInTheDocument();
  expect(devices).toEqual([otherDevice]);
});

test('a browser that cannot reach its push service says so, and can try again', async () => {
  subscribe.mockRejectedValueOnce(new DOMException('Registration failed', 'AbortError'));
  await openSettings();
  await toggle.click();
  const failure = 'This browser cannot reach its push service. Please try again later.';
  await expect.element(page.getByText(failure)).toBeVisible();
  await expect.element(toggle).not.toBeChecked();
  await toggle.click();
  await expect.element(toggle).toBeChecked();
});

test('if notifications are blocked later, the device can still be removed', async () => {
  [devices, permission] = [[thisDevice], 'denied'];
  await openSettings();
  await expect.element(blockedNotice).toBeVisible();
  await getButton('Remove Chrome on Android').click();
  await expect.element(page.getByText('Device removed')).toBeVisible();
  expect(devices).toEqual([]);
});

test('at the next visit, a device that was removed elsewhere ends its subscription', async () => {
  await turnOn();
  devices = [otherDevice];
  await reconcilePushSubscription(ownId);
  expect(subscription).toBeNull();
  expect(devices).toEqual([otherDevice]);
});

test('at the next visit, a subscription that the browser has renewed is saved', async () => {
  await turnOn();
  const endpoint = 'https://push.example/renewed';
  subscription = { key: serverKey, endpoint };
  await reconcilePushSubscription(ownId);
  expect(api.listRequests(calls.savePushSubscription).at(-1)).toMatchObject({ body: { endpoint } });
  expect(pushEndpoint.find(ownId)).toBe(endpoint);
});

test('at the next visit, the browser subscribes again if the server has a new key', async () => {
  await turnOn();
  // The server deletes the subscriptions that use an earlier key.
  devices = [];
  subscription = { key: `B${'A'.repeat(86)}`, endpoint: pushEndpoint.find(ownId) ?? '' };
  await reconcilePushSubscription(ownId);
  expect(subscription).toMatchObject({ key: serverKey });
  expect(devices).toEqual([thisDevice]);
});

const prompt = page.getByRole('region', { name: 'Notifications on this device' });
const openConversation = () => openScreen('/', { '/': () => <MessagePushPrompt otherName="Sue Seller" /> });

test('an iPhone is told how to add the site to the Home Screen, with two pictures', async () => {
  setNavigatorValue('userAgent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)');
  const { unmount } = await openConversation();
  showPushPrompt(ownId);
  await expect.element(prompt).toMatchTextContent(/Add Quad to your Home Screen to get notifications/);
  await expect.poll(() => prompt.getByRole('img').elements().length).toBe(2);
  await getButton('Not now').click();
  await expect.element(prompt).not.toBeInTheDocument();
  showPushPrompt(ownId);
  await expect.element(prompt).not.toBeInTheDocument();
  await unmount();
  await openSettings();
  await expect.element(page.getByText('Add Quad to your Home Screen to get notifications')).toBeVisible();
  await expect.element(toggle).not.toBeInTheDocument();
});

test('declining the prompt in a dialog is remembered, and asks the browser for nothing', async () => {
  const onEnd = vi.fn();
  const question = 'Get a notification when something new matches?';
  await openScreen('/', {
    '/': () => <PushPromptDialog ownId={ownId} question={question} onEnd={onEnd} />,
  });
  await expect.element(page.getByRole('dialog', { name: question })).toBeVisible();
  await getButton('Not now').click();
  expect(onEnd).toHaveBeenCalledOnce();
  expect(permission).toBe('default');
  expect(localStorage.getItem('quad.push-declined')).not.toBeNull();
});
