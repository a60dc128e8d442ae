import type { Page } from '@playwright/test';
import type { PushDevices } from '#contract/push.ts';
import { reloadUntilReady } from './hydration.ts';
import { getConversationLinks, type Screen } from './screen.ts';
import { intercept } from './test.ts';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';

/**
 * Makes the page run as in a browser that has not asked for the notification permission yet. If `userAgent`
 * is given, the page also sees this user agent, such as an iPhone's. Then reloads the page.
 */
const pretendPushSupport = async (page: Page, userAgent?: string): Promise<void> => {
  await page.addInitScript((pretended) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    if (pretended) Object.defineProperty(navigator, 'userAgent', { get: () => pretended });
  }, userAgent);
  await reloadUntilReady(page);
};

const showDevices = async (page: Page): Promise<void> => {
  const created_at = new Date(Date.now() - 3 * 24 * 60 * 60_000).toISOString();
  const devices: PushDevices = {
    application_server_key: 'key',
    items: ['Chrome on Android', 'Firefox on Linux'].map((device_name, index) => ({
      id: crypto.randomUUID(),
      device_name,
      created_at,
      last_used_at: index === 0 ? null : created_at,
      is_current: index === 0,
    })),
  };
  await intercept(page, '**/rest/v1/me/push-subscriptions', (route) => route.fulfill({ json: devices }));
  await pretendPushSupport(page);
  const section = page.getByRole('region', { name: 'Push notifications' });
  await section.getByText('Firefox on Linux').waitFor();
  await section.evaluate((it) => it.scrollIntoView({ block: 'center' }));
};

/**
 * Sends a message, so that the page shows the prompt for push notifications. The message does not reach the
 * server, because the test fakes the response.
 */
const showPrompt = (userAgent?: string) => async (page: Page) => {
  await pretendPushSupport(page, userAgent);
  await getConversationLinks(page).first().click();
  await intercept(page, '**/rest/v1/conversations/*/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const { client_id, message_text } = route.request().postDataJSON();
    const [, conversation_id] = /conversations\/([^/]+)\//.exec(route.request().url()) ?? [];
    const session = await page.evaluate(() => localStorage.getItem('quad.session'));
    await route.fulfill({
      json: {
        id: crypto.randomUUID(),
        conversation_id,
        seq: 1_000,
        sender_id: JSON.parse(session ?? '').user.id,
        client_id,
        message_text,
        kind: 'text',
        data: null,
        created_at: new Date().toISOString(),
      },
    });
  });
  await page.getByPlaceholder('Type your message...').fill('Is it still there?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('region', { name: 'Notifications on this device' }).waitFor();
};

/**
 * The screens about push notifications. They pretend that the browser supports push notifications, because
 * the test browser always blocks them.
 */
export const pushNotificationScreens: readonly Screen[] = [
  {
    name: 'push-devices',
    path: '/profile?tab=settings&page=notifications',
    signedIn: true,
    prepare: showDevices,
  },
  {
    name: 'push-prompt',
    path: '/messages',
    signedIn: true,
    prepare: showPrompt(),
    writes: true,
    ownContext: true,
  },
  {
    name: 'push-prompt-iphone',
    path: '/messages',
    signedIn: true,
    prepare: showPrompt(iphone),
    ownContext: true,
    writes: true,
  },
];
