import { type BrowserContext, expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { serviceWorkerRemovalScript } from '#server/pages/service-worker-removal.ts';
import { links, textPagePaths } from '#web/lib/links.ts';
import { appShellPaths } from '#web/offline/cached-pages.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import {
  getLastUsedTime,
  listCachedPaths,
  listCachedResponses,
  listUsedUrls,
  waitForServiceWorker,
} from './support/offline-cache.ts';
import { startReverseProxy } from './support/reverse-proxy.ts';
import {
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
  uploadPhoto,
} from './support/students.ts';

test.use({ serviceWorkers: 'allow' });

const title = 'Bicycle to borrow for a day';
let seller: Student;
let listing: { id: string; slug: string };
test.beforeAll(async ({ quad }) => {
  seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const photos = [await uploadPhoto(quad, seller)];
  listing = await postListing(quad, seller, title, { category: 'rentals', photos });
});

const offlineBar = (page: Page) => page.getByText('You are offline. This may be out of date.');
const getPageHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const openMainLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

/**
 * Opens a page in a new tab. On a busy machine that is offline, Chrome itself sometimes reloads the previous page of a tab,
 * and a new tab has none.
 */
const openTab = async (context: BrowserContext, path: string, name: string | RegExp): Promise<Page> => {
  const tab = await context.newPage();
  await tab.goto(path);
  await expect(getPageHeading(tab, name)).toBeVisible();
  return tab;
};

const openPageWithServiceWorker = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(path);
  await waitForServiceWorker(page);
  return page;
};

test('visited pages are readable offline; other pages show that they are not available, and open by themselves when online', async ({
  context,
  quad,
}) => {
  const page = await openPageWithServiceWorker(context, '/category/furniture');
  const product = `/product/${listing.slug}`;

  await test.step('the site can be installed: the manifest is complete, and every icon has its declared size', async () => {
    const devtools = await context.newCDPSession(page);
    const { url, errors, data } = await devtools.send('Page.getAppManifest');
    expect(url).toBe(`${quad.url}/manifest.webmanifest`);
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
    await devtools.detach();
  });

  await test.step('each visited page is cached as HTML and as data, including the page that was open before the service worker started', async () => {
    const installation = await getLastUsedTime(page, 'files');
    expect(installation).toBeGreaterThan(0);
    const lastVisit = await getLastUsedTime(page, 'pages');
    await openMainLink(page, 'Rentals');
    await page.getByRole('main').getByRole('heading', { name: title }).click();
    await expect(getPageHeading(page, title)).toBeVisible();
    for (const path of ['/category/furniture', '/category/rentals', product]) {
      await expect.poll(() => listCachedPaths(page, 'pages')).toContain(path);
      await expect.poll(() => listCachedPaths(page, 'data')).toContain(`${path}.data`);
    }
    await expect.poll(() => listCachedPaths(page, 'photos')).not.toEqual([]);
    await expect.poll(() => getLastUsedTime(page, 'pages')).toBeGreaterThan(lastVisit);
    expect(await getLastUsedTime(page, 'files')).toBe(installation);
  });

  await test.step('offline, visited pages open with their photos', async () => {
    await waitForRegistration(page);
    await context.setOffline(true);
    await expect(offlineBar(page)).toBeVisible();
    await page.reload();
    await expect(getPageHeading(page, title)).toBeVisible();
    await expect(offlineBar(page)).toBeVisible();
    const photo = page.getByRole('main').locator('img').first();
    await expect.poll(() => photo.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
    await page.goBack();
    await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
    await (await openTab(context, '/category/furniture', 'Furniture & Essentials')).close();
  });

  await test.step('the home page, /browse and all text pages open without a visit, by link and by URL', async () => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Safety Tips' }).click();
    await expect(getPageHeading(page, 'Safety Tips')).toBeVisible();
    for (const [path, name] of [
      ['/', /./],
      ['/browse?utm_source=newsletter', 'Browse'],
      ['/terms', 'Terms of Service'],
    ] as const)
      await (await openTab(context, path, name)).close();
    const screens = await listCachedPaths(page, 'screens');
    expect(screens).toEqual(expect.arrayContaining([...textPagePaths]));
  });

  await test.step('a page that was never visited says so, and opens by itself when online', async () => {
    await openMainLink(page, 'Merchandise');
    await expect(getPageHeading(page, 'You are offline')).toBeVisible();
    await expect(page).toHaveURL(/\/category\/merchandise$/);
    await (await openTab(context, '/browse?price=0-50', 'You are offline')).close();
    const tab = await openTab(context, '/category/textbooks', 'You are offline');
    const reload = tab.waitForEvent('load');
    await tab.getByRole('button', { name: 'Try again' }).click();
    await reload;
    await expect(getPageHeading(tab, 'You are offline')).toBeVisible();
    await context.setOffline(false);
    await expect(getPageHeading(tab, 'Textbooks')).toBeVisible();
    await expect(tab).toHaveURL(/\/category\/textbooks$/);
    await expect(offlineBar(tab)).toBeHidden();
    await tab.close();
  });

  await test.step('it opens by itself even if the browser fires no online event', async () => {
    await context.setOffline(true);
    // Browsers do not fire the event when the connection returns while the page is loading, or when only the
    // server was down.
    await context.addInitScript(() =>
      addEventListener('online', (event) => event.stopImmediatePropagation()),
    );
    const tab = await openTab(context, '/category/electronics', 'You are offline');
    await context.setOffline(false);
    await expect(getPageHeading(tab, 'Electronics')).toBeVisible();
  });
});

