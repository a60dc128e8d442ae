import { type Browser, expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForHydration } from './support/hydration.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import { postListing, signUp, uploadPhoto } from './support/students.ts';
import { intercept } from './support/test.ts';

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

test('on a phone, photos are swiped and zoomed with fingers, and price, seller and actions stay in view', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = 'Desk lamp with photos of every side';
  const photos: string[] = [];
  for (let count = 0; count < 3; count += 1) photos.push(await uploadPhoto(quad, ada));
  const { slug } = await postListing(quad, ada, title, { photos });
  const page = await openPhonePage(browser, quad.url);
  await recordLayoutShifts(page);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const bar = page.locator('[data-action-bar]');
  await page.goto(`/listing/${slug}`);
  await waitForHydration(page);

  await test.step('a swipe leads to the next photo and back, and not beyond the first one', async () => {
    await expect(photo(page, title, '1 of 3')).toBeInViewport({ ratio: 0.9 });
    await expect(photo(page, title, '1 of 3')).toHaveAttribute('fetchpriority', 'high');
    await expect(photo(page, title, '2 of 3')).toHaveAttribute('loading', 'lazy');
    await expect(page.getByText('1 / 3')).toBeInViewport({ ratio: 1 });
    await swipe(page, [300, 60]);
    await expect(photo(page, title, '2 of 3')).toBeInViewport({ ratio: 0.9 });
    await expect(page.getByText('2 / 3')).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('1 / 3')).not.toBeInViewport();
    await swipe(page, [60, 300]);
    await expect(photo(page, title, '1 of 3')).toBeInViewport({ ratio: 0.9 });
    await swipe(page, [60, 300]);
    await expect(photo(page, title, '1 of 3')).toBeInViewport({ ratio: 0.9 });
    expect(problems).toEqual([]);
    expect(await listShiftedElements(page)).toEqual([]);
  });

  // Reload, because Chrome sometimes drops a swipe right after one that could not scroll.
  await page.reload();
  await waitForHydration(page);

  await test.step('a tap opens the current photo full screen', async () => {
    await swipe(page, [300, 60]);
    await expect(photo(page, title, '2 of 3')).toBeInViewport({ ratio: 0.9 });
    await getPhotoViewerButton(page).tap();
    const viewer = page.getByRole('dialog', { name: `Photos of ${title}` });
    await expect(viewer.getByText('Photo 2 of 3')).toBeVisible();
    await viewer.getByRole('button', { name: 'Close' }).tap();
    await expect(viewer).toHaveCount(0);
  });

  await test.step('the price and the primary action are pinned and cover no content', async () => {
    const message = page.getByRole('button', { name: 'Message Seller' });
    await expect(message).toBeInViewport({ ratio: 1 });
    await expect(bar.getByText('$40')).toBeInViewport({ ratio: 1 });
    // The page grows while what is near its end is rendered.
    await expect
      .poll(async () => {
        const lastLineBottom = await page.getByRole('main').evaluate((main) => {
          window.scrollTo(0, document.body.scrollHeight);
          const lines = [...main.querySelectorAll('*')].filter(
            (it) => it.childElementCount === 0 && it.checkVisibility() && !it.closest('[data-action-bar]'),
          );
          return Math.max(...lines.map((it) => it.getBoundingClientRect().bottom));
        });
        const barTop = (await bar.boundingBox())?.y ?? 0;
        return lastLineBottom > 0 && lastLineBottom <= barTop;
      })
      .toBe(true);
    await expect(message).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('link', { name: 'Back' })).toBeInViewport({ ratio: 1 });
    await message.tap();
    const dialog = page.getByRole('dialog', { name: 'Sign in Required' });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await expect(dialog).toHaveCount(0);
    await page.evaluate(() => window.scrollTo(0, 0));
  });

  await test.step('the photo stays current when the phone is turned, and two fingers zoom the page', async () => {
    await page.setViewportSize({ width: 740, height: 360 });
    await expect(photo(page, title, '2 of 3')).toBeInViewport({ ratio: 0.5 });
    await page.setViewportSize(phoneBrowserOptions.viewport);
    await swipe(page, [160, 60], [200, 300]);
    await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1);
    await expect(photo(page, title, '1 of 3')).not.toBeInViewport({ ratio: 0.1 });
  });
  await page.context().close();
});

test('on a phone, the page of a listing has no header while its HTML is still arriving', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const { slug } = await postListing(quad, ada, 'Desk lamp on a slow network');
  const page = await openPhonePage(browser, quad.url);
  for (const [path, isHidden] of [
    [`/listing/${slug}`, true],
    [`/product/${slug}`, true],
    ['/listing/no-such-listing', false],
  ] as const) {
    const html = await (await page.request.get(path)).text();
    await intercept(page, path, (route) =>
      route.fulfill({ contentType: 'text/html', body: html.slice(0, html.indexOf('<main id=')) }),
    );
    await page.goto(path);
    await expect(page.locator('main')).toHaveCount(0);
    await expect(page.locator('header')).toBeVisible({ visible: !isHidden });
  }
  await page.context().close();
});
