import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { createAccount } from './support/sign-in.ts';
import { intercept } from './support/test.ts';

// The tests of this file are independent of each other, so they run in several workers.
test.describe.configure({ mode: 'parallel' });

let quadServer: QuadServer;
test.beforeAll(async ({ quad }) => {
  quadServer = quad;
});

const sessionStorageKey = 'quad.session';
const refreshUrlPattern = '**/auth/v1/token?grant_type=refresh_token';
const isRefreshRequest = (request: Request) => request.url().includes('grant_type=refresh_token');

interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_at: number;
}

let context: BrowserContext;
let session: StoredSession;
test.beforeEach(async ({ browser }) => {
  session = JSON.parse(await createAccount(quadServer, createUniqueEmailAddress('session')));
  context = await browser.newContext({ baseURL: quadServer.url });
});
test.afterEach(() => context.close());

const storeSession = (page: Page, stored: object) =>
  page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    sessionStorageKey,
    JSON.stringify(stored),
  ] as const);
const readStoredSession = (page: Page): Promise<StoredSession | null> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), sessionStorageKey);
const getEpochSeconds = () => Math.floor(Date.now() / 1000);

/**
 * Returns the session with an expired access token, as on a computer that wakes up after more than an hour.
 */
const createExpiredSession = () => ({
  ...session,
  access_token: 'one.that.expired',
  expires_at: getEpochSeconds() - 600,
});

/**
 * Stores a session in a page that runs no scripts, so that no script has used the session yet; returns the
 * page.
 */
const openPageWithSession = async (stored: object): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/favicon.svg');
  await storeSession(page, stored);
  return page;
};
/** Records the refresh tokens that a page sends. */
const watchRefreshes = (page: Page) => {
  const sentTokens: string[] = [];
  page.on('request', (request) => {
    if (isRefreshRequest(request)) sentTokens.push(JSON.parse(request.postData() ?? '{}').refresh_token);
  });
  return {
    sentTokens,
    /**
     * Advances the page's clock in steps of `step` seconds. After each step, waits for the lock that the
     * page holds during a refresh. Without this wait, the clock could run ahead of a refresh that a step has
     * started, as if the response took many seconds.
     */
    async advanceClock(seconds: number, step: number): Promise<void> {
      for (let passed = 0; passed < seconds; passed += step) {
        await page.clock.runFor(step * 1000);
        await page.evaluate(() => navigator.locks.request('quad.refresh', () => undefined));
      }
    },
  };
};

/**
 * Opens a page that has an expired session and a clock that the test controls. The page's token
 * refreshes fail until `recover` is called.
 */
