import { type BrowserContext, expect, type Page } from '@playwright/test';
import { errorCatalog } from '#contract/errors.ts';
import { test as base } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { goOffline } from './support/screen.ts';
import { logInToDemo } from './support/sign-in.ts';
import { intercept } from './support/test.ts';

// Component tests check that every private screen shows that it is loading or has failed
// (web/routes/private-screens.browser.test.tsx).

const test = base.extend<{ baseURL: string }>({ baseURL: ({ demo }, use) => use(demo.url) });

const getErrorHeading = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'This page could not be shown' });
const getTryAgainButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Try again' }).first();
const getMainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const getOfflineBar = (page: Page) => page.getByText('You are offline. This may be out of date.');

/**
 * Opens a page and waits until the header shows the account or the Login link, which means that the
 * application has started.
 */
const openPage = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByRole('banner').getByText(/Login|Post Item/)).toBeAttached();
  return page;
};

/**
 * Navigates to a path with the page's router, so that the page neither reloads nor needs a link to the path.
 */
const navigateTo = async (page: Page, path: string): Promise<void> => {
  // After a reload the page shows its text before its scripts have loaded, so wait for the router.
  await expect.poll(() => page.evaluate(() => '__reactRouterDataRouter' in window)).toBe(true);
  await page.evaluate((to) => {
    const { __reactRouterDataRouter: router } = window as never as {
      __reactRouterDataRouter: { navigate(to: string): Promise<void> };
    };
    void router.navigate(to);
  }, path);
};

const signInContext = async (context: BrowserContext, demo: QuadServer) => {
  const session = await logInToDemo(demo);
  await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
};

/** Holds requests back until the test ends them with an HTTP status. */
const holdRequests = async (page: Page, pattern: string | RegExp) => {
  let end: (status: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  await intercept(page, pattern, async (route) => {
    const status = await ended;
    const code = status === 503 ? 'unavailable' : 'internal';
    return route.fulfill({ status, json: { code, error: 'said by the test' } });
  });
  return { end, letThrough: () => page.unroute(pattern) };
};

const listPublicPages = async (demo: QuadServer) => {
  const { items } = await (await fetch(`${demo.url}/rest/v1/listings?category=furniture`)).json();
  const [{ slug, user_id }] = items;
  return [
    { path: '/', heading: /already on campus/ },
    { path: '/browse', heading: 'Browse' },
    { path: '/category/furniture', heading: 'Furniture & Essentials' },
    { path: '/category/textbooks', heading: 'Textbooks' },
    { path: '/course/CSCI-270', heading: 'CSCI 270' },
    { path: `/listing/${slug}`, heading: /./ },
    { path: `/product/${slug}`, heading: /./ },
    { path: `/users/${user_id}`, heading: /./ },
    { path: '/search?q=desk', heading: 'Search Results' },
    { path: '/no/such/page', heading: 'Oops! Page not found' },
  ];
};

test('every public page shows that it is loading, shows an error when it fails, and loads after a retry', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext();
  const page = await openPage(context, '/about');
  const sentences = {
    500: errorCatalog.internal.sentence,
    503: errorCatalog.unavailable.sentence,
  };
  // All pages have the same error screen, so each is tested with one kind of failure.
  for (const [index, { path, heading }] of (await listPublicPages(demo)).entries()) {
    const status = index % 2 === 0 ? 500 : 503;
    const data = await holdRequests(page, /\.data(\?|$)/);
    await navigateTo(page, path);
    await expect(page.getByRole('progressbar', { name: 'Loading page' }), path).toBeVisible();
    data.end(status);
    await expect(getErrorHeading(page), path).toBeVisible();
    await data.letThrough();
    await expect(page.getByText(sentences[status])).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await getTryAgainButton(page).click();
    await expect(page.getByRole('heading', { level: 1, name: heading }).first(), path).toBeVisible();
    await expect(getErrorHeading(page)).toHaveCount(0);
    await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About Quad' })).toBeVisible();
  }
  await context.close();
});

