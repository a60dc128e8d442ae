import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { startDemoServer } from './support/demo.ts';
import { visitInGroups } from './support/lanes.ts';
import type { Quad } from './support/quad.ts';
import { prepareScreens, type Screen } from './support/screens.ts';
import { listCovered, showToast } from './support/toasts.ts';

let quad: Quad;
let session: string;
let screens: Screen[];
test.beforeAll(async () => {
  quad = await startDemoServer();
  ({ session, screens } = await prepareScreens(quad));
});
test.afterAll(() => quad.stop());

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const openScreen = async (
  browser: Browser,
  { path, signedIn }: Pick<Screen, 'path' | 'signedIn'>,
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({
    ...phone,
    baseURL: quad.url,
    bypassCSP: true,
    reducedMotion: 'reduce',
  });
  if (signedIn)
    await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
  const page = await context.newPage();
  await page.goto(path, { waitUntil: 'networkidle' });
  return { context, page };
};

/** Chooses an action in the menu of a row of My Listings. */
const chooseInRow = async (page: Page, index: number, name: string): Promise<void> => {
  await page
    .getByRole('button', { name: /^More actions/ })
    .nth(index)
    .tap();
  await page.getByRole('menuitem', { name }).tap();
};

/** Waits until the toast's animation has ended; expects it to be visible and to cover no control. */
const expectClear = (page: Page, where: string) =>
  expect
    .poll(() => listCovered(page), { message: where, timeout: 3000, intervals: [20, 50, 100] })
    .toEqual([]);

test('promise 57: two toasts neither cover the buttons of a sheet that opens under them nor let taps through', async ({
  browser,
}) => {
  const { context, page } = await openScreen(browser, { path: '/my-listings', signedIn: true });
  const toast = (text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text });
  const active = page.getByRole('tab', { name: /^Active/ });
  const count = Number(/\d+/.exec(await active.innerText())?.[0]);

  await chooseInRow(page, 0, 'Mark as Draft');
  await expect(toast('Marked as draft')).toBeVisible();
  await page.getByRole('tab', { name: /^Sold/ }).tap();
  await page
    .getByRole('button', { name: /^Publish Item/ })
    .first()
    .tap();
  await expect(toast('Marked as active')).toBeVisible();
  await active.tap();
  await chooseInRow(page, 1, 'Delete');
  const sheet = page.getByRole('dialog', { name: 'Delete this listing?' });
  await expect(sheet).toBeVisible();
  await expectClear(page, 'the sheet');

  // A tap on a toast's close button must neither close the question under it nor delete anything.
  await toast('Marked as active').getByRole('button', { name: 'Close toast' }).tap();
  await expect(toast('Marked as active')).toHaveCount(0);
  await expect(sheet).toBeVisible();
  await sheet.getByRole('button', { name: 'Cancel' }).tap();
  await expect(sheet).toBeHidden();
  await page.reload();
  await expect(active).toContainText(String(count));
  await context.close();
});

test('promise 57: the page under a sheet is inert until the sheet closes, and the focus returns to its opener', async ({
  browser,
}) => {
  const { context, page } = await openScreen(browser, { path: '/my-listings', signedIn: true });
  const opener = page.getByRole('button', { name: /^More actions/ }).first();
  const isInert = () => page.locator('main').evaluate((it) => it.closest('[inert]') !== null);
  expect(await isInert()).toBe(false);
  await chooseInRow(page, 0, 'Delete');
  await expect.poll(isInert).toBe(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap();
  await expect.poll(isInert).toBe(false);
  await expect(opener).toBeFocused();
  await context.close();
});

test('promise 57: at most two toasts show at once, the newest ones, and a swipe dismisses one', async ({
  browser,
}) => {
  const { context, page } = await openScreen(browser, { path: '/about' });
  for (const title of ['The first', 'The second', 'The third']) await showToast(page, title);
  const toasts = page.locator('[data-sonner-toast]');
  await expect(toasts).toHaveCount(2);
  await expect(toasts.filter({ hasText: 'The first' })).toHaveCount(0);
  await expectClear(page, 'the page');
  const third = toasts.filter({ hasText: 'The third' });
  const box = await third.boundingBox();
  if (!box) throw new Error('The toast has no box');
  const touch = await context.newCDPSession(page);
  const y = box.y + box.height / 2;
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 120, y }] });
  for (const x of [150, 200, 250])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(third).toHaveCount(0);
  await expect(toasts).toHaveCount(1);
  await context.close();
});

test('promise 57: a toast covers no control and lets no tap through, in any state of any screen', async ({
  browser,
}) => {
  test.setTimeout(400_000);
  await visitInGroups(screens, async (lane) => {
    for (const screen of lane) {
      const { context, page } = await openScreen(browser, screen);
      await screen.prepare?.(page);
      await showToast(page, 'Marked as draft');
      await expectClear(page, screen.name);
      await showToast(page, 'Upload in progress', 'Please wait for all photos to finish uploading');
      await expectClear(page, `${screen.name}, two toasts`);
      await context.close();
    }
  });
});
