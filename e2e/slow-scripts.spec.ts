import { expect, type Page } from '@playwright/test';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { lazyScriptMessages } from '#web/lib/lazy-script.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { holdScript, toScriptPattern } from './support/hold-script.ts';
import { defaultPassword } from './support/sign-in.ts';
import { openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

let seller: Student;
let listingPath: string;
test.beforeAll(async ({ quad }) => {
  seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  listingPath = `/listing/${(await postListing(quad, seller, 'Desk with a drawer that locks')).slug}`;
  await postListing(quad, seller, 'Cardinal scarf of wool', { category: 'merchandise' });
});

/**
 * Waits for the header's Login link, which appears once the application has started, and for the restoration of
 * scroll positions, whose scripts are loaded after that. If the page went offline while these scripts were loading,
 * Chrome would never load a dialog that imports one of them.
 */
const waitForScripts = async (page: Page): Promise<void> => {
  await expect(page.getByRole('banner').getByText('Login')).toBeAttached();
  await page.waitForFunction(() => history.scrollRestoration === 'manual');
};

/** The notice on a page whose scripts could not be loaded, even after the page was reloaded. */
const getFailedNotice = (page: Page) =>
  page.getByText('This page did not load completely, so buttons may not work.');

test('a button works before the page’s script runs, and a dialog whose script cannot be loaded opens later', async ({
  page,
  context,
}) => {
  const dialog = page.getByRole('dialog');
  const message = page.getByRole('button', { name: 'Message Seller' });
  const report = page.getByRole('button', { name: 'Report Listing' });

  await test.step('a tap before the script runs takes effect once, when the script starts', async () => {
    const release = await holdScript(page, 'entry.client');
    await page.goto(listingPath);
    await message.click();
    release();
    await expect(dialog).toHaveAccessibleName('Sign in Required');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await waitForScripts(page);
  });

  await test.step('a dialog that cannot be loaded offline opens when online', async () => {
    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await report.click();
    await expect(page.getByText(lazyScriptMessages.offline)).toBeVisible();
    await report.click();
    await expect(dialog).toHaveCount(0);
    await context.setOffline(false);
    await page.waitForFunction(() => navigator.onLine);
    await report.click();
    await expect(dialog).toBeVisible();
  });

  await test.step('a dialog whose script fails to load leaves the page as it is, and opens after a reload', async () => {
    await intercept(page, toScriptPattern('report-dialog'), (route) => route.abort());
    await page.reload();
    await waitForScripts(page);
    await report.click();
    await expect(page.getByText(lazyScriptMessages.failed)).toBeVisible();
    await expect(report).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await page.unroute(toScriptPattern('report-dialog'));
    await page.reload();
    await waitForScripts(page);
    await report.click();
    await expect(dialog).toBeVisible();
  });
});

test('a script of an extension that cannot be loaded does not reload the page', async ({ page }) => {
  const release = await holdScript(page, 'entry.client');
  await page.goto(listingPath);
  await page.evaluate(async () => {
    Object.assign(window, { isFirstDocument: true });
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href: 'https://extension.invalid/script.js' });
    const { promise: failed, resolve } = Promise.withResolvers<void>();
    link.addEventListener('error', () => resolve());
    document.head.append(link);
    await failed;
  });
  await expect(getFailedNotice(page)).toHaveCount(0);
  release();
  await waitForScripts(page);
  expect(await page.evaluate(() => 'isFirstDocument' in window)).toBe(true);
});

test('the buttons of a listing stay the same elements while the visitor’s deal loads, so no tap is lost', async ({
  browser,
  quad,
}) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await openSignedInBrowser(browser, quad, buyer);
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

test('a page and its header work when the scripts of their parts fail to load', async ({ browser, quad }) => {
  const context = await openSignedInBrowser(browser, quad, seller);
  const page = await context.newPage();
  for (const script of ['filter-bar', 'account-controls', 'search-suggestions', 'account-state-loader'])
    await intercept(page, toScriptPattern(script), (route) => route.abort());
  await page.goto('/category/merchandise');
  await expect(page.getByRole('alert').getByText('This part of the page could not be loaded.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').locator('a[href^="/product/"]').first()).toBeVisible();

  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Profile' })).toBeVisible();
  const box = header.getByRole('combobox', { name: 'Search' });
  await box.fill('desk');
  await box.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Search Results' })).toBeVisible();

  await page.unroute(toScriptPattern('filter-bar'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('form', { name: 'Filters' })).toBeVisible();
  await header.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('tab', { name: 'My Listings' })).toBeVisible();
  await context.close();
});

test('a page is styled even if none of its asset files load', async ({ browser, quad }) => {
  const context = await browser.newContext({ baseURL: quad.url, viewport: { width: 360, height: 740 } });
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
    if (path !== '/offline') await expect(getFailedNotice(page)).toBeVisible();
    // On phones the page of a listing has a floating button instead of a header.
    const bar =
      path === listingPath ? page.getByRole('link', { name: 'Back' }) : page.locator('header').first();
    await expect(bar, path).toBeVisible();
    // Without styles, both would be transparent and the page would be wider than a phone's screen.
    await expect(bar, path).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(360);
    // The one for forced colors only adds to the styles in the page.
    await expect(page.locator('link[rel=stylesheet]:not([media])'), path).toHaveCount(0);
  }
  await context.close();
});