test('a screen that throws while rendering is replaced by an error page with links', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext();
  await signInContext(context, demo);
  await openPage(context, '/about').then((it) => it.close());
  const page = await openPage(context, '/about');
  await expect(page.locator('html')).toHaveAttribute('data-returning', '');
  await page.evaluate(() => localStorage.setItem('quad.searches', '["lamp"]'));
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.locator('body > div > [role=status]:only-child').waitFor({ state: 'attached' });
  await intercept(page, '**/category/furniture.data*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"items"', '"things"') });
  });
  await navigateTo(page, '/category/furniture');
  await expect(getErrorHeading(page)).toBeFocused();
  await expect(page).toHaveURL(/\/category\/furniture$/);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-returning', '');
  expect(await page.evaluate(() => localStorage.getItem('quad.searches'))).toBe('["lamp"]');
  const header = () => page.getByRole('banner').evaluate((it) => it.getBoundingClientRect().top);
  await context.setOffline(true);
  await expect(getOfflineBar(page)).toBeVisible();
  await expect.poll(header).toBe(40);
  await context.setOffline(false);
  await expect(getOfflineBar(page)).toBeHidden();
  await getMainNavigation(page).getByRole('link', { name: 'Rentals' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Rent What You Need/ })).toBeVisible();
  await context.close();
});

test('when the connection is lost while filling in a form, the page says so, keeps the input, and can send it later', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext();
  await signInContext(context, demo);
  const page = await openPage(context, '/post-ad');
  await page.getByLabel('Title').fill('A lamp for the long nights');
  await goOffline(page);
  await expect(getOfflineBar(page)).toBeVisible();
  await page.getByRole('button', { name: 'Save as Draft' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('A lamp for the long nights');
  await context.setOffline(false);
  await expect(page.getByText('You are back online.')).toBeVisible();
  await expect(page.getByText('You are back online.')).toBeHidden();
  await page.getByRole('button', { name: 'Save as Draft' }).click();
  await expect(page.getByText('Draft saved').first()).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('A lamp for the long nights');
  await context.close();
});

test('a missing path shows a link to the home page and is logged, when opened by URL and by navigation', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto('/no/such/page?x=1');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(`${demo.url}/`);
  await navigateTo(page, '/another/missing/page');
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeFocused();
  const logged = (path: string) =>
    demo
      .output()
      .split('\n')
      .some((line) => line.includes('"missing path"') && line.includes(`"path":"${path}"`));
  await expect.poll(() => logged('/no/such/page')).toBe(true);
  await expect.poll(() => logged('/another/missing/page')).toBe(true);
  await context.close();
});

test('a URL with a malformed escape shows the not-found page, and the application keeps working', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  for (const [path, heading] of [
    ['/%', 'Oops! Page not found'],
    ['/no/such/%zz', 'Oops! Page not found'],
    ['/listing/%E0%A4%A', 'Listing Not Found'],
  ] as const) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByRole('banner').getByText(/Login/)).toBeVisible();
    await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About Quad' })).toBeVisible();
  }
  expect(errors).toEqual([]);
  await context.close();
});

test('navigation scrolls to the top, Back restores the position, and the header never covers the focus', async ({
  browser,
  demo,
}) => {
  const context = await browser.newContext({
    baseURL: demo.url,
    viewport: { width: 1280, height: 500 },
  });
  const page = await openPage(context, '/category/furniture');
  const height = () => page.evaluate(() => Math.round(window.scrollY));
  const scroll = (to: number) => page.evaluate((y) => window.scrollTo(0, y), to);
  const termsLink = page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' });
  await termsLink.scrollIntoViewIfNeeded();
  const heightOfLink = await height();
  expect(heightOfLink).toBeGreaterThan(500);
  await termsLink.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  await expect.poll(height).toBe(0);
  await scroll(400);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Furniture & Essentials' })).toBeVisible();
  await expect.poll(height).toBe(heightOfLink);
  await expect(termsLink).toBeFocused();

  await scroll(200);
  const count = page.getByText(/^\d+ items? available$/);
  const unfiltered = await count.innerText();
  await page.getByLabel('Price Range').selectOption({ index: 1 });
  await expect(page).toHaveURL(/\?/);
  // Wait for the filtered list before moving the focus, because removing the unfiltered list would also
  // remove the focused element.
  await expect(count).not.toHaveText(unfiltered);
  await expect.poll(height).toBe(200);

  await page.getByRole('contentinfo').getByRole('link').first().focus();
  for (let back = 0; back < 10; back += 1) {
    await page.keyboard.press('Shift+Tab');
    const below = await page.evaluate(() => {
      const header = document.querySelector('header')?.getBoundingClientRect();
      return (document.activeElement?.getBoundingClientRect().top ?? 0) - (header?.bottom ?? 0);
    });
    expect(below).toBeGreaterThanOrEqual(0);
  }

  // The first link removes the filter, and the second one leads to the URL that is already open.
  const furnitureLink = page.getByRole('contentinfo').getByRole('link', { name: 'Furniture' });
  for (const name of ['without the filter', 'again']) {
    await furnitureLink.click();
    await expect(page, name).toHaveURL(/\/category\/furniture$/);
    await expect.poll(height, name).toBe(0);
  }
  await context.close();
});
