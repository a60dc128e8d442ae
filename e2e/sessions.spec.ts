import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createAccount, logIn } from './support/sign-in.ts';
import { intercept } from './support/test.ts';

const sessionStorageKey = 'quad.session';
const isRefreshRequest = (request: Request) => request.url().includes('grant_type=refresh_token');

interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_at: number;
}

const storeSession = (page: Page, stored: object) =>
  page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    sessionStorageKey,
    JSON.stringify(stored),
  ] as const);
const readStoredSession = (page: Page): Promise<StoredSession | null> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), sessionStorageKey);

/**
 * Stores a session in a page that runs no scripts, so that no script has used the session yet; returns the
 * page.
 */
const openPageWithSession = async (context: BrowserContext, stored: object): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/favicon.svg');
  await storeSession(page, stored);
  return page;
};

for (const [name, hasLocks] of [
  ['with locks between tabs', true],
  ['without locks between tabs', false],
] as const)
  test(`promise 8: when several tabs wake up together ${name}, none is logged out`, async ({
    context,
    quad,
  }) => {
    const session: StoredSession = JSON.parse(await createAccount(quad, createUniqueEmailAddress('session')));
    // As on a computer that wakes up after more than an hour.
    const expired = {
      ...session,
      access_token: 'one.that.expired',
      expires_at: Math.floor(Date.now() / 1000) - 600,
    };
    const sentTokens: string[] = [];
    context.on('request', (request) => {
      if (isRefreshRequest(request)) sentTokens.push(JSON.parse(request.postData() ?? '{}').refresh_token);
    });
    if (!hasLocks)
      await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    const pages = [await openPageWithSession(context, expired)];
    while (pages.length < 4) pages.push(await context.newPage());
    await Promise.all(pages.map((page) => page.goto('/profile-setup')));
    for (const page of pages) await expect(page.getByLabel('Full name')).toHaveValue('Sam Student');
    for (const page of pages) await expect(page).toHaveURL(/\/profile-setup$/);
    if (hasLocks) {
      // Only one tab refreshes at a time, and later tabs use the session that an earlier tab has stored.
      expect(sentTokens.length).toBeLessThan(pages.length);
      expect(new Set(sentTokens).size).toBe(1);
    }

    const stored = await readStoredSession(pages[0] as Page);
    const me = await fetch(`${quad.url}/rest/v1/me`, {
      headers: { authorization: `Bearer ${stored?.access_token}` },
    });
    expect(me.status).toBe(200);
    const renewed = await fetch(`${quad.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: stored?.refresh_token }),
    });
    expect(renewed.status).toBe(200);
  });

test('promise 12: a log-out in one tab and a session that the server has ended log every tab out', async ({
  context,
  quad,
}) => {
  const email = createUniqueEmailAddress('session');
  const session: StoredSession = JSON.parse(await createAccount(quad, email));
  const here = await openPageWithSession(context, session);
  const [reader, messages] = [await context.newPage(), await context.newPage()];
  const accountMenu = (page: Page) => page.getByRole('button', { name: 'Account menu of Sam Student' });
  const explanation = messages.getByText('You were logged out');
  await here.goto('/my-listings');
  await reader.goto('/about');
  await messages.goto('/messages');
  for (const page of [here, reader, messages]) await expect(accountMenu(page)).toBeVisible();

  await test.step('a log-out ends the session even while the home page has not loaded', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await intercept(here, '**/_.data*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await accountMenu(here).click();
    await here.getByRole('menuitem', { name: 'Logout' }).click();
    await expect.poll(() => readStoredSession(here), { timeout: 5000 }).toBeNull();
    release();
    await expect(here).toHaveURL(/\/$/);
    await expect(messages).toHaveURL(/\/$/);
    await expect(explanation).toHaveCount(0);
    await expect(reader).toHaveURL(/\/about$/);
    for (const page of [here, reader, messages])
      await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    const { status } = await fetch(`${quad.url}/rest/v1/me`, {
      headers: { authorization: `Bearer ${session.access_token}` },
    });
    expect(status).toBe(401);
  });

  await test.step('a session that the server has ended leads to the log-in page, and from messages to the home page with an explanation', async () => {
    const next: StoredSession = JSON.parse(await logIn(quad, email));
    await storeSession(reader, next);
    await messages.goto('/messages');
    await here.goto('/profile-setup');
    await expect(messages.getByText('No conversations yet')).toBeVisible();
    await expect(here.getByLabel('Full name')).toHaveValue('Sam Student');
    await fetch(`${quad.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${next.access_token}` },
    });
    await here.reload();
    await expect(here).toHaveURL(/\/login\?from=%2Fprofile-setup$/);
    await expect(messages).toHaveURL(`${quad.url}/`);
    await expect(explanation).toBeVisible();
    await expect(messages.getByText('Log in again to see your messages.')).toBeVisible();
    expect(await readStoredSession(here)).toBeNull();
  });

  await test.step('a private screen shows a spinner until the session is known, and is left out of the history', async () => {
    const html = await (await fetch(`${quad.url}/my-listings`)).text();
    expect(html).toContain('role="status"');
    expect(html).not.toContain('My Listings</h1>');
    await here.goBack();
    await expect(here).toHaveURL(`${quad.url}/`);
  });
});
