import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import type { NotificationPage } from '#contract/notifications.ts';
import type { PushDevices, PushPayload } from '#contract/push.ts';
import { createTestPushSubscription } from '#server/testing/push-service.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { matchListingsWithSearches } from './support/matching.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import {
  clickPushNotification,
  deliverPushNotification,
  fakeNotificationCenter,
  fakePushSubscriptions,
  readPushEffects,
} from './support/push.ts';
import type { QuadServer } from './support/quad-server.ts';
import {
  callApi,
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
} from './support/students.ts';

test.use({ serviceWorkers: 'allow' });
// Run the tests of this file in several workers, because with one worker this file would take much longer
// than any other.
test.describe.configure({ mode: 'parallel' });

const pushPath = '/rest/v1/me/push-subscriptions';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const getPrompt = (page: Page) => page.getByRole('region', { name: 'Notifications on this device' });
const getSwitch = (page: Page) => page.getByRole('switch', { name: 'Push notifications on this device' });
const listDevices = async (quad: QuadServer, { token }: Student) =>
  (await callApi<PushDevices>(quad, pushPath, { token })).items;

const signUpPair = async (quad: QuadServer): Promise<[Student, Student]> => [
  await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue')),
  await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben')),
];

const open = async (
  browser: Browser,
  quad: QuadServer,
  student: Student,
  {
    answer,
    ...options
  }: {
    answer?: NotificationPermission;
    userAgent?: string;
    viewport?: { width: number; height: number };
  } = {},
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await openSignedInBrowser(browser, quad, student, options);
  await fakePushSubscriptions(context, answer ? { answer } : {});
  return { context, page: await context.newPage() };
};

/** Signs a buyer up and opens a browser in which they are signed in. */
const openAsBuyer = async (browser: Browser, quad: QuadServer, options: Parameters<typeof open>[3] = {}) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  return { buyer, ...(await open(browser, quad, buyer, options)) };
};

const getPermission = (page: Page) => page.evaluate(() => Notification.permission);
const listShownTitles = async (context: BrowserContext) =>
  (await readPushEffects(context)).shown.map(({ title }) => title);

/** Opens the settings and turns push notifications on. */
const turnOn = async (page: Page): Promise<void> => {
  await page.goto('/profile?tab=settings');
  await getSwitch(page).click();
  await expect(page.getByText('Notifications are on')).toBeVisible();
  await expect(getSwitch(page)).toBeChecked();
};

const createMessagePush = (id: string, text: string): PushPayload => ({
  title: 'Sue Seller',
  text,
  path: `/messages?c=${id}`,
  tag: `messages:${id}`,
  subject: { source: 'conversation', subject_id: id, kind: 'messages', detail: '' },
});

