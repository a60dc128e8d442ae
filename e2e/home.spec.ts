import { expect, type Page } from '@playwright/test';
import { test } from './support/fixtures.ts';
import { openReadyPage } from './support/hydration.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';

const windowOptions = [
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  { viewport: { width: 768, height: 1024 } },
  { viewport: { width: 1280, height: 900 } },
];

const getHeroSection = (page: Page) =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .first();
const getFirstRecentPost = (page: Page) =>
  page.getByRole('region', { name: 'Recent Posts' }).getByRole('listitem').first();

/** Returns the HTML of a page without the ages of its listings, which change while the test runs. */
const removeAges = (html: string): string => html.replaceAll(/(<time\b[^>]*>)[^<]*/g, '$1');

/**
 * Returns the y coordinate (px) at which the visible part of the page ends: at the top of a fixed
 * bar, or at the bottom of the window.
 */
const getVisibleBottom = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bars = [...document.querySelectorAll('nav')].filter(
      (it) => getComputedStyle(it).position === 'fixed',
    );
    return Math.min(innerHeight, ...bars.map((it) => it.getBoundingClientRect().top));
  });

test('the first session shows the hero, later ones a low banner with items for sale in view, without a layout shift', async ({
  browser,
  demo,
}) => {
  for (const options of windowOptions) {
    const { width } = options.viewport;
    const context = await browser.newContext({
      baseURL: demo.url,
      reducedMotion: 'reduce',
      ...options,
    });
    let page = await context.newPage();
    const open = async (): Promise<string> => {
      const response = await openReadyPage(page, '/');
      return (await response?.text()) ?? '';
    };
    const firstHtml = await open();
    for (const _visit of [1, 2]) {
      expect(await getHeroSection(page).evaluate((it) => it.getBoundingClientRect().height), `${width}`).toBe(
        400,
      );
      await expect(page.getByText('you can meet between classes')).toBeVisible();
      await open();
    }

    // A new tab has a session storage of its own, as a later session has.
    await page.close();
    page = await context.newPage();
    const laterHtml = await open();
    expect(removeAges(laterHtml)).toBe(removeAges(firstHtml));
    expect(
      await getHeroSection(page).evaluate((it) => it.getBoundingClientRect().height),
      `${width}`,
    ).toBeLessThanOrEqual(160);
    await expect(page.getByRole('link', { name: 'Start Trading' })).toBeInViewport({ ratio: 1 });
    const card = await getFirstRecentPost(page).boundingBox();
    const visibleBottom = await getVisibleBottom(page);
    expect((card?.y ?? Infinity) + (card?.height ?? 0) / 2, `${width}`).toBeLessThanOrEqual(visibleBottom);

    page = await context.newPage();
    await recordLayoutShifts(page);
    await open();
    expect(await listShiftedElements(page), `${width}`).toEqual([]);
    await context.close();
  }
});

test('every visit shows the hero if the browser blocks storage', async ({ browser, demo }) => {
  const context = await browser.newContext({ baseURL: demo.url });
  const page = await context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked by the test', 'SecurityError');
      },
    });
  });
  for (const _visit of [1, 2]) {
    await page.goto('/');
    expect((await getHeroSection(page).boundingBox())?.height).toBe(400);
  }
  await context.close();
});
