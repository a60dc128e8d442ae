import { type Browser, expect, type Page } from '@playwright/test';
import { listViolations } from './support/axe.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForHydration } from './support/hydration.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import { openSignedInBrowser, postListing, signUp, uploadPhoto } from './support/students.ts';

// These tests check the page of a listing on a phone.

const phoneBrowserOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} as const;

const openPhonePage = async (browser: Browser, baseURL: string | undefined): Promise<Page> => {
  const context = await browser.newContext({ ...phoneBrowserOptions, ...(baseURL ? { baseURL } : {}) });
  return context.newPage();
};

const photo = (page: Page, title: string, label: string) =>
  page.getByRole('list', { name: 'Photos' }).getByRole('img', { name: `${title}, photo ${label}` });
const getPhotoViewerButton = (page: Page) => page.getByRole('button', { name: 'View photos full screen' });

/** Waits until the page has drawn that many frames, which takes at least 16 ms each. */
const waitForFrames = async (page: Page, count: number): Promise<void> =>
  page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
  }, count);

/**
 * Swipes across the photo with one or two fingers. Each finger is given as the x coordinates where it begins
 * and ends. The fingers rest before they lift: the speed of fingers that lift while moving would depend on
 * the load of the machine, and a high one makes Chrome pass a photo.
 */
const swipe = async (page: Page, ...fingers: [from: number, to: number][]): Promise<void> => {
  const box = await getPhotoViewerButton(page).boundingBox();
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  const touch = await page.context().newCDPSession(page);
  const steps = 8;
  for (let step = 0; step <= steps; step += 1) {
    await touch.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints: fingers.map(([from, to], id) => ({ id, x: from + ((to - from) * step) / steps, y })),
    });
  }
  await waitForFrames(page, 8);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await touch.detach();
};

/** Counts the lines of an element's text. */
const countTextLines = (element: Element): number => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
};

test('five photos are swiped, with a position counter; wide screens also have thumbnails', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = 'Desk lamp with five photos of every side';
  const photos: string[] = [];
  for (let count = 0; count < 5; count += 1) photos.push(await uploadPhoto(quad, ada));
  const { slug } = await postListing(quad, ada, title, { photos });
  const page = await openPhonePage(browser, quad.url);
  await recordLayoutShifts(page);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`/listing/${slug}`, { waitUntil: 'networkidle' });
  await waitForHydration(page);

  await expect(photo(page, title, '1 of 5')).toBeInViewport({ ratio: 0.9 });
  await expect(photo(page, title, '1 of 5')).toHaveAttribute('fetchpriority', 'high');
  await expect(photo(page, title, '2 of 5')).toHaveAttribute('loading', 'lazy');
  await expect(page.getByText('1 / 5')).toBeInViewport({ ratio: 1 });

  await swipe(page, [300, 60]);
  await expect(photo(page, title, '2 of 5')).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByText('2 / 5')).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('1 / 5')).not.toBeInViewport();
  await swipe(page, [60, 300]);
  await expect(photo(page, title, '1 of 5')).toBeInViewport({ ratio: 0.9 });
  // On the first photo, a swipe toward the previous photo must do nothing.
  await swipe(page, [60, 300]);
  await expect(photo(page, title, '1 of 5')).toBeInViewport({ ratio: 0.9 });
  expect(problems).toEqual([]);
  expect(await listShiftedElements(page)).toEqual([]);

  // Reload, because Chrome sometimes drops a swipe right after one that could not scroll.
  await page.reload({ waitUntil: 'networkidle' });
  await waitForHydration(page);
  await swipe(page, [300, 60]);
  await expect(photo(page, title, '2 of 5')).toBeInViewport({ ratio: 0.9 });
  await getPhotoViewerButton(page).tap();
  const viewer = page.getByRole('dialog', { name: `Photos of ${title}` });
  await expect(viewer.getByText('Photo 2 of 5')).toBeVisible();
  await viewer.getByRole('button', { name: 'Next photo' }).tap();
  await expect(viewer.getByText('Photo 3 of 5')).toBeVisible();
  await viewer.getByRole('button', { name: 'Close' }).tap();
  await expect(viewer).toHaveCount(0);
  await expect(photo(page, title, '3 of 5')).toBeInViewport({ ratio: 0.9 });
  await expect(getPhotoViewerButton(page)).toBeFocused();

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(photo(page, title, '5 of 5')).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('ArrowRight');
  await expect(photo(page, title, '1 of 5')).toBeInViewport({ ratio: 0.9 });
  await page.keyboard.press('ArrowLeft');
  await expect(photo(page, title, '5 of 5')).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 740, height: 360 });
  await expect(photo(page, title, '5 of 5')).toBeInViewport({ ratio: 0.5 });
  await page.setViewportSize(phoneBrowserOptions.viewport);
  // Moving two fingers apart must zoom the page instead of changing the photo.
  await swipe(page, [160, 60], [200, 300]);
  expect(await page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1);
  await expect(photo(page, title, '4 of 5')).not.toBeInViewport({ ratio: 0.1 });
  await page.context().close();

  const widePage = await browser.newPage({ baseURL: quad.url, viewport: { width: 1280, height: 900 } });
  await widePage.goto(`/listing/${slug}`, { waitUntil: 'networkidle' });
  const thumbnails = widePage.getByRole('list', { name: 'More photos' }).getByRole('button');
  await expect(thumbnails).toHaveCount(4);
  await widePage.getByRole('button', { name: 'Show photo 3 of 5' }).click();
  await expect(photo(widePage, title, '3 of 5')).toBeInViewport({ ratio: 0.9 });
  await expect(photo(widePage, title, '1 of 5')).not.toBeInViewport();
  await expect(widePage.getByRole('button', { name: 'Show photo 3 of 5' })).toHaveCount(0);
  await expect(widePage.getByRole('button', { name: 'Show photo 1 of 5' })).toBeFocused();
  await expect(thumbnails).toHaveCount(4);
  await widePage.context().close();
});