test('a form cannot be sent until its script runs, and keeps its input then and when it is sent offline', async ({
  page,
  context,
}) => {
  const release = await holdScript(page, 'contact-form');
  await page.goto('/contact');
  const name = page.getByLabel('Name');
  const message = page.getByLabel('Message');
  const send = page.getByRole('button', { name: 'Send Message' });
  await expect(send).toBeDisabled();
  await name.fill('Robin Reader');
  await name.press('Enter');
  release();
  await waitForScripts(page);
  await send.click();
  await expect(page.getByText('Please enter your message')).toBeVisible();
  await expect(page.getByText('Please enter your name')).toHaveCount(0);
  await expect(name).toHaveValue('Robin Reader');
  await expect(page).toHaveURL('/contact');

  await context.setOffline(true);
  await page.getByLabel(/email/).first().fill('robin@usc.edu');
  await page.getByLabel('Topic').selectOption('Other');
  await message.fill('Where can I find the lost and found?');
  await send.click();
  await expect(page.getByText(generalErrorMessages.internal)).toBeVisible();
  await expect(message).toHaveValue('Where can I find the lost and found?');
  await context.setOffline(false);
  await send.click();
  await expect(page.getByText('Message Received!')).toBeVisible();
});

test('credentials submitted before the script runs never appear in the URL, and an attempt offline can be repeated', async ({
  page,
  context,
}) => {
  const email = page.getByLabel('Email');
  const password = page.locator('input[type=password]');
  const logIn = page.getByRole('main').getByRole('button', { name: 'Log In', exact: true });
  await intercept(page, '**/assets/*.js', (route) => route.abort());
  await page.goto('/login');
  await expect(getFailedNotice(page)).toBeVisible();
  await email.fill(seller.email);
  await password.fill(defaultPassword);
  await password.press('Enter');
  await expect(logIn).toBeDisabled();
  await expect(page).toHaveURL('/login');

  await page.unroute('**/assets/*.js');
  await page.reload();
  await waitForScripts(page);
  await context.setOffline(true);
  await email.fill(seller.email);
  await password.fill(defaultPassword);
  await logIn.click();
  await expect(page.getByText(generalErrorMessages.unavailable)).toBeVisible();
  await context.setOffline(false);
  await logIn.click();
  await expect(page.getByRole('banner').getByRole('button', { name: /^Account menu/ })).toBeVisible();
});

/** Skips the delay after which a private screen offers to reload the page. */
const skipReloadDelay = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if ('animationName' in animation && animation.animationName === 'slow-notice') animation.finish();
  });

test('a private screen whose script fails to load offers to reload the page', async ({ browser, quad }) => {
  const context = await openSignedInBrowser(browser, quad, seller);
  const page = await context.newPage();
  await intercept(page, toScriptPattern('entry.client'), (route) => route.abort());
  const offer = page.getByText('This is taking longer than usual.');
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto('/my-listings?tab=drafts');
    await expect(getFailedNotice(page)).toBeVisible();
    await expect(offer).toHaveCSS('animation-delay', '10s');
    await expect(offer).toBeHidden();
    await skipReloadDelay(page);
    await expect(offer).toBeVisible();
    await expect(offer).toHaveRole('status');
  }
  await page.unroute(toScriptPattern('entry.client'));
  await page.getByRole('link', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Listings' })).toBeVisible();
  await expect(page).toHaveURL('/my-listings?tab=drafts');
  await context.close();
});

test('a page whose script cannot be loaded is opened all the same, and says so', async ({ page }) => {
  await page.goto('/about');
  await waitForScripts(page);
  const loads: string[] = [];
  page.on('framenavigated', (frame) => loads.push(new URL(frame.url()).pathname));
  await intercept(page, /\/assets\/contact-(?!form)/, (route) => route.abort());
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
  await expect(getFailedNotice(page)).toBeVisible();
  await expect(page).toHaveURL('/contact');
  expect(loads).toEqual(['/about', '/contact', '/contact']);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('link', { name: 'Try again' }).click();
  await waitForScripts(page);
  await expect(getFailedNotice(page)).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL('/about');
});
