import { type BrowserContext, expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { serviceWorkerRemovalScript } from '#server/pages/service-worker-removal.ts';
import { links, textPagePaths } from '#web/lib/links.ts';
import { appShellPaths } from '#web/offline/cached-pages.ts';
import { startDemoServer } from './support/demo.ts';
import {
  getLastUsedTime,
  listCachedPaths,
  listCachedResponses,
  waitForServiceWorker,
} from './support/offline-cache.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { startReverseProxy } from './support/reverse-proxy.ts';
import { logInToDemo } from './support/sign-in.ts';
import { test } from './support/test.ts';

test.use({ serviceWorkers: 'allow' });

let demoServer: QuadServer;
test.beforeAll(async () => {
  demoServer = await startDemoServer();
});
test.afterAll(() => demoServer.stop());

const offlineBar = (page: Page) => page.getByText('You are offline. This may be out of date.');
const getPageHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

const openAndExpectHeading = async (page: Page, path: string, name: string | RegExp): Promise<void> => {
  const pathname = path.replace(/\?.*/, '');
  // Repeat the navigation: on a busy machine that is offline, Chrome itself sometimes reloads the previous page.
  await expect(async () => {
    await page.goto(path);
    await expect(page).toHaveURL((url) => url.pathname === pathname, { timeout: 2000 });
  }).toPass();
  await expect(getPageHeading(page, name)).toBeVisible();
};

const openPageWithServiceWorker = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(path);
  await waitForServiceWorker(page);
  return page;
};

/** Signs a browser context in; returns the tokens of the session. */
const signInContext = async (context: BrowserContext): Promise<{ access: string; refresh: string }> => {
  const session = await logInToDemo(demoServer);
  await context.addInitScript((stored) => {
    // Store the session only once, so that pages that are loaded after the log-out stay logged out.
    if (!localStorage.getItem('signed-in-before')) localStorage.setItem('quad.session', stored);
    localStorage.setItem('signed-in-before', 'yes');
  }, session);
  const { access_token, refresh_token } = JSON.parse(session);
  return { access: access_token, refresh: refresh_token };
};

