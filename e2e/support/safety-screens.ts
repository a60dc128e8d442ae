import { expect, type Page } from '@playwright/test';
import { reloadUntilReady } from './hydration.ts';
import { createDialogOpener, getConversationLinks, openFirstThread, type Screen } from './screen.ts';
import { intercept } from './test.ts';

/**
 * Shows the page as if the signed-in person had blocked this user, without blocking anybody on the server.
 */
const pretendBlocked = (userId: string) => async (page: Page) => {
  await intercept(page, '**/rest/v1/me/blocks/ids', (route) =>
    route.fulfill({ json: { user_ids: [userId] } }),
  );
  await reloadUntilReady(page);
  await page
    .getByRole('button', { name: /^Unblock/ })
    .first()
    .waitFor();
};

const showBlockedPeople = async (page: Page): Promise<void> => {
  const people = ['Maya Lindqvist', 'Somebody with a name that does not fit into a single line'];
  const items = people.map((name, index) => ({
    user: { id: crypto.randomUUID(), name, avatar_url: null, usc_verified: index === 0 },
    blocked_at: '2026-03-02T10:00:00.000Z',
  }));
  await intercept(page, '**/rest/v1/me/blocks', (route) =>
    route.fulfill({ json: { items, next_cursor: null } }),
  );
  await reloadUntilReady(page);
  const section = page.getByRole('region', { name: 'Blocked people' });
  await section.getByRole('link').first().waitFor();
  await section.evaluate((it) => it.scrollIntoView({ block: 'center' }));
};

const openThreadMenu = async (page: Page): Promise<void> => {
  await openFirstThread(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menu').waitFor();
};

const reportMessage = async (page: Page): Promise<void> => {
  const item = page.getByRole('menuitem', { name: 'Report a message' });
  // The menu may just be closing, because it closes when the window is resized.
  await expect(async () => {
    if (!(await item.isVisible())) await page.getByRole('button', { name: 'More', exact: true }).click();
    await item.click({ timeout: 2000 });
  }).toPass();
  await page.getByRole('dialog').waitFor();
};

/** Shows the first conversation as if the signed-in person had blocked the other party. */
const showBlockedThread = async (page: Page): Promise<void> => {
  const otherIds = Promise.withResolvers<string[]>();
  await intercept(page, '**/rest/v1/conversations', async (route) => {
    const response = await route.fetch();
    const { items, next_cursor } = await response.json();
    otherIds.resolve(items.map((item: { other: { id: string } }) => item.other.id));
    const closed = items.map((item: object) => ({ ...item, may_write: false }));
    await route.fulfill({ response, json: { items: closed, next_cursor } });
  });
  // A message that another screen sends meanwhile makes the page load its conversation again.
  await intercept(page, /\/rest\/v1\/conversations\/(?!unread$)[^/?]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), may_write: false } });
  });
  await intercept(page, '**/rest/v1/me/blocks/ids', async (route) =>
    route.fulfill({ json: { user_ids: await otherIds.promise } }),
  );
  await reloadUntilReady(page);
  await getConversationLinks(page).first().click();
  await page.getByRole('button', { name: /^Unblock/ }).waitFor();
};

export const listSafetyScreens = (slug: string, sellerId: string, user: string): Screen[] => [
  {
    name: 'block-dialog',
    path: `/users/${user}`,
    signedIn: true,
    prepare: createDialogOpener(/^Block /),
  },
  { name: 'user-blocked', path: `/users/${user}`, signedIn: true, prepare: pretendBlocked(user) },
  {
    name: 'listing-blocked',
    path: `/listing/${slug}`,
    signedIn: true,
    prepare: pretendBlocked(sellerId),
  },
  {
    name: 'listing-report',
    path: `/listing/${slug}`,
    signedIn: true,
    prepare: createDialogOpener('Report Listing'),
  },
  {
    name: 'blocked-people',
    path: '/profile?tab=settings&page=privacy',
    signedIn: true,
    prepare: showBlockedPeople,
  },
  { name: 'thread-blocked', path: '/messages', signedIn: true, prepare: showBlockedThread },
  {
    name: 'thread-menu',
    path: '/messages',
    signedIn: true,
    prepare: openThreadMenu,
    further: [
      { name: 'report-message', prepare: reportMessage },
      {
        name: 'report-message-quote',
        prepare: async (page) => {
          await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click();
          await page.getByRole('region', { name: 'These messages are sent with your report' }).waitFor();
        },
      },
    ],
  },
];