test('price and primary action stay at the bottom, the seller is near the top, and the title uses the whole width', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = 'Adjustable standing desk, walnut top, two memory presets and a cable tray';
  const long = await postListing(quad, ada, title, { price: 1250 });
  const single = await postListing(quad, ada, 'Desk lamp with one photo', {
    photos: [await uploadPhoto(quad, ada)],
    price: 17.5,
  });
  const page = await openPhonePage(browser, quad.url);
  await page.goto(`/listing/${long.slug}`, { waitUntil: 'networkidle' });
  const message = page.getByRole('button', { name: 'Message Seller' });
  const bar = page.locator('[data-action-bar]');
  await expect(page.getByRole('img', { name: `No photo of ${title}` })).toBeVisible();
  await expect(getPhotoViewerButton(page)).toHaveCount(0);
  await expect(message).toBeInViewport({ ratio: 1 });
  await expect(bar.getByText('$1,250')).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Verified USC Student')).toBeInViewport({ ratio: 1 });
  const sellerBox = await page.getByRole('article').getByText('Ada Seller').boundingBox();
  const descriptionBox = await page.getByRole('heading', { name: 'Description' }).boundingBox();
  expect(sellerBox?.y).toBeLessThan(descriptionBox?.y ?? 0);
  expect((sellerBox?.y ?? Infinity) + (sellerBox?.height ?? 0)).toBeLessThanOrEqual(
    (await bar.boundingBox())?.y ?? 0,
  );

  const lines = await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
    const range = document.createRange();
    range.selectNodeContents(heading);
    return [...range.getClientRects()].map(({ width }) => Math.round(width / 3.28));
  });
  // A line of the heading may break only where the next word does not fit. Every line except the last must
  // therefore fill most of the width.
  for (const percent of lines.slice(0, -1)) expect(percent, `${lines}`).toBeGreaterThan(70);

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(message).toBeInViewport({ ratio: 1 });
  const barTop = (await bar.boundingBox())?.y ?? 0;
  const lastLine = await page.getByRole('contentinfo').getByText('All rights reserved').boundingBox();
  expect((lastLine?.y ?? 0) + (lastLine?.height ?? 0)).toBeLessThanOrEqual(barTop);
  await message.tap();
  await expect(page.getByRole('dialog', { name: 'Sign in Required' })).toBeVisible();

  for (const slug of [long.slug, single.slug]) {
    await page.goto(`/listing/${slug}`, { waitUntil: 'networkidle' });
    expect(await listViolations(page)).toEqual([]);
  }
  await expect(page.getByText('1 / 1')).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Desk lamp with one photo', exact: true })).toBeVisible();
  await page.goto('/listing/no-such-listing', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'Listing Not Found' })).toBeVisible();
  await expect(bar).toHaveCount(0);
  await page.context().close();

  const own = await openSignedInBrowser(browser, quad, ada, phoneBrowserOptions);
  const ownPage = await own.newPage();
  await ownPage.goto(`/listing/${single.slug}`);
  const edit = ownPage.getByRole('link', { name: 'Edit Listing' });
  await expect(edit).toBeInViewport({ ratio: 1 });
  expect(await edit.evaluate(countTextLines)).toBe(1);
  await expect(ownPage.locator('[data-action-bar]').getByText('$17.50')).toBeInViewport({ ratio: 1 });
  await expect(ownPage.getByRole('button', { name: 'Report Listing' })).toHaveCount(0);
  await own.close();
});

