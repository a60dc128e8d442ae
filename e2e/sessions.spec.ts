import { type BrowserContext, expect, type Page, type Request, test } from '@playwright/test';
import { type Quad, startQuad } from './support/quad.ts';
import { openAccount } from './support/sign-in.ts';

let quad: Quad;
test.beforeAll(async () => {
  quad = await startQuad();
});
test.afterAll(() => quad.stop());

const storageKey = 'quad.session';
const refreshCall = '**/auth/v1/token?grant_type=refresh_token';
const isRefresh = (request: Request) => request.url().includes('grant_type=refresh_token');

interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_at: number;
}

let count = 0;
let context: BrowserContext;
let session: StoredSession;
test.beforeEach(async ({ browser }) => {
  count += 1;
  session = JSON.parse(await openAccount(quad, `session-${count}@usc.edu`));
  context = await browser.newContext({ baseURL: quad.url });
});
test.afterEach(() => context.close());

const keep = (page: Page, kept: object) =>
  page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    storageKey,
    JSON.stringify(kept),
  ] as const);
const kept = (page: Page): Promise<StoredSession | null> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), storageKey);
const sinceEpoch = () => Math.floor(Date.now() / 1000);

/** The session as a computer finds it that slept for longer than an hour. */
const expired = () => ({ ...session, access_token: 'one.that.expired', expires_at: sinceEpoch() - 600 });

/** A page of the site whose storage holds the session, and on which no script of ours has begun with it. */
const openWith = async (stored: object): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/favicon.svg');
  await keep(page, stored);
  return page;
};
/** What a page asks for when it refreshes. */
const watchRefreshes = (page: Page) => {
  const shown: string[] = [];
  let open = 0;
  page.on('request', (request) => {
    if (!isRefresh(request)) return;
    open += 1;
    shown.push(JSON.parse(request.postData() ?? '{}').refresh_token);
  });
  const close = (request: Request) => {
    if (isRefresh(request)) open -= 1;
  };
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  return {
    shown,
    /** Lets the page's clock run, but never while an answer is under way: that takes no time here. */
    async letPass(seconds: number, step: number): Promise<void> {
      for (let passed = 0; passed < seconds; passed += step) {
        await expect.poll(() => open).toBe(0);
        await page.clock.runFor(step * 1000);
      }
      await expect.poll(() => open).toBe(0);
    },
  };
};

/** A page that wakes with an expired session, on a clock of its own; its refreshes fail until `recover`. */
const openFailing = async (path: string) => {
  const page = await openWith(expired());
  await page.clock.install();
  const refreshes = watchRefreshes(page);
  let failing = true;
  await page.route(refreshCall, (route) =>
    failing ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
  );
  await page.goto(path);
  await expect.poll(() => refreshes.shown.length).toBeGreaterThan(0);
  const recover = () => {
    failing = false;
  };
  return { page, refreshes, recover };
};

const profile = (page: Page) => page.getByLabel('Full name');

const wakeTen = async (): Promise<{ pages: Page[]; asked: string[] }> => {
  const asked: string[] = [];
  context.on('request', (request) => {
    if (isRefresh(request)) asked.push(JSON.parse(request.postData() ?? '{}').refresh_token);
  });
  const pages = [await openWith(expired())];
  while (pages.length < 10) pages.push(await context.newPage());
  await Promise.all(pages.map((page) => page.goto('/profile-setup')));
  for (const page of pages) await expect(profile(page)).toHaveValue('Sam Student', { timeout: 30_000 });
  return { pages, asked };
};

/** The session that is kept opens doors, and can be renewed. */
const expectAlive = async (page: Page): Promise<void> => {
  const stored = await kept(page);
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
};

test('promise 8: of ten tabs waking together nobody is logged out', async () => {
  const { pages, asked } = await wakeTen();
  for (const page of pages) await expect(page).toHaveURL(/\/profile-setup$/);
  // They take turns: whoever comes later takes what is there.
  expect(asked.length).toBeLessThan(10);
  expect(new Set(asked).size).toBe(1);
  await expectAlive(pages[0] as Page);
});

test('promise 8: nor without locks between tabs, when all of them ask at once', async () => {
  await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
  const { pages } = await wakeTen();
  for (const page of pages) await expect(page).toHaveURL(/\/profile-setup$/);
  await expectAlive(pages[0] as Page);
});