test('notifications are offered after the first message, and a push opens its conversation', async ({
  browser,
  quad,
}) => {
  const [seller, buyer] = await signUpPair(quad);
  const listing = await postListing(quad, seller, 'Accordion with 48 basses');
  const { context, page } = await open(browser, quad, buyer);
  await page.goto(`/listing/${listing.slug}`);
  await page
    .getByRole('button', { name: /^Message/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const input = dialog.getByPlaceholder('Type your message...');
  await input.fill('Is it still there?');
  await expect(getPrompt(page)).toHaveCount(0);
  expect(await getPermission(page)).toBe('default');
  await input.press('Enter');
  await expect(getPrompt(page)).toContainText('Get a notification when Sue Seller answers?');
  expect(await getPermission(page)).toBe('default');
  expect(await listDevices(quad, buyer)).toEqual([]);
  await getPrompt(page).getByRole('button', { name: 'Turn on notifications' }).click();
  await expect(page.getByText('Notifications are on')).toBeVisible();
  await expect(getPrompt(page)).toHaveCount(0);
  expect(await listDevices(quad, buyer)).toMatchObject([{ device_name: expect.stringContaining(' on ') }]);

  await page.goto('/browse');
  await fakeNotificationCenter(page);
  const conversation = await openConversation(quad, buyer, listing);
  await deliverPushNotification(page, createMessagePush(conversation.id, 'Yes, come and see it'));
  await expect.poll(() => listShownTitles(context)).toEqual(['Sue Seller']);
  expect((await readPushEffects(context)).shown).toMatchObject([{ body: 'Yes, come and see it' }]);
  await clickPushNotification(context, `messages:${conversation.id}`);
  await expect(page).toHaveURL(new RegExp(`/messages\\?c=${conversation.id}$`));
  await expect(page.getByText('Is it still there?').first()).toBeVisible();
  expect(await listShownTitles(context)).toEqual([]);
  await context.close();
});

test('an invalid push shows a generic notification, and clicking it opens a tab if none is open', async ({
  browser,
  quad,
}) => {
  const { context, page } = await openAsBuyer(browser, quad);
  await page.goto('/about');
  await fakeNotificationCenter(page);
  await deliverPushNotification(page, 'not what the server sends');
  await expect.poll(() => listShownTitles(context)).toEqual(['New notification']);
  await page.close();
  await clickPushNotification(context, 'unreadable');
  await expect
    .poll(async () => (await readPushEffects(context)).opened)
    .toEqual([`${quad.url}/notifications`]);
  await context.close();
});

test('notifications are offered after the first saved search; declining is remembered', async ({
  browser,
  quad,
}) => {
  const { context, page } = await openAsBuyer(browser, quad);
  const save = async (text: string) => {
    await page.goto(`/search?q=${text}`);
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save search' }).click();
    await expect(page.getByRole('button', { name: 'Saved search', includeHidden: true })).toBeAttached();
  };
  await save('hammock');
  const prompt = page.getByRole('dialog', { name: 'Get a notification when something new matches?' });
  await expect(prompt).toBeVisible();
  await prompt.getByRole('button', { name: 'Not now' }).click();
  await expect(prompt).toHaveCount(0);
  // Closing the dialog also goes back in the browser history. Wait until that is done, because it would abort
  // a navigation that has already begun.
  await waitForPageHistoryEntry(page);
  await save('accordion');
  await expect(page.getByText('Search saved')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await getPermission(page)).toBe('default');
  await context.close();
});

test('a refused permission is remembered, and the settings say what to do', async ({ browser, quad }) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad, { answer: 'denied' });
  await page.goto('/profile?tab=settings');
  await getSwitch(page).click();
  await expect(page.getByText('Notifications from Quad are blocked on this device.')).toBeVisible();
  await expect(getSwitch(page)).toHaveCount(0);
  expect(await listDevices(quad, buyer)).toEqual([]);
  await context.close();
});

test('a browser that cannot reach its push service shows an error, and the person can try again', async ({
  browser,
  quad,
}) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad);
  await page.goto('/profile?tab=settings');
  await page.evaluate(() => {
    const { subscribe } = PushManager.prototype;
    PushManager.prototype.subscribe = async () => {
      PushManager.prototype.subscribe = subscribe;
      throw new DOMException('Registration failed - push service error', 'AbortError');
    };
  });
  await getSwitch(page).click();
  await expect(
    page.getByText('This browser cannot reach its push service. Please try again later.'),
  ).toBeVisible();
  await expect(getSwitch(page)).not.toBeChecked();
  expect(await listDevices(quad, buyer)).toEqual([]);
  await getSwitch(page).click();
  await expect(getSwitch(page)).toBeChecked();
  await context.close();
});

