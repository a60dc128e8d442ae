import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import { listSavedNames } from './support/saved-data.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

// These tests check that typed text is saved on the device. posting.spec.ts tests the posting form, and
// web/testing/form-drafts.browser.test.tsx each other form.

const field = (page: Page, name: string) => page.getByRole('main').getByLabel(name);
const message = (page: Page) => page.getByPlaceholder('Type your message...');

const tapLogout = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
};

test('promise 59: the texts of a message, a dialog and a form survive a closed tab, until a log-out', async ({
  browser,
  quad,
}) => {
  const [ada, ben] = [
    await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada')),
    await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben')),
  ];
  const title = 'Adjustable standing desk, walnut top, two memory presets and a cable tray';
  const { id, slug } = await postListing(quad, ada, title);
  const context = await openSignedInBrowser(browser, quad, ben);
  let page = await context.newPage();
  const reopen = async (path: string): Promise<void> => {
    await page.close();
    page = await context.newPage();
    await page.goto(path);
  };
  const report = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Report Listing' }).click();
    return tab.getByRole('dialog').getByLabel('Details');
  };

  await test.step('the first message about a listing, in view on a phone below a title of several lines', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/listing/${slug}?message=1`);
    await expect(message(page)).toBeFocused();
    const getBottom = async () => {
      const { y = 0, height = 0 } = (await message(page).boundingBox()) ?? {};
      return y + height;
    };
    await expect.poll(getBottom).toBeLessThanOrEqual(740 - 12);
    await message(page).fill('Is it bright?');
    await reopen(`/listing/${slug}?message=1`);
    await expect(message(page)).toHaveValue('Is it bright?');
  });

  const other = await context.newPage();
  await test.step('other tabs show the same draft, which ends when it is sent', async () => {
    await other.goto(`/listing/${slug}?message=1`);
    await message(other).fill('Is it still bright?');
    await expect(message(page)).toHaveValue('Is it still bright?');
    await message(other).press('Enter');
    await expect(other.getByText('Is it still bright?')).toBeVisible();
    await expect(message(page)).toHaveValue('');
  });

  await test.step('a report, in all tabs', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await (await report(page)).fill('It says forty dollars, but');
    await reopen(`/listing/${slug}`);
    await expect(await report(page)).toHaveValue('It says forty dollars, but');
  });

  await test.step('a log-out erases everything, and what visitors type ends with the tab', async () => {
    await other.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(await report(other)).toHaveValue('It says forty dollars, but');
    expect(await listSavedNames(page)).toEqual([`quad.saved.${ben.id}.form.report listing ${id}`]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await tapLogout(page);
    await expect.poll(() => listSavedNames(page)).toEqual([]);
    await expect(other.getByRole('dialog')).toBeHidden();
    await other.close();
    await page.goto('/contact');
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
    await field(page, 'Message').fill('Typed by a visitor');
    await page.reload();
    await expect(field(page, 'Message')).toHaveValue('Typed by a visitor');
    await reopen('/contact');
    await expect(field(page, 'Message')).toHaveValue('');
  });
  await context.close();
});

test('promise 59: saved data left behind by a tab that logged out is erased by another tab or at the next visit', async ({
  browser,
  quad,
}) => {
  const sam = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  /**
   * Opens one tab with an unfinished listing, and another that fails to erase its saved files, like a tab
   * that is closed too early.
   */
  const openTabs = async () => {
    const context = await openSignedInBrowser(browser, quad, sam);
    const form = await context.newPage();
    await form.goto('/post-ad');
    await field(form, 'Title').fill('Floor lamp with a long neck');
    await form
      .getByLabel('Choose photos')
      .setInputFiles([await createPhotoFile('lamp.jpg', { r: 200, g: 90, b: 60 })]);
    await expect.poll(() => listSavedNames(form)).toHaveLength(2);
    await expect(form.getByRole('progressbar')).toHaveCount(0);
    const closing = await context.newPage();
    await closing.addInitScript(() => {
      CacheStorage.prototype.delete = () => new Promise(() => {});
    });
    return { context, form, closing };
  };

  await test.step('the next visit, when the last tab logged out', async () => {
    const { context, form, closing } = await openTabs();
    await form.close();
    await closing.goto('/about');
    await tapLogout(closing);
    await expect.poll(() => closing.evaluate(() => localStorage.getItem('quad.session'))).toBeNull();
    expect(await listSavedNames(closing)).toEqual([`quad.saved.${sam.id}`]);
    await closing.close();
    const next = await context.newPage();
    await next.goto('/terms');
    await expect.poll(() => listSavedNames(next)).toEqual([]);
    await context.close();
  });

  await test.step('another tab, also when a deletion of the account ended its session first', async () => {
    const { context, form, closing } = await openTabs();
    await closing.goto('/profile?tab=settings&page=account');
    let answer = () => {};
    await intercept(closing, '**/rest/v1/me', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      const response = await route.fetch();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ response });
    });
    await closing.getByRole('button', { name: 'Delete Account' }).click();
    const dialog = closing.getByRole('dialog');
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await expect(form).toHaveURL('/login?from=%2Fpost-ad');
    expect(await listSavedNames(form)).toHaveLength(2);
    answer();
    await expect.poll(() => listSavedNames(form)).toEqual([]);
    await context.close();
  });
});
