import { type Browser, expect, type Page } from '@playwright/test';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { lazyScriptMessages } from '#web/lib/lazy-script.ts';
import { startDemoServer } from './support/demo.ts';
import type { QuadServer } from './support/quad-server.ts';
import { logInToDemo } from './support/sign-in.ts';
import { openSignedInBrowser, signUp } from './support/students.ts';
import { intercept, test } from './support/test.ts';

let demoServer: QuadServer;
let listingPath: string;
test.beforeAll(async () => {
  demoServer = await startDemoServer();
  const { items } = await (await fetch(`${demoServer.url}/rest/v1/listings?category=furniture`)).json();
  listingPath = `/listing/${items[1].slug}`;
});
test.afterAll(() => demoServer.stop());

const listLazyDialogs = () => [
  { path: listingPath, button: 'Message Seller', script: 'sign-in-required-dialog' },
  { path: listingPath, button: 'Report Listing', script: 'report-dialog' },
  { path: listingPath, button: 'View photos full screen', script: 'photo-viewer' },
  { path: '/careers', button: /^Apply Now/, script: 'application-dialog' },
  { path: '/privacy', button: 'Request Data Deletion', script: 'deletion-dialog' },
];

/**
 * Opens a page and waits for the header's Login link, which appears once the application has
 * started, and for the restoration of scroll positions, whose scripts are loaded after that. If the page
 * went offline while these scripts were loading, Chrome would never load a dialog that imports one of them.
 */
const openPage = async (browser: Browser, path: string): Promise<Page> => {
  const page = await (await browser.newContext({ baseURL: demoServer.url })).newPage();
  await page.goto(path);
  await expect(page.getByRole('banner').getByText('Login')).toBeAttached();
  await page.waitForFunction(() => history.scrollRestoration === 'manual');
  return page;
};

const toScriptPattern = (script: string): string => `**/assets/${script}-*.js`;
const getErrorHeading = (page: Page) => page.getByRole('heading', { name: 'This page could not be shown' });

test('a dialog whose script cannot be loaded offline shows an error, and opens when online', async ({
  browser,
}) => {
  test.slow();
  for (const { path, button } of listLazyDialogs()) {
    const page = await openPage(browser, path);
    const ask = () => page.getByRole('button', { name: button }).first().click();
    await page.context().setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await ask();
    await expect(page.getByText(lazyScriptMessages.offline), String(button)).toBeVisible();
    await expect(getErrorHeading(page)).toHaveCount(0);
    await ask();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.context().setOffline(false);
    await page.waitForFunction(() => navigator.onLine);
    await ask();
    await expect(page.getByRole('dialog'), String(button)).toBeVisible();
    await page.context().close();
  }
});

test('a dialog whose script fails to load shows an error without breaking the page, and opens after a reload', async ({
  browser,
}) => {
  test.slow();
  for (const { path, button, script } of listLazyDialogs()) {
    const page = await openPage(browser, path);
    const ask = () => page.getByRole('button', { name: button }).first().click();
    await intercept(page, toScriptPattern(script), (route) => route.abort());
    await ask();
    await expect(page.getByText(lazyScriptMessages.failed), String(button)).toBeVisible();
    await expect(page.getByRole('button', { name: button }).first()).toBeVisible();
    await page.unroute(toScriptPattern(script));
    await page.reload();
    await expect(page.getByRole('banner').getByText('Login')).toBeAttached();
    await ask();
    await expect(page.getByRole('dialog'), String(button)).toBeVisible();
    await page.context().close();
  }
});

test('a page works when its filter script fails to load, and shows the filters after a retry', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const page = await context.newPage();
  await intercept(page, toScriptPattern('filter-bar'), (route) => route.abort());
  await page.goto('/category/merchandise');
  await expect(page.getByRole('alert').getByText('This part of the page could not be loaded.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').locator('a[href^="/product/"]').first()).toBeVisible();
  await page.unroute(toScriptPattern('filter-bar'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('form', { name: 'Filters' })).toBeVisible();
  await context.close();
});

test('a page is styled even if none of its asset files load', async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: demoServer.url,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await intercept(page, '**/assets/**', (route) => route.abort());
  for (const path of [
    '/',
    '/category/furniture',
    listingPath,
    '/search?q=desk',
    '/login',
    '/messages',
    '/offline',
  ]) {
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    const header = page.locator('header').first();
    await expect(header, path).toBeVisible();
    // Without styles, the header would be transparent and the page would be wider than a phone's
    // screen.
    await expect(header, path).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(360);
    await expect(page.locator('link[rel=stylesheet]'), path).toHaveCount(0);
  }
  await context.close();
});

/** Holds back the responses to requests for a script until the returned function is called. */
const holdScript = async (page: Page, script: string): Promise<() => void> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, toScriptPattern(script), async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

test('a tap on a button before the page’s script runs takes effect once, when the script starts', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: demoServer.url })).newPage();
  const release = await holdScript(page, 'entry.client');
  await page.goto(listingPath);
  await page.getByRole('button', { name: 'Message Seller' }).click();
  release();
  const dialog = page.getByRole('dialog', { name: 'Sign in Required' });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await page.context().close();
});

