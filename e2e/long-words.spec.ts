import { type Browser, expect, type Page } from '@playwright/test';
import { openReadyPage } from './support/hydration.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import {
  callApi,
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
} from './support/students.ts';
import { intercept, test } from './support/test.ts';

let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad();
});
test.afterAll(() => quadServer.stop());

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

/** Creates a student whose name and bio each consist of a single long word. */
const createStudentWithLongWords = async (email: string): Promise<Student> => {
  const student = await signUp(quadServer, createLongWord(60), email);
  await callApi(quadServer, '/rest/v1/me', {
    token: student.token,
    method: 'PATCH',
    body: { full_name: createLongWord(100), bio: createLongWord(500), role: 'Student' },
  });
  return student;
};

const openPhonePage = async (browser: Browser, student: Student) => {
  const context = await openSignedInBrowser(browser, quadServer, student, phoneBrowserOptions);
  return { context, page: await context.newPage() };
};

test('a long word makes no page wider than a phone', async ({ browser }) => {
  test.slow();
  const seller = await createStudentWithLongWords(`${createLongWord(50).toLowerCase()}1@usc.edu`);
  const buyer = await createStudentWithLongWords(`${createLongWord(50).toLowerCase()}2@usc.edu`);
  const listing = await postListing(quadServer, seller, createLongWord(80), {
    description: createLongWord(1000),
    location: createLongWord(200),
  });
  await postListing(quadServer, seller, `${createLongWord(79)}2`, {
    description: createLongWord(1000),
    location: createLongWord(200),
  });
  const talk = await openConversation(quadServer, buyer, listing);
  await postConversationMessage(quadServer, buyer, talk, createLongWord(2000));
  await postConversationMessage(quadServer, seller, talk, createLongWord(2000));

  const people = [
    [seller, 'the seller'],
    [buyer, 'the buyer'],
  ] as const;
  const visitAs = async (student: Student, who: string): Promise<void> => {
    const { context, page } = await openPhonePage(browser, student);
    const paths = [
      '/',
      '/browse',
      '/category/furniture',
      '/category/kitchen',
      `/category/${createLongWord(200)}`,
      `/search?q=${createLongWord(60)}`,
      `/search?q=${'x'.repeat(300)}`,
      `/listing/${listing.slug}`,
      '/my-listings',
      '/profile',
      '/profile?tab=settings',
      '/profile/edit',
      '/profile-setup',
      '/messages',
      `/messages?c=${talk.id}`,
      ...(student === seller ? [`/post-ad?edit=${listing.id}`] : [`/listing/${listing.slug}?message=1`]),
      `/${createLongWord(200)}`,
    ];
    for (const path of paths) {
      await openReadyPage(page, path);
      await expectNoOverflow(page, `${path.slice(0, 60)} of ${who}`);
    }
    await context.close();
  };
  await Promise.all(people.map(([student, who]) => visitAs(student, who)));

  await test.step('dialogs and what floats', async () => {
    const { context, page } = await openPhonePage(browser, seller);
    await openReadyPage(page, '/my-listings');
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
    await openReadyPage(page, '/');
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

  await test.step('signed out', async () => {
    const context = await browser.newContext({ ...phoneBrowserOptions, baseURL: quadServer.url });
    const page = await context.newPage();
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
  });
});

test('a long word makes no toast wider than a phone', async ({ browser }) => {
  const student = await signUp(quadServer, 'Ada Seller', 'toast@usc.edu');
  const listing = await postListing(quadServer, student, 'Walnut desk lamp');
  const { context, page } = await openPhonePage(browser, student);
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
