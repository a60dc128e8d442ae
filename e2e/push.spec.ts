import { expect, type Page } from '@playwright/test';
import type { NotificationPage } from '#contract/notifications.ts';
import type { PushDevices, PushPayload } from '#contract/push.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { matchListingsWithSearches } from './support/matching.ts';
import {
  clickPushNotification,
  deliverPushNotification,
  fakeNotificationCenter,
  fakePushSubscriptions,
  readPushEffects,
} from './support/push.ts';
import {
  callApi,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  signUp,
} from './support/students.ts';

test.use({ serviceWorkers: 'allow' });

const getPermission = (page: Page) => page.evaluate(() => Notification.permission);

test('promise 76: push notifications are offered after the first message, open what they are about, and close when it is read elsewhere', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const { token } = buyer;
  const listing = await postListing(quad, seller, 'Accordion with 48 basses');
  await callApi(quad, '/rest/v1/me/saved-searches', {
    token,
    body: { name: 'Hammocks', query: { q: 'hammock' }, alert: 'instant' },
  });
  const context = await openSignedInBrowser(browser, quad, buyer);
  await fakePushSubscriptions(context);
  const page = await context.newPage();
  const listDevices = async () =>
    (await callApi<PushDevices>(quad, '/rest/v1/me/push-subscriptions', { token })).items;
  const listShownTitles = async () => (await readPushEffects(context)).shown.map(({ title }) => title);
  const prompt = page.getByRole('region', { name: 'Notifications on this device' });

  await test.step('the prompt appears after the first message, and registers the device', async () => {
    await page.goto(`/listing/${listing.slug}`);
    await page.getByRole('button', { name: 'Message Seller' }).click();
    const input = page.getByRole('dialog').getByPlaceholder('Type your message...');
    await input.fill('Is it still there?');
    await expect(prompt).toHaveCount(0);
    await input.press('Enter');
    await expect(prompt).toContainText('Get a notification when Sue Seller answers?');
    expect(await getPermission(page)).toBe('default');
    expect(await listDevices()).toEqual([]);
    await prompt.getByRole('button', { name: 'Turn on notifications' }).click();
    await expect(page.getByText('Notifications are on')).toBeVisible();
    await expect(prompt).toHaveCount(0);
    expect(await listDevices()).toMatchObject([{ device_name: expect.stringContaining(' on ') }]);
  });

  const { items } = await callApi<{ items: { id: string }[] }>(quad, '/rest/v1/conversations', { token });
  const [conversation = { id: '' }] = items;
  const push: PushPayload = {
    title: 'Sue Seller',
    text: 'Yes, come and see it',
    path: `/messages?c=${conversation.id}`,
    tag: `messages:${conversation.id}`,
    subject: { source: 'conversation', subject_id: conversation.id, kind: 'messages', detail: '' },
  };
  const readAll = (seq: number) =>
    callApi(quad, `/rest/v1/conversations/${conversation.id}/read`, { token, body: { seq } });

  await test.step('a push notification closes when its message is read on another device, or at the next visit', async () => {
    await page.goto('/about');
    await fakeNotificationCenter(page);
    await postConversationMessage(quad, seller, conversation, 'Yes, come and see it');
    await deliverPushNotification(page, push);
    await expect.poll(listShownTitles).toEqual(['Sue Seller']);
    await readAll(2);
    await expect.poll(listShownTitles).toEqual([]);

    await postConversationMessage(quad, seller, conversation, 'Are you coming?');
    await deliverPushNotification(page, push);
    await expect.poll(listShownTitles).toEqual(['Sue Seller']);
    await page.goto('about:blank');
    await readAll(3);
    expect(await listShownTitles()).toEqual(['Sue Seller']);
    await page.goto('/about');
    await expect.poll(listShownTitles).toEqual([]);
  });

  await test.step('it closes on every device when the conversation is muted, and when its author is blocked', async () => {
    const closesAfter = async (path: string, method: 'PATCH' | 'PUT', body?: object) => {
      await deliverPushNotification(page, push);
      await expect.poll(listShownTitles).toEqual(['Sue Seller']);
      await callApi(quad, path, { token, method, ...(body && { body }) });
      await expect.poll(listShownTitles).toEqual([]);
    };
    const mute = (muted_until: string | null) => ({ muted_until });
    const path = `/rest/v1/conversations/${conversation.id}`;
    await postConversationMessage(quad, seller, conversation, 'Still there');
    await closesAfter(path, 'PATCH', mute('2099-01-01T00:00:00.000Z'));
    await callApi(quad, path, { token, method: 'PATCH', body: mute(null) });
    await closesAfter(`/rest/v1/me/blocks/${seller.id}`, 'PUT');
    await callApi(quad, `/rest/v1/me/blocks/${seller.id}`, { token, method: 'DELETE' });
  });

  await test.step('a click opens the conversation', async () => {
    await postConversationMessage(quad, seller, conversation, 'Hello?');
    await deliverPushNotification(page, { ...push, text: 'Hello?' });
    await expect.poll(async () => (await readPushEffects(context)).shown).toMatchObject([{ body: 'Hello?' }]);
    await clickPushNotification(context, push.tag);
    await expect(page).toHaveURL(new RegExp(`/messages\\?c=${conversation.id}$`));
    await expect(page.getByText('Are you coming?').first()).toBeVisible();
    expect(await listShownTitles()).toEqual([]);
  });

  await test.step('opening the push notification of a notification marks it as read on the server', async () => {
    await postListing(quad, seller, 'Hammock for two');
    await matchListingsWithSearches(quad);
    const findMatch = async () => {
      const { items } = await callApi<NotificationPage>(quad, '/rest/v1/notifications', { token });
      return items.find(({ kind }) => kind === 'saved_searches');
    };
    await expect.poll(findMatch).toMatchObject({ read_at: null });
    const { id = '', title = '', text = '', path = '' } = (await findMatch()) ?? {};
    const subject = { source: 'notification', subject_id: id, kind: 'saved_searches', detail: '' } as const;
    await deliverPushNotification(page, { title, text, path, tag: `notification:${id}`, subject });
    await expect.poll(listShownTitles).toEqual([title]);
    await clickPushNotification(context, `notification:${id}`);
    await expect(page).toHaveURL(/\/search\?q=hammock$/);
    await expect.poll(async () => (await findMatch())?.read_at).not.toBeNull();
  });

  await test.step('logging out removes the device, and closes what is still displayed', async () => {
    await postConversationMessage(quad, seller, conversation, 'Goodbye');
    await deliverPushNotification(page, push);
    await expect.poll(listShownTitles).toEqual(['Sue Seller']);
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect
      .poll(async () => {
        const { shown, unsubscribed } = await readPushEffects(context);
        return [shown.length, unsubscribed];
      })
      .toEqual([0, true]);
    await expect.poll(listDevices).toEqual([]);
  });
  await context.close();
});
