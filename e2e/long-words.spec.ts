import { type Browser, expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openReadyPage } from './support/hydration.ts';
import type { QuadServer } from './support/quad-server.ts';
import {
  callApi,
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
} from './support/students.ts';
import { intercept } from './support/test.ts';

const createLongWord = (length: number): string => 'W'.repeat(length);
const phoneBrowserOptions = { viewport: { width: 360, height: 740 }, hasTouch: true } as const;

/**
 * Returns descriptions of the elements that extend beyond the window and that no ancestor clips or scrolls.
 */
const listOverflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const clips = (element: Element): boolean => getComputedStyle(element).overflowX !== 'visible';
    const found: string[] = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth} wide`);
    for (const element of document.querySelectorAll('body *')) {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || (right <= innerWidth + 1 && left >= -1)) continue;
      let around = element.parentElement;
      while (around && !clips(around)) around = around.parentElement;
      if (!around || around === document.body || around === page)
        found.push(
          `${element.tagName} "${(element.textContent ?? '').slice(0, 20)}" ends at ${Math.round(right)}`,
        );
    }
    return found.slice(0, 5);
  });

/** A soft assertion lets the test continue, so that one run reports every page that is too wide. */
const softExpect = expect.configure({ soft: true });
const expectNoOverflow = async (page: Page, where: string): Promise<void> => {
  await softExpect.poll(() => listOverflowing(page), { message: where, timeout: 3000 }).toEqual([]);
};

const createStudentWithLongWords = async (quad: QuadServer): Promise<Student> => {
  const email = createUniqueEmailAddress(createLongWord(50).toLowerCase());
  const student = await signUp(quad, createLongWord(60), email);
  await callApi(quad, '/rest/v1/me', {
    token: student.token,
    method: 'PATCH',
    body: { full_name: createLongWord(100), bio: createLongWord(500), role: 'Student' },
  });
  return student;
};

const openPhonePage = async (browser: Browser, quad: QuadServer, student: Student) => {
  const context = await openSignedInBrowser(browser, quad, student, phoneBrowserOptions);
  return { context, page: await context.newPage() };
};

test('a long word makes no page wider than a phone', async ({ browser, quad }) => {
  const [seller, buyer] = [await createStudentWithLongWords(quad), await createStudentWithLongWords(quad)];
  const text = { description: createLongWord(1000), location: createLongWord(200) };
  const listing = await postListing(quad, seller, createLongWord(80), text);
  await postListing(quad, seller, `${createLongWord(79)}2`, text);
  const talk = await openConversation(quad, buyer, listing);
  await postConversationMessage(quad, buyer, talk, createLongWord(2000));
  await postConversationMessage(quad, seller, talk, createLongWord(2000));

  await test.step('the pages of the seller', async () => {
    const { context, page } = await openPhonePage(browser, quad, seller);
    for (const path of [
      '/',
      '/browse',
      '/category/furniture',
      `/search?q=${createLongWord(60)}`,
      `/listing/${listing.slug}`,
      `/users/${seller.id}`,
      '/profile',
      '/profile?tab=history',
      '/profile?tab=settings',
      '/profile?tab=settings&page=notifications',
      '/profile?tab=settings&page=privacy',
      '/profile?tab=settings&page=security',
      '/profile?tab=settings&page=account',
      '/profile/edit',
      '/profile-setup',
      '/messages',
      `/messages?c=${talk.id}`,
      `/post-ad?edit=${listing.id}`,
    ]) {
      await openReadyPage(page, path);
      await expectNoOverflow(page, path);
    }
    await openReadyPage(page, '/my-listings');
    await expectNoOverflow(page, 'My Listings');
    await page
      .getByRole('button', { name: /^More actions/ })
      .first()
      .click();
    await expectNoOverflow(page, 'the menu of a listing');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    await expectNoOverflow(page, 'the toast with Undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Listing restored')).toBeVisible();
    // Only wide windows have an account menu, so turn the phone to landscape.
    await page.setViewportSize({ width: 768, height: 360 });
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectNoOverflow(page, 'the account menu');
    await page.setViewportSize(phoneBrowserOptions.viewport);
    await openReadyPage(page, '/search');
    const box = page.getByRole('combobox', { name: 'Search' }).filter({ visible: true }).first();
    await box.fill('wwww');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectNoOverflow(page, 'the suggestions');
    await context.close();
  });

  await test.step('the pages of visitors and buyers', async () => {
    const context = await browser.newContext({ ...phoneBrowserOptions, baseURL: quad.url });
    const page = await context.newPage();
    for (const path of [
      `/category/${createLongWord(200)}`,
      `/search?q=${'x'.repeat(300)}`,
      `/${createLongWord(200)}`,
    ]) {
      await openReadyPage(page, path);
      await expectNoOverflow(page, path.slice(0, 60));
    }
    await openReadyPage(page, `/listing/${listing.slug}`);
    await expectNoOverflow(page, 'the listing');
    await page.getByRole('button', { name: 'Report Listing' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoOverflow(page, 'the report');
    await openReadyPage(page, '/forgot-password');
    await page.getByLabel('Email').fill(`${createLongWord(60)}@usc.edu`);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expectNoOverflow(page, 'the confirmation of a reset');
    await context.close();

    const buying = await openPhonePage(browser, quad, buyer);
    for (const path of [`/messages?c=${talk.id}`, `/listing/${listing.slug}?message=1`]) {
      await openReadyPage(buying.page, path);
      await expectNoOverflow(buying.page, `${path} of the buyer`);
    }
    await buying.context.close();
  });
});

test('a long word makes no toast wider than a phone', async ({ browser, quad }) => {
  const student = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('toast'));
  const listing = await postListing(quad, student, 'Walnut desk lamp');
  const { context, page } = await openPhonePage(browser, quad, student);
  await openReadyPage(page, `/my-listings`);
  await intercept(page, `**/rest/v1/me/listings/${listing.id}`, (route) =>
    route.fulfill({
      status: 400,
      json: { code: 'listing_incomplete', error: 'x', fields: { title: createLongWord(300) } },
    }),
  );
  await page.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Mark as Draft' }).click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('WWWW');
  await expect.poll(async () => (await toast.boundingBox())?.width ?? 0).toBeLessThanOrEqual(328);
  const overflow = await toast.evaluate((it) => it.scrollWidth - it.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expectNoOverflow(page, 'the toast and the alert');
  await context.close();
});