test('the site can be installed: the manifest is complete, and every icon has its declared size', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const page = await openPageWithServiceWorker(context, '/');
  const devtools = await context.newCDPSession(page);
  const { url, errors, data } = await devtools.send('Page.getAppManifest');
  expect(url).toBe(`${demoServer.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  const manifest = JSON.parse(data ?? '');
  expect(manifest).toMatchObject({ short_name: 'Quad', start_url: '/', scope: '/', display: 'standalone' });
  expect(manifest.shortcuts.map((it: { name: string }) => it.name)).toEqual(['Post Item', 'Messages']);
  for (const { src, sizes } of [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const answer = await page.request.get(src);
    const { format, width, height } = await sharp(await answer.body()).metadata();
    expect(`${format} ${width}x${height}`, src).toBe(`png ${sizes}`);
  }
  await context.close();
});

test('visited pages are readable offline; other pages show that they are not available, and open by themselves when online', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const page = await openPageWithServiceWorker(context, '/category/furniture');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rentals' }).click();
  await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
  const card = page.getByRole('main').locator('a[href^="/product/"]').first();
  const title = (await card.textContent()) ?? '';
  const product = (await card.getAttribute('href')) ?? '';
  await card.click();
  await expect(getPageHeading(page, title)).toBeVisible();
  // Each page is cached as HTML and as data, including the page that was open before the service worker started.
  for (const path of ['/category/furniture', '/category/rentals', product]) {
    await expect.poll(() => listCachedPaths(page, 'pages')).toContain(path);
    await expect.poll(() => listCachedPaths(page, 'data')).toContain(`${path}.data`);
  }
  await expect.poll(() => listCachedPaths(page, 'photos')).not.toEqual([]);

  await context.setOffline(true);
  await expect(offlineBar(page)).toBeVisible();
  await page.reload();
  await expect(getPageHeading(page, title)).toBeVisible();
  await expect(offlineBar(page)).toBeVisible();
  const photo = page.getByRole('main').locator('img').first();
  await expect.poll(() => photo.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
  await page.goBack();
  await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
  await openAndExpectHeading(page, '/category/furniture', 'Furniture & Essentials');

  // The home page, /browse and all text pages are cached without a visit. They must open both by link and by
  // URL.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Safety Tips' }).click();
  await expect(getPageHeading(page, 'Safety Tips')).toBeVisible();
  const texts = [
    ['/', /./],
    ['/browse', 'Browse'],
    ['/browse?utm_source=newsletter', 'Browse'],
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
    ['/how-it-works', 'How It Works'],
    ['/guidelines', 'Community Guidelines'],
    ['/about', 'About Quad'],
    ['/careers', 'Careers'],
    ['/contact', 'Contact'],
  ] as const;
  for (const [path, name] of texts) {
    await openAndExpectHeading(page, path, name);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  }

  // A page that was never visited must show that it is not available, whether opened by link or by URL.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Merchandise' }).click();
  await expect(getPageHeading(page, 'You are offline')).toBeVisible();
  await expect(page).toHaveURL(/\/category\/merchandise$/);
  await openAndExpectHeading(page, '/browse?price=0-50', 'You are offline');
  await openAndExpectHeading(page, '/category/textbooks', 'You are offline');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(getPageHeading(page, 'You are offline')).toBeVisible();
  await context.setOffline(false);
  await expect(getPageHeading(page, 'Textbooks')).toBeVisible();
  await expect(page).toHaveURL(/\/category\/textbooks$/);
  await expect(offlineBar(page)).toBeHidden();
  await context.close();
});

test('a page that was never visited opens by itself when online, even if the browser fires no online event', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const page = await openPageWithServiceWorker(context, '/');
  await context.setOffline(true);
  // Suppresses the `online` event. Browsers do not fire it when the connection returns while the
  // page is loading, or when only the server was down.
  await page.addInitScript(() => addEventListener('online', (event) => event.stopImmediatePropagation()));
  await openAndExpectHeading(page, '/category/textbooks', 'You are offline');
  await context.setOffline(false);
  await expect(getPageHeading(page, 'Textbooks')).toBeVisible();
  await context.close();
});

test('a private screen opens offline, says so, and loads its data by itself when online', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  await signInContext(context);
  const page = await openPageWithServiceWorker(context, '/');
  await context.setOffline(true);
  for (const [path, name] of [
    ['/messages', 'Messages'],
    ['/post-ad', 'Post Your Ad'],
    ['/profile/edit', 'Edit Profile'],
    ['/my-listings', 'My Listings'],
  ] as const) {
    await openAndExpectHeading(page, path, name);
    await expect(offlineBar(page)).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are back online.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
  await context.close();
});

test('opening a page updates the last-used time of the cached page, but not that of its files', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const page = await openPageWithServiceWorker(context, '/category/furniture');
  const installation = await getLastUsedTime(page, 'files');
  expect(installation).toBeGreaterThan(0);
  for (const path of ['/category/rentals', '/category/furniture']) {
    const lastVisit = await getLastUsedTime(page, 'pages');
    await openAndExpectHeading(page, path, /./);
    await expect.poll(() => getLastUsedTime(page, 'pages')).toBeGreaterThan(lastVisit);
  }
  expect(await getLastUsedTime(page, 'files')).toBe(installation);
  await context.close();
});

test('private data is never cached, and a log-out removes all visited pages', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const { access, refresh } = await signInContext(context);
  const page = await openPageWithServiceWorker(context, '/');
  const secret = `Meet me at the fountain ${Date.now()}`;

  await test.step('a tour of everything that is private', async () => {
    // The last screen stays open for the next step. The form of a new listing and the setup of a profile show
    // nothing that is stored.
    const withoutData: readonly string[] = [links.postAd, links.profileSetup, links.messages];
    const toured = privateScreenPaths.filter((path) => !withoutData.includes(path));
    for (const path of [...toured, links.settings, links.messages]) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await expect(page.getByRole('banner').getByRole('button', { name: /Account menu/ })).toBeVisible();
    }
    await page.getByRole('main').getByRole('list').getByRole('link').first().click();
    await page.getByPlaceholder('Type your message...').fill(secret);
    await page.getByPlaceholder('Type your message...').press('Enter');
    await expect(page.getByText(secret).first()).toBeVisible();
    await page.goto('/post-ad');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A secret draft');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(await createPhotoFile('draft.jpg', { r: 20, g: 120, b: 90 }));
    await expect(page.getByRole('img', { name: /^Preview of photo/ })).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.getByRole('button', { name: 'Save as Draft' }).click();
    await expect(page.getByText('Draft saved').first()).toBeVisible();
    await page.goto('/my-listings');
    await page.getByRole('tab', { name: /Drafts/ }).click();
    await expect(page.getByText('A secret draft').first()).toBeVisible();
    await page.goto('/search?q=desk');
    await page.getByRole('main').locator('a[href^="/product/"]').first().click();
    await expect(page.getByRole('heading', { name: 'Similar Items' })).toBeVisible();
    await expect.poll(() => listCachedPaths(page, 'pages')).toContain('/search?q=desk');
  });

  await test.step('what is kept is public', async () => {
    const kept = await listCachedResponses(page);
    // A document of a private screen is an app shell, without data.
    const documents = ['/offline', ...textPagePaths, ...appShellPaths];
    const publicAddress =
      /^\/(assets\/[\w.-]+|browse(\.data)?|category\/[\w-]+(\.data)?|(product|listing)\/[\w-]+(\.data)?|search(\.data)?\?q=desk|_\.data|storage\/v1\/object\/public\/.+)?$/;
    for (const [store, entries] of Object.entries(kept)) {
      for (const { address, text } of entries) {
        if (!documents.includes(address)) expect(address, `an address in ${store}`).toMatch(publicAddress);
        for (const word of [access, refresh, secret, 'A secret draft']) expect(text).not.toContain(word);
      }
    }
    const own = await page.request.get('/rest/v1/me/listings', {
      headers: { authorization: `Bearer ${access}` },
    });
    const draft = (await own.json()).items.find((it: { title: string }) => it.title === 'A secret draft') as {
      images: { url: string }[];
    };
    const folderOfPhoto = draft.images[0]?.url.split('/').at(-1)?.replace(/\..*$/, '') ?? 'none';
    for (const { address } of kept['quad-photos'] ?? []) expect(address).not.toContain(folderOfPhoto);
  });

  await test.step('logging out forgets what was read', async () => {
    const searches = () => page.evaluate(() => localStorage.getItem('quad.searches'));
    await page.evaluate(() => localStorage.setItem('quad.searches', '["desk"]'));
    await page
      .getByRole('banner')
      .getByRole('button', { name: /Account menu/ })
      .click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    await expect.poll(searches).toBe(null);
    await expect.poll(() => listCachedPaths(page, 'pages')).not.toContain('/search?q=desk');
    await expect.poll(() => listCachedPaths(page, 'data')).not.toContain('/search.data?q=desk');
    const listed = () =>
      page.evaluate(async () => {
        const open = indexedDB.open('workbox-expiration');
        const database = await new Promise<IDBDatabase>((done) => {
          open.onsuccess = () => done(open.result);
        });
        const all = database.transaction('cache-entries').objectStore('cache-entries').getAll();
        const entries = await new Promise<unknown[]>((done) => {
          all.onsuccess = () => done(all.result);
        });
        database.close();
        return JSON.stringify(entries);
      });
    await expect.poll(listed).not.toContain('/search?q=desk');
  });
  await context.close();
});

test('a page that does not load in time is shown from the cache, with a notice that it may be out of date', async ({
  browser,
}) => {
  const proxy = await startReverseProxy(demoServer.url);
  const context = await browser.newContext({ baseURL: proxy.url });
  // Cache keys spell the "%20" as "+", but the page's URL keeps it.
  const path = '/category/furniture?from=a%20link';
  const page = await openPageWithServiceWorker(context, path);
  await expect.poll(() => listCachedPaths(page, 'pages')).toContain('/category/furniture?from=a+link');
  proxy.block(path);
  await openAndExpectHeading(page, path, 'Furniture & Essentials');
  // The status itself has no height, because the bar inside it is fixed.
  const notice = page.getByRole('status').getByText(/^This may be out of date\./);
  await expect(notice.getByRole('button', { name: 'Reload' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rentals' }).click();
  await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
  await expect(notice).toBeHidden();

  await test.step('a page that no longer exists is removed from the cache', async () => {
    for (const store of ['pages', 'data'] as const) {
      const extension = store === 'data' ? '.data' : '';
      await expect.poll(() => listCachedPaths(page, store)).toContain(`/category/rentals${extension}`);
    }
    proxy.respondNotFound('/category/rentals');
    await page.goto('/category/rentals');
    await expect.poll(() => listCachedPaths(page, 'pages')).not.toContain('/category/rentals');
    await expect.poll(() => listCachedPaths(page, 'data')).not.toContain('/category/rentals.data');
  });
  await test.step('a page that was cached without a visit says so too', async () => {
    proxy.disconnect('/');
    await page.goto('/');
    await expect(notice).toBeVisible();
  });
  await context.close();
  await proxy.close();
});

test('a new version is activated by itself: an open tab still finds its files, and its next link loads the new version', async ({
  browser,
}) => {
  const proxy = await startReverseProxy(demoServer.url);
  const context = await browser.newContext({ baseURL: proxy.url });
  await (await openPageWithServiceWorker(context, '/')).close();
  const page = await openPageWithServiceWorker(context, '/category/furniture');
  await page.getByRole('main').locator('a[href^="/product/"]').first().click();
  await expect(page.getByRole('button', { name: 'Report Listing' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { oldScripts: true }));
  const isOld = () => page.evaluate(() => 'oldScripts' in window);
  // Wait for the offline bar, because the script that adds the bar also registers the service
  // worker and watches for new versions.
  const offlineBar = page.locator('body > div > [role=status]:only-child');
  await expect(offlineBar).toBeAttached();

  // Add the listener before sw.js changes. Registering the service worker also fetches sw.js, so the page may
  // find the new version even before the `update` call below.
  await page.evaluate(() =>
    navigator.serviceWorker.addEventListener('controllerchange', () =>
      Object.assign(window, { replaced: true }),
    ),
  );
  proxy.change('/sw.js', (text) => `${text}\n// a later version\n`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  // The timeout is long, because the new worker fetches files and screens sequentially before it is
  // activated.
  await expect.poll(() => page.evaluate(() => 'replaced' in window), { timeout: 60_000 }).toBe(true);
  // Simulates a deployment that has removed the files of the previous build.
  proxy.respondNotFound('/assets/report-dialog');
  await page.getByRole('button', { name: 'Report Listing' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await isOld()).toBe(true);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rentals' }).click();
  await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
  expect(await isOld()).toBe(false);

  await test.step('a worker that is not wanted any more drops what it kept and answers nothing', async () => {
    // Wait for the offline bar, because the script that adds the bar also registers the service worker. If
    // this registration happened during the removal below, the browser would keep the worker.
    await expect(offlineBar).toBeAttached();
    proxy.change('/sw.js', () => serviceWorkerRemovalScript);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    const isGone = async () => !(await navigator.serviceWorker.getRegistration());
    // The timeout is long, because the retiring worker checks repeatedly for remaining caches, for
    // up to ten seconds.
    await expect.poll(() => page.evaluate(isGone), { timeout: 40_000 }).toBe(true);
    expect(Object.keys(await listCachedResponses(page))).toEqual([]);
    await page.reload();
    await context.setOffline(true);
    await expect(page.reload()).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  });
  await context.close();
  await proxy.close();
});