const openWithFailingRefresh = async (path: string) => {
  const page = await openPageWithSession(createExpiredSession());
  await page.clock.install();
  const refreshes = watchRefreshes(page);
  let failing = true;
  await intercept(page, refreshUrlPattern, (route) =>
    failing ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  await page.goto(path);
  await expect.poll(() => refreshes.sentTokens.length).toBeGreaterThan(0);
  const recover = () => {
    failing = false;
  };
  return { page, refreshes, recover };
};

const getNameField = (page: Page) => page.getByLabel('Full name');

const wakeTenTabs = async (): Promise<{ pages: Page[]; sentTokens: string[] }> => {
  const sentTokens: string[] = [];
  context.on('request', (request) => {
    if (isRefreshRequest(request)) sentTokens.push(JSON.parse(request.postData() ?? '{}').refresh_token);
  });
  const pages = [await openPageWithSession(createExpiredSession())];
  while (pages.length < 10) pages.push(await context.newPage());
  await Promise.all(pages.map((page) => page.goto('/profile-setup')));
  for (const page of pages) await expect(getNameField(page)).toHaveValue('Sam Student', { timeout: 30_000 });
  return { pages, sentTokens };
};

/** Expects that the stored session is valid and can be refreshed. */
const expectValidSession = async (page: Page): Promise<void> => {
  const stored = await readStoredSession(page);
  const me = await fetch(`${quadServer.url}/rest/v1/me`, {
    headers: { authorization: `Bearer ${stored?.access_token}` },
  });
  expect(me.status).toBe(200);
  const renewed = await fetch(`${quadServer.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: stored?.refresh_token }),
  });
  expect(renewed.status).toBe(200);
};

test('promise 8: when ten tabs wake up together, none is logged out', async () => {
  const { pages, sentTokens } = await wakeTenTabs();
  for (const page of pages) await expect(page).toHaveURL(/\/profile-setup$/);
  // Only one tab refreshes at a time, and later tabs use the session that an earlier tab has stored. The ten
  // tabs therefore send fewer than ten refreshes.
  expect(sentTokens.length).toBeLessThan(10);
  expect(new Set(sentTokens).size).toBe(1);
  await expectValidSession(pages[0] as Page);
});

test('promise 8: without locks between tabs, ten tabs that refresh at once are not logged out either', async () => {
  await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
  const { pages } = await wakeTenTabs();
  for (const page of pages) await expect(page).toHaveURL(/\/profile-setup$/);
  await expectValidSession(pages[0] as Page);
});

test('promise 8: a tab whose refresh failed uses the session of another tab, and never sends the old token again', async () => {
  const { page: slow, refreshes, recover } = await openWithFailingRefresh('/profile-setup');
  await slow.clock.pauseAt(Date.now() + 2_000);

  const quick = await context.newPage();
  await quick.goto('/profile-setup');
  await expect(getNameField(quick)).toHaveValue('Sam Student', { timeout: 30_000 });
  recover();
  const before = refreshes.sentTokens.length;
  await refreshes.advanceClock(30, 1);
  expect(refreshes.sentTokens.slice(before)).not.toContain(session.refresh_token);
  await slow.clock.resume();
  await slow.reload();
  await expect(getNameField(slow)).toHaveValue('Sam Student');
  await expectValidSession(quick);
});

for (const trouble of [429, 502, 503, 504, 'offline'] as const) {
  test(`promise 8: ${trouble} during a refresh keeps the session, and the refresh is retried`, async () => {
    const page = await openPageWithSession(createExpiredSession());
    let failures = 0;
    await intercept(page, refreshUrlPattern, async (route) => {
      failures += 1;
      if (failures > 3) return route.fallback();
      return trouble === 'offline'
        ? route.abort('internetdisconnected')
        : route.fulfill({ status: trouble, body: 'not now' });
    });
    await page.goto('/profile-setup');
    await expect.poll(() => failures).toBeGreaterThan(1);
    expect((await readStoredSession(page))?.refresh_token).toBe(session.refresh_token);
    await expect(page).toHaveURL(/\/profile-setup$/);
    await expect(getNameField(page)).toHaveValue('Sam Student');
    expect(failures).toBe(4);
    await expectValidSession(page);
  });
}

test('promise 8: an outage longer than the back-off keeps the session until the server is back', async () => {
  const { page, refreshes, recover } = await openWithFailingRefresh('/my-listings');
  await refreshes.advanceClock(40, 1);
  await expect(page).toHaveURL(/\/my-listings$/);
  expect((await readStoredSession(page))?.refresh_token).toBe(session.refresh_token);
  // The client sends the first refresh immediately and retries for 30 s. The first delay is 200 ms, and each
  // further delay is twice as long as the previous one.
  expect(refreshes.sentTokens.length).toBeGreaterThanOrEqual(5);
  expect(refreshes.sentTokens.length).toBeLessThanOrEqual(9);

  recover();
  await refreshes.advanceClock(120, 4);
  await expect
    .poll(async () => (await readStoredSession(page))?.refresh_token)
    .not.toBe(session.refresh_token);
  await expectValidSession(page);
});

test('the timer that runs every 30 s renews a token that expires within 90 s', async () => {
  const page = await openPageWithSession({ ...session, expires_at: getEpochSeconds() + 300 });
  await page.clock.install();
  const refreshes = watchRefreshes(page);
  await page.goto('/profile-setup');
  await expect(getNameField(page)).toHaveValue('Sam Student');
  await refreshes.advanceClock(150, 5);
  expect(refreshes.sentTokens).toEqual([]);
  // The token expires 300 s after the start of the test and is due for renewal from 210 s on. The timer runs
  // every 30 s, so the renewal happens after 240 s at the latest.
  await refreshes.advanceClock(90, 5);
  await expect.poll(() => refreshes.sentTokens).toEqual([session.refresh_token]);
  await expect
    .poll(async () => (await readStoredSession(page))?.refresh_token)
    .not.toBe(session.refresh_token);
});

test('a session that the server has ended is removed in every tab, which then show the log-in page', async () => {
  const first = await openPageWithSession(session);
  const second = await context.newPage();
  for (const page of [first, second]) {
    await page.goto('/profile-setup');
    await expect(getNameField(page)).toHaveValue('Sam Student');
  }
  await fetch(`${quadServer.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  await first.reload();
  for (const page of [first, second]) {
    await expect(page).toHaveURL(/\/login\?from=%2Fprofile-setup$/);
    expect(await readStoredSession(page)).toBeNull();
  }
});

test('losing the session on the messages screen leads to the home page with an explanation', async () => {
  const page = await openPageWithSession(session);
  await page.goto('/messages');
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await fetch(`${quadServer.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  const other = await context.newPage();
  await other.goto('/profile-setup');
  await expect(page).toHaveURL(`${quadServer.url}/`);
  await expect(page.getByText('You were logged out')).toBeVisible();
  await expect(page.getByText('Log in again to see your messages.')).toBeVisible();
});

test('logging out in one tab leads to the home page, and logs the other tabs out', async () => {
  const here = await openPageWithSession(session);
  const [reader, messages] = [await context.newPage(), await context.newPage()];
  await here.goto('/my-listings');
  await reader.goto('/about');
  await messages.goto('/messages');
  for (const page of [here, reader, messages]) {
    await expect(page.getByRole('button', { name: 'Account menu of Sam Student' })).toBeVisible();
  }
  await here.getByRole('button', { name: 'Account menu of Sam Student' }).click();
  await here.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(here).toHaveURL(/\/$/);
  await expect(messages).toHaveURL(/\/$/);
  await expect(messages.getByText('You were logged out')).toHaveCount(0);
  await expect(reader).toHaveURL(/\/about$/);
  for (const page of [here, reader, messages]) {
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    expect(await readStoredSession(page)).toBeNull();
  }
  const answer = await fetch(`${quadServer.url}/rest/v1/me`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  expect(answer.status).toBe(401);
});

test('promise 12: logging out ends the session even while the home page has not loaded', async () => {
  const page = await openPageWithSession(session);
  await page.goto('/my-listings');
  await page.getByRole('button', { name: 'Account menu of Sam Student' }).click();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '**/_.data*', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect.poll(() => readStoredSession(page), { timeout: 5000 }).toBeNull();
  release();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
});

test('a guarded screen shows a spinner until the session is known, then the log-in page', async ({
  browser,
}) => {
  const withoutScript = await browser.newContext({ baseURL: quadServer.url, javaScriptEnabled: false });
  const still = await withoutScript.newPage();
  await still.goto('/my-listings');
  await expect(still.getByRole('status')).toBeVisible();
  await expect(still.getByRole('heading', { name: 'My Listings' })).toHaveCount(0);
  await withoutScript.close();

  const page = await context.newPage();
  await page.goto('/about');
  await page.goto('/my-listings?tab=sold');
  await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings%3Ftab%3Dsold$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});