test('on an iPhone the prompt explains how to add the site to the Home Screen, with two pictures', async ({
  browser,
  quad,
}) => {
  const [seller, buyer] = await signUpPair(quad);
  const listing = await postListing(quad, seller, 'Beanbag chair, barely used');
  const conversation = await openConversation(quad, buyer, listing);
  await postConversationMessage(quad, buyer, conversation, 'Hello');
  const phone = { userAgent: iphone, viewport: { width: 360, height: 740 } };
  const { context, page } = await open(browser, quad, buyer, phone);
  await page.goto(`/messages?c=${conversation.id}`);
  await page.getByPlaceholder('Type your message...').fill('Is it still there?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(
    getPrompt(page).getByText('Add Quad to your Home Screen to get notifications', { exact: true }),
  ).toBeVisible();
  await expect(getPrompt(page).getByRole('img')).toHaveCount(2);
  await getPrompt(page).getByRole('button', { name: 'Not now' }).click();
  await expect(getPrompt(page)).toHaveCount(0);
  await page.goto('/profile?tab=settings');
  const section = page.getByRole('region', { name: 'Push notifications' });
  await expect(section.getByText('Add Quad to your Home Screen to get notifications')).toBeVisible();
  await expect(section.getByRole('switch')).toHaveCount(0);
  await context.close();
});

test('devices are listed, removed, and switched on and off in Settings; content can be hidden', async ({
  browser,
  quad,
}) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  await callApi(quad, pushPath, { token: buyer.token, body: createTestPushSubscription().form });
  const { context, page } = await open(browser, quad, buyer);
  await turnOn(page);
  const devices = page
    .getByRole('list', { name: 'Devices that get push notifications' })
    .getByRole('listitem');
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1);
  await devices.getByRole('button', { name: /^Remove / }).click();
  await expect(devices).toHaveCount(1);
  await expect(devices).toContainText('This device');

  await page.getByLabel('Hide content on the lock screen').check();
  const table = page.getByRole('table', { name: 'What you are notified about, and how' });
  await table.getByLabel('Reviews: Push').uncheck();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await expect(getSwitch(page)).toBeChecked();
  await expect(page.getByLabel('Hide content on the lock screen')).toBeChecked();
  await expect(table.getByLabel('Reviews: Push')).not.toBeChecked();

  await getSwitch(page).click();
  await expect(page.getByText('Notifications are off')).toBeVisible();
  await expect(devices).toHaveCount(0);
  expect(await listDevices(quad, buyer)).toEqual([]);
  await context.close();
});

test('a device that was removed elsewhere does not come back by itself', async ({ browser, quad }) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad);
  await turnOn(page);
  const [device] = await listDevices(quad, buyer);
  await callApi(quad, `${pushPath}?id=${device?.id}`, { token: buyer.token, method: 'DELETE' });
  await page.reload();
  await expect(getSwitch(page)).toBeVisible();
  await expect(getSwitch(page)).not.toBeChecked();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test.push-subscription'))).toBeNull();
  expect(await listDevices(quad, buyer)).toEqual([]);
  await context.close();
});

test('a subscription that the browser has renewed is saved at the next visit', async ({ browser, quad }) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad);
  await turnOn(page);
  const endpoint = `https://push.example/${crypto.randomUUID()}`;
  await page.evaluate((renewed) => localStorage.setItem('test.push-endpoint', renewed), endpoint);
  const saved = page.waitForRequest(
    (request) => request.url().endsWith(pushPath) && request.method() === 'POST',
  );
  await page.reload();
  expect((await saved).postDataJSON()).toMatchObject({ endpoint });
  await expect(getSwitch(page)).toBeChecked();
  expect(await listDevices(quad, buyer)).toHaveLength(1);
  await context.close();
});

test('after the server’s VAPID key changed, the browser subscribes again at the next visit', async ({
  browser,
  quad,
}) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad);
  await turnOn(page);
  const [device] = await listDevices(quad, buyer);
  // Delete the subscription, as the server does with subscriptions that use an earlier key of the server.
  await callApi(quad, `${pushPath}?id=${device?.id}`, { token: buyer.token, method: 'DELETE' });
  await page.evaluate((key) => localStorage.setItem('test.push-subscription', key), `B${'A'.repeat(86)}`);
  await page.reload();
  await expect(getSwitch(page)).toBeChecked();
  await expect.poll(() => listDevices(quad, buyer)).toHaveLength(1);
  await context.close();
});