test('private data is never cached, private screens load it by themselves when online, and a log-out removes all visited pages', async ({
  browser,
  quad,
}) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const secret = 'Meet me at the fountain';
  const conversation = await openConversation(quad, buyer, listing);
  await postConversationMessage(quad, buyer, conversation, secret);
  const draftPhoto = await uploadPhoto(quad, buyer);
  await postListing(quad, buyer, 'A secret draft', { photos: [draftPhoto], status: 'draft' });
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await openPageWithServiceWorker(context, '/');
  const accountMenu = page.getByRole('banner').getByRole('button', { name: /Account menu/ });

  await test.step('every private screen is opened', async () => {
    // The form of a new listing and the setup of a profile show nothing that is stored. Messages and own listings
    // are opened below.
    const others: readonly string[] = [links.postAd, links.profileSetup, links.messages, links.myListings];
    const toured = privateScreenPaths.filter((path) => !others.includes(path));
    for (const path of [...toured, links.settings()]) {
      await page.goto(path);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await expect(accountMenu).toBeVisible();
    }
    await page.goto(`/messages?c=${conversation.id}`);
    await expect(page.getByText(secret).first()).toBeVisible();
    await page.goto('/my-listings?tab=drafts');
    await expect(page.getByText('A secret draft').first()).toBeVisible();
    await page.goto('/search?q=bicycle');
    await waitForRegistration(page);
    await page.getByRole('main').locator('a[href^="/product/"]').first().click();
    await expect(getPageHeading(page, title)).toBeVisible();
    await expect.poll(() => listCachedPaths(page, 'pages')).toContain('/search?q=bicycle');
  });

  await test.step('only public content is cached', async () => {
    const cached = await listCachedResponses(page);
    // A document of a private screen is an app shell, without data.
    const documents = ['/offline', ...textPagePaths, ...appShellPaths];
    const publicAddress =
      /^\/(assets\/[\w.-]+|browse(\.data)?|category\/[\w-]+(\.data)?|(product|listing)\/[\w-]+(\.data)?|search(\.data)?\?q=bicycle|_\.data|storage\/v1\/object\/public\/.+)?$/;
    const session = await page.evaluate(() => JSON.parse(localStorage.getItem('quad.session') ?? '{}'));
    for (const [store, entries] of Object.entries(cached)) {
      for (const { address, text } of entries) {
        if (!documents.includes(address)) expect(address, `an address in ${store}`).toMatch(publicAddress);
        for (const word of [session.access_token, session.refresh_token, secret, 'A secret draft'])
          expect(text).not.toContain(word);
      }
    }
    const folderOfPhoto = draftPhoto.split('/').at(-1)?.replace(/\..*$/, '') ?? 'none';
    for (const { address } of cached['quad-photos'] ?? []) expect(address).not.toContain(folderOfPhoto);
  });

  await test.step('a private screen opens offline, says so, and loads its data by itself when online', async () => {
    await waitForRegistration(page);
    await context.setOffline(true);
    const form = await openTab(context, '/post-ad', 'Post Your Ad');
    await expect(offlineBar(form)).toBeVisible();
    await form.close();
    const tab = await openTab(context, '/my-listings', 'My Listings');
    await expect(offlineBar(tab)).toBeVisible();
    await expect(tab.getByRole('button', { name: 'Try again' })).toBeVisible();
    await context.setOffline(false);
    await expect(tab.getByText('You are back online.')).toBeVisible();
    await expect(tab.getByRole('button', { name: 'Try again' })).toBeHidden();
    await expect(tab.getByRole('tab', { name: /Drafts/ })).toBeVisible();
    await tab.close();
  });

  await test.step('logging out removes what was visited and searched', async () => {
    await page.evaluate(() => localStorage.setItem('quad.searches', '["bicycle"]'));
    await accountMenu.click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('quad.searches'))).toBe(null);
    await expect.poll(() => listCachedPaths(page, 'pages')).not.toContain('/search?q=bicycle');
    await expect.poll(() => listCachedPaths(page, 'data')).not.toContain('/search.data?q=bicycle');
    await expect.poll(async () => (await listUsedUrls(page)).join()).not.toContain('/search?q=bicycle');
  });
  await context.close();
});