test('the message dialog has its composer in view below a title of several lines', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const ben = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const title = 'Adjustable standing desk, walnut top, two memory presets and a cable tray';
  const { slug } = await postListing(quad, ada, title);
  const context = await openSignedInBrowser(browser, quad, ben, phoneBrowserOptions);
  const page = await context.newPage();
  await page.goto(`/listing/${slug}?message=1`);
  const input = page.getByRole('dialog').getByPlaceholder('Type your message...');
  await expect(input).toBeFocused();
  await expect
    .poll(async () => {
      const { y = 0, height = 0 } = (await input.boundingBox()) ?? {};
      return 740 - (y + height);
    })
    .toBeGreaterThanOrEqual(12);
  await context.close();
});

test('Share opens the share sheet of the phone, or copies the link if the browser has none', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = 'Desk lamp worth sharing';
  const { slug } = await postListing(quad, ada, title);
  const link = `${quad.url}/listing/${slug}`;
  const page = await openPhonePage(browser, quad.url);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const share = page.getByRole('button', { name: 'Share', exact: true });
  const status = page.locator('[data-sonner-toast]');
  /**
   * Opens the listing and taps Share. A test cannot see the browser's share sheet, so a fake
   * `navigator.share` that ends with `outcome` replaces it. If `outcome` is undefined, the browser has no
   * share sheet. With 'NotAllowedError', writing to the clipboard fails, too.
   */
  const openWith = async (outcome: 'shared' | 'AbortError' | 'DataError' | 'NotAllowedError' | undefined) => {
    await page.addInitScript((name) => {
      const shared: ShareData[] = [];
      const share = async (data: ShareData) => {
        shared.push(data);
        if (name !== 'shared') throw new DOMException('refused by the test', name);
      };
      Object.defineProperty(Navigator.prototype, 'share', { value: name && share, configurable: true });
      Object.assign(window, { shared });
      const refuse = () => Promise.reject(new Error(name));
      const refused = name === 'NotAllowedError' ? { value: refuse, configurable: true } : {};
      if (refused.value) Object.defineProperty(navigator.clipboard, 'writeText', refused);
      else Reflect.deleteProperty(navigator.clipboard, 'writeText');
    }, outcome);
    await page.goto(`/product/${slug}?from=test`, { waitUntil: 'networkidle' });
    await share.tap();
  };
  const listShared = () => page.evaluate(() => (window as never as { shared: ShareData[] }).shared);

  await openWith('shared');
  await expect.poll(listShared).toEqual([{ title, url: link }]);
  await openWith('AbortError');
  await expect.poll(listShared).toEqual([{ title, url: link }]);
  await expect(status).toHaveCount(0);
  await openWith('NotAllowedError');
  await expect(status).toContainText(link);
  await openWith('DataError');
  await expect(status).toContainText('Link copied');

  await openWith(undefined);
  await expect(status).toContainText('Link copied');
  const pinnedBar = await page.locator('[data-action-bar]').boundingBox();
  await expect
    .poll(async () => {
      const box = await status.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    })
    .toBeLessThanOrEqual(pinnedBar?.y ?? 0);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await page.context().close();
});