test('the buttons of a listing stay the same elements while the visitor’s deal loads, so no tap is lost', async ({
  browser,
}) => {
  const buyer = await signUp(demoServer, 'Ben Buyer', 'ben.buyer@usc.edu');
  const context = await openSignedInBrowser(browser, demoServer, buyer);
  const page = await context.newPage();
  const start = await holdScript(page, 'entry.client');
  const showOwnDeal = await holdScript(page, 'own-deal-on-listing');
  await page.goto(listingPath);
  const buttons = page.getByRole('button', { name: /^Message Seller$|^Ask to buy/ });
  await expect(buttons).toHaveCount(2);
  const elements = await buttons.elementHandles();
  start();
  await expect(page.getByRole('banner').getByRole('button', { name: /^Account menu/ })).toBeVisible();
  const ownDeal = page.waitForResponse('**/rest/v1/deals/about/*');
  showOwnDeal();
  await ownDeal;
  await buttons.first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  for (const element of elements) expect(await element.evaluate(({ isConnected }) => isConnected)).toBe(true);
  await context.close();
});

test('a form cannot be sent until its script runs, and keeps what was typed before', async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: demoServer.url })).newPage();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await intercept(page, toScriptPattern('contact-form'), async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/contact');
  const name = page.getByLabel('Name');
  const send = page.getByRole('button', { name: 'Send Message' });
  await expect(send).toBeDisabled();
  await name.fill('Robin Reader');
  await name.press('Enter');
  release();
  await send.click();
  await expect(page.getByText('Please enter your message')).toBeVisible();
  await expect(page.getByText('Please enter your name')).toHaveCount(0);
  await expect(name).toHaveValue('Robin Reader');
  await expect(page).toHaveURL('/contact');
  await page.context().close();
});

test('credentials submitted before the log-in page’s script runs never appear in the URL', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: demoServer.url })).newPage();
  await intercept(page, '**/assets/*.js', (route) => route.abort());
  await page.goto('/login');
  await page.getByLabel('Email').fill('robin@usc.edu');
  await page.locator('input[type=password]').fill('cardinal-and-gold-1');
  await page.locator('input[type=password]').press('Enter');
  await expect(page.getByRole('button', { name: 'Log In' })).toBeDisabled();
  await expect(page).toHaveURL('/login');
  await page.context().close();
});

test('the header works without its menu and suggestions when their scripts fail to load', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: demoServer.url });
  const session = await logInToDemo(demoServer);
  await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
  const page = await context.newPage();
  for (const script of ['account-controls', 'search-suggestions', 'account-state-loader']) {
    await intercept(page, toScriptPattern(script), (route) => route.abort());
  }
  await page.goto('/about');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Profile' })).toBeVisible();
  const box = header.getByRole('combobox', { name: 'Search' });
  await box.fill('desk');
  await box.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Search Results' })).toBeVisible();
  await header.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('tab', { name: 'My Listings' })).toBeVisible();
  await context.close();
});

test('a form that could not be sent offline keeps its input and can be sent when online', async ({
  browser,
}) => {
  const page = await openPage(browser, '/contact');
  const send = page.getByRole('main').locator('button[type=submit]');
  await expect(send).toBeEnabled();
  await page.context().setOffline(true);
  await page.getByLabel('Name').fill('Robin Reader');
  await page.getByLabel(/email/).first().fill('robin@usc.edu');
  await page.getByLabel('Topic').selectOption('Other');
  await page.getByLabel('Message').fill('Where can I find the lost and found?');
  await send.click();
  await expect(page.getByText(generalErrorMessages.internal)).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('Where can I find the lost and found?');
  await page.context().setOffline(false);
  await send.click();
  await expect(page.getByText('Message Received!')).toBeVisible();
  await page.context().close();
});

test('logging in works after an attempt offline', async ({ browser }) => {
  const page = await openPage(browser, '/login');
  const [, email = ''] = /^\s+(demo\.\S+@\S+)/m.exec(demoServer.output()) ?? [];
  const [, password = ''] = /with the password (\S+)/.exec(demoServer.output()) ?? [];
  await page.context().setOffline(true);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(password);
  const submit = page.getByRole('main').locator('button[type=submit]');
  await submit.click();
  await expect(page.getByText(generalErrorMessages.unavailable)).toBeVisible();
  await page.context().setOffline(false);
  await submit.click();
  await expect(page.getByRole('banner').getByRole('button', { name: /^Account menu/ })).toBeVisible();
  await page.context().close();
});

/** Skips the delay after which a private screen offers to reload the page. */
const skipReloadDelay = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if ('animationName' in animation && animation.animationName === 'slow-notice') animation.finish();
  });

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`a private screen whose script fails to load offers to reload the page, with reduced motion "${reducedMotion}"`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ baseURL: demoServer.url, reducedMotion });
    const session = await logInToDemo(demoServer);
    await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
    const page = await context.newPage();
    await intercept(page, toScriptPattern('entry.client'), (route) => route.abort());
    await page.goto('/my-listings?tab=drafts');
    const offer = page.getByText('This is taking longer than usual.');
    await expect(offer).toHaveCSS('animation-delay', '10s');
    await expect(offer).toBeHidden();
    await skipReloadDelay(page);
    await expect(offer).toBeVisible();
    await expect(offer).toHaveRole('status');

    await page.unroute(toScriptPattern('entry.client'));
    await page.getByRole('link', { name: 'Reload the page' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Listings' })).toBeVisible();
    await expect(page).toHaveURL('/my-listings?tab=drafts');
    await context.close();
  });