test('a page that does not load in time is shown from the cache, and a new version is activated by itself', async ({
  browser,
  quad,
}) => {
  const proxy = await startReverseProxy(quad.url);
  const context = await browser.newContext({ baseURL: proxy.url });
  // Cache keys spell the "%20" as "+", but the page's URL keeps it.
  const path = '/category/furniture?from=a%20link';
  const page = await openPageWithServiceWorker(context, path);
  // The status itself has no height, because the bar inside it is fixed.
  const notice = page.getByRole('status').getByText('This may be out of date.', { exact: true });
  const reportButton = page.getByRole('button', { name: 'Report Listing' });

  await test.step('a page that does not load in time is shown from the cache, with a notice that it may be out of date', async () => {
    await expect.poll(() => listCachedPaths(page, 'pages')).toContain('/category/furniture?from=a+link');
    const unblock = proxy.block(path);
    await page.goto(path);
    await expect(getPageHeading(page, 'Furniture & Essentials')).toBeVisible();
    await expect(notice).toBeVisible();
    await expect(page.getByRole('status').getByRole('button', { name: 'Reload' })).toBeVisible();
    await openMainLink(page, 'Rentals');
    await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
    await expect(notice).toBeHidden();
    // A pending request would delay the activation of a new service worker.
    unblock();
  });

  await test.step('an open tab still finds its files when a new version is activated', async () => {
    await page.goto(`/listing/${listing.slug}`);
    await expect(reportButton).toBeVisible();
    await page.evaluate(() => Object.assign(window, { oldScripts: true }));
    await waitForRegistration(page);
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
    await reportButton.click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => 'oldScripts' in window)).toBe(true);
  });

  await test.step('the next link loads the new version', async () => {
    await openMainLink(page, 'Rentals');
    await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
    expect(await page.evaluate(() => 'oldScripts' in window)).toBe(false);
  });

  await test.step('a page that no longer exists is removed from the cache', async () => {
    for (const store of ['pages', 'data'] as const) {
      const extension = store === 'data' ? '.data' : '';
      await expect.poll(() => listCachedPaths(page, store)).toContain(`/category/rentals${extension}`);
    }
    await waitForRegistration(page);
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

  await test.step('a worker that is not wanted any more deletes its caches and handles no requests', async () => {
    await page.goto('/about');
    await waitForRegistration(page);
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

/**
 * Waits for the offline bar, because the script that adds the bar also registers the service worker and watches for new
 * versions.
 */
const waitForRegistration = (page: Page) =>
  expect(page.locator('body > div > [role=status]:only-child')).toBeAttached();
