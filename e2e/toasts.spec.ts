import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openReadyPage } from './support/hydration.ts';
import { openSignedInBrowser, signUp } from './support/students.ts';
import { expectToastCoversNothing, keepToastsOpen, showToast } from './support/toasts.ts';

// These tests check how toasts behave. tour.spec.ts checks that a toast covers no control of any screen.

const phoneBrowserOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const;

test('promise 57: toasts over a sheet cover none of its buttons and let no tap through, and the page behind is inert', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Tess Toast', createUniqueEmailAddress('tess'));
  const context = await openSignedInBrowser(browser, quad, student, phoneBrowserOptions);
  const page = await context.newPage();
  await openReadyPage(page, '/profile?tab=settings&page=security');
  const toasts = page.locator('[data-sonner-toast]');
  const opener = page.getByRole('button', { name: 'Log out everywhere' });
  const sheet = page.getByRole('dialog', { name: 'Log out everywhere?' });
  const isInert = () => page.locator('main').evaluate((it) => it.closest('[inert]') !== null);

  for (const title of ['The first', 'The second']) await showToast(page, title);
  await keepToastsOpen(page);
  await expect(toasts).toHaveCount(2);
  await opener.tap();
  await expect(sheet).toBeVisible();
  await expectToastCoversNothing(page, 'the sheet');
  await expect.poll(isInert).toBe(true);

  // A tap on a toast's close button must neither close the sheet under the toast nor press one of its buttons.
  await toasts.first().getByRole('button', { name: 'Close toast' }).tap();
  await expect(toasts).toHaveCount(1);
  await expect(sheet).toBeVisible();
  await sheet.getByRole('button', { name: 'Cancel' }).tap();
  await expect(sheet).toBeHidden();
  await expect.poll(isInert).toBe(false);
  await expect(opener).toBeFocused();
  await context.close();
});

test('promise 57: at most two toasts show at once, the newest ones, and a swipe dismisses one', async ({
  browser,
}) => {
  const context = await browser.newContext(phoneBrowserOptions);
  const page = await context.newPage();
  await openReadyPage(page, '/about');
  for (const title of ['The first', 'The second', 'The third']) await showToast(page, title);
  await keepToastsOpen(page);
  const toasts = page.locator('[data-sonner-toast]');
  await expect(toasts).toHaveCount(2);
  await expect(toasts.filter({ hasText: 'The first' })).toHaveCount(0);
  await expectToastCoversNothing(page, 'the page');
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