test('if notifications are blocked later, the device can still be removed', async ({ browser, quad }) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad);
  await turnOn(page);
  await page.evaluate(() => localStorage.setItem('test.push-permission', 'denied'));
  await page.reload();
  await expect(page.getByText('Notifications from Quad are blocked on this device.')).toBeVisible();
  await page.getByRole('button', { name: /^Remove / }).click();
  await expect(page.getByText('Device removed')).toBeVisible();
  expect(await listDevices(quad, buyer)).toEqual([]);
  await context.close();
});

test('promise 79: logging out ends push notifications on this device, and closes those still on display', async ({
  browser,
  quad,
}) => {
  const { buyer, context, page } = await openAsBuyer(browser, quad);
  await turnOn(page);
  await fakeNotificationCenter(page);
  await deliverPushNotification(page, createMessagePush(crypto.randomUUID(), 'Hello'));
  await expect.poll(() => listShownTitles(context)).toEqual(['Sue Seller']);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect
    .poll(async () => {
      const { shown, unsubscribed } = await readPushEffects(context);
      return [shown.length, unsubscribed];
    })
    .toEqual([0, true]);
  await expect.poll(() => listDevices(quad, buyer)).toEqual([]);
  await context.close();
});

test('promise 76: a push notification closes when its message is read on another device, or at the next visit', async ({
  browser,
  quad,
}) => {
  const [seller, buyer] = await signUpPair(quad);
  const conversation = await openConversation(quad, buyer, await postListing(quad, seller, 'Solid oak desk'));
  await postConversationMessage(quad, buyer, conversation, 'Hello');
  await postConversationMessage(quad, seller, conversation, 'Hello back');
  const { context, page } = await open(browser, quad, buyer);
  await turnOn(page);
  await fakeNotificationCenter(page);
  const push = createMessagePush(conversation.id, 'Hello back');
  const readAll = (seq: number) =>
    callApi(quad, `/rest/v1/conversations/${conversation.id}/read`, { token: buyer.token, body: { seq } });

  await deliverPushNotification(page, push);
  await expect.poll(() => listShownTitles(context)).toEqual(['Sue Seller']);
  await readAll(2);
  await expect.poll(() => listShownTitles(context)).toEqual([]);

  await postConversationMessage(quad, seller, conversation, 'Are you coming?');
  await deliverPushNotification(page, push);
  await expect.poll(() => listShownTitles(context)).toEqual(['Sue Seller']);
  await page.goto('about:blank');
  await readAll(3);
  expect(await listShownTitles(context)).toEqual(['Sue Seller']);
  await page.goto('/about');
  await expect.poll(() => listShownTitles(context)).toEqual([]);
  await context.close();
});

test('promise 76: opening a push notification marks its notification as read on the server', async ({
  browser,
  quad,
}) => {
  const [seller, buyer] = await signUpPair(quad);
  await callApi(quad, '/rest/v1/me/saved-searches', {
    token: buyer.token,
    body: { name: 'Hammocks', query: { q: 'hammock' }, alert: 'instant' },
  });
  const { context, page } = await open(browser, quad, buyer);
  await turnOn(page);
  await fakeNotificationCenter(page);
  await callApi(quad, '/rest/v1/notifications/read', { token: buyer.token, body: {} });
  await postListing(quad, seller, 'Hammock for two');
  await matchListingsWithSearches(quad);
  const findMatch = async () => {
    const { items } = await callApi<NotificationPage>(quad, '/rest/v1/notifications', { token: buyer.token });
    return items.find(({ kind }) => kind === 'saved_searches');
  };
  await expect.poll(findMatch).toMatchObject({ read_at: null });
  const { id = '', title = '', text = '', path = '' } = (await findMatch()) ?? {};
  const subject = { source: 'notification', subject_id: id, kind: 'saved_searches', detail: '' } as const;
  await deliverPushNotification(page, { title, text, path, tag: `notification:${id}`, subject });
  await expect.poll(() => listShownTitles(context)).toEqual([title]);
  await clickPushNotification(context, `notification:${id}`);
  await expect(page).toHaveURL(/\/search\?q=hammock$/);
  await expect.poll(async () => (await findMatch())?.read_at).not.toBeNull();
  await context.close();
});