test('promise 8: a tab whose refresh failed takes what another tab got, and never shows the old token again', async () => {
  const { page: slow, refreshes, recover } = await openFailing('/profile-setup');
  await slow.clock.pauseAt(Date.now() + 2_000);

  const quick = await context.newPage();
  await quick.goto('/profile-setup');
  await expect(profile(quick)).toHaveValue('Sam Student', { timeout: 30_000 });
  recover();
  const before = refreshes.shown.length;
  await refreshes.letPass(30, 1);
  expect(refreshes.shown.slice(before)).not.toContain(session.refresh_token);
  await slow.clock.resume();
  await slow.reload();
  await expect(profile(slow)).toHaveValue('Sam Student');
  await expectAlive(quick);
});

for (const trouble of [429, 502, 503, 504, 'offline'] as const) {
  test(`promise 8: ${trouble} during a refresh keeps the session, and it is tried again`, async () => {
    const page = await openWith(expired());
    let failures = 0;
    await page.route(refreshCall, async (route) => {
      failures += 1;
      if (failures > 3) return route.fallback();
      return trouble === 'offline'
        ? route.abort('internetdisconnected')
        : route.fulfill({ status: trouble, body: 'not now' });
    });
    await page.goto('/profile-setup');
    await expect.poll(() => failures).toBeGreaterThan(1);
    expect((await kept(page))?.refresh_token).toBe(session.refresh_token);
    await expect(page).toHaveURL(/\/profile-setup$/);
    await expect(profile(page)).toHaveValue('Sam Student');
    expect(failures).toBe(4);
    await expectAlive(page);
  });
}

test('promise 8: an outage longer than the back-off keeps the session until the server is back', async () => {
  const { page, refreshes, recover } = await openFailing('/my-listings');
  await refreshes.letPass(40, 1);
  await expect(page).toHaveURL(/\/my-listings$/);
  expect((await kept(page))?.refresh_token).toBe(session.refresh_token);
  // At once, then after 200 ms, doubled each time within 30 s.
  expect(refreshes.shown.length).toBeGreaterThanOrEqual(5);
  expect(refreshes.shown.length).toBeLessThanOrEqual(9);

  recover();
  await refreshes.letPass(120, 4);
  await expect.poll(async () => (await kept(page))?.refresh_token).not.toBe(session.refresh_token);
  await expectAlive(page);
});

test('the token is renewed by a tick of 30 s once 90 s or less remain', async () => {
  const page = await openWith({ ...session, expires_at: sinceEpoch() + 300 });
  await page.clock.install();
  const refreshes = watchRefreshes(page);
  await page.goto('/profile-setup');
  await expect(profile(page)).toHaveValue('Sam Student');
  await refreshes.letPass(150, 5);
  expect(refreshes.shown).toEqual([]);
  // 90 s remain after 210; by 240 there was a tick, whenever the first one came.
  await refreshes.letPass(90, 5);
  await expect.poll(() => refreshes.shown).toEqual([session.refresh_token]);
  await expect.poll(async () => (await kept(page))?.refresh_token).not.toBe(session.refresh_token);
});

test('a session that the server ended is dropped in every tab, and leads to the log-in', async () => {
  const first = await openWith(session);
  const second = await context.newPage();
  for (const page of [first, second]) {
    await page.goto('/profile-setup');
    await expect(profile(page)).toHaveValue('Sam Student');
  }
  await fetch(`${quad.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  await first.reload();
  for (const page of [first, second]) {
    await expect(page).toHaveURL(/\/login\?from=%2Fprofile-setup$/);
    expect(await kept(page)).toBeNull();
  }
});

test('losing the session on the messages leads home and says why; logging out says nothing', async () => {
  const page = await openWith(session);
  await page.goto('/messages');
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await fetch(`${quad.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  const other = await context.newPage();
  await other.goto('/profile-setup');
  await expect(page).toHaveURL(`${quad.url}/`);
  await expect(page.getByText('You were logged out')).toBeVisible();
  await expect(page.getByText('Log in again to see your messages.')).toBeVisible();
});

test('logging out in one tab leads home, and logs the others out', async () => {
  const here = await openWith(session);
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
    expect(await kept(page)).toBeNull();
  }
  const answer = await fetch(`${quad.url}/rest/v1/me`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  expect(answer.status).toBe(401);
});

test('a guarded screen shows a spinner until the session is known, then the log-in or itself', async ({
  browser,
}) => {
  const withoutScript = await browser.newContext({ baseURL: quad.url, javaScriptEnabled: false });
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
