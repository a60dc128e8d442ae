import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForHydration } from './support/hydration.ts';
import type { QuadServer } from './support/quad-server.ts';
import { postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

test.use({ viewport: { width: 1280, height: 900 } });

const titles = {
  'Two tickets for the season opener': 80,
  'Two tickets for the last home game': 30,
  'Parking pass next to the stadium': 60,
};

/** Posts the listings of `titles`, so that the first one is the newest. */
const postGameDayListings = async (quad: QuadServer): Promise<void> => {
  const seller = await signUp(quad, 'Casey Browse', createUniqueEmailAddress('casey'));
  for (const [title, price] of Object.entries(titles).reverse())
    await postListing(quad, seller, title, { category: 'game-day', price });
};

/**
 * Expects exactly the listings that the API returns for a query string, which must be at least one and fewer than
 * those of `wider`.
 */
const expectCards = async (page: Page, quad: QuadServer, query: string, wider?: string): Promise<void> => {
  const fetchTitles = async (search: string): Promise<string[]> => {
    const { items } = await (await fetch(`${quad.url}/rest/v1/listings?limit=24&${search}`)).json();
    return items.map((item: { title: string }) => item.title);
  };
  const expected = await fetchTitles(query);
  expect(expected.length).toBeGreaterThan(0);
  if (wider) expect(expected.length).toBeLessThan((await fetchTitles(wider)).length);
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText(expected);
};

const filters = (page: Page) => page.getByRole('form', { name: 'Filters' });
const chooseFilter = (page: Page, label: string, option: string) =>
  filters(page).getByLabel(label, { exact: true }).selectOption(option);

test('filters are in the URL, survive a reload, and are undone by Back and Reset Filters', async ({
  page,
  quad,
}) => {
  await postGameDayListings(quad);
  const all = 'category=game-day';
  await page.goto('/category/game-day');
  await waitForHydration(page);
  await chooseFilter(page, 'Category', 'Tickets');
  await expect(page).toHaveURL(/\?kind=tickets$/);
  await expectCards(page, quad, `${all}&kind=tickets`, all);
  await chooseFilter(page, 'Price Range', '$50-$100');
  await expect(page).toHaveURL(/\?kind=tickets&price=50-100$/);
  const affordable = `${all}&kind=tickets&min_price=50&max_price=100`;
  await expectCards(page, quad, affordable, `${all}&kind=tickets`);

  await page.reload();
  await expectCards(page, quad, affordable);
  await expect(filters(page).getByLabel('Category')).toHaveValue('tickets');
  await expect(filters(page).getByLabel('Price Range')).toHaveValue('50-100');

  await page.goBack();
  await expectCards(page, quad, `${all}&kind=tickets`);
  await expect(filters(page).getByLabel('Price Range')).toHaveValue('');
  await filters(page).getByRole('button', { name: 'Reset Filters' }).click();
  await expect(page).toHaveURL('/category/game-day');
  await expectCards(page, quad, all);
});

test('without JavaScript, the filters and the search are plain forms', async ({ browser, quad }) => {
  await postGameDayListings(quad);
  const context = await browser.newContext({ baseURL: quad.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/');
  const header = page.getByRole('banner');
  await header.getByRole('combobox', { name: 'Search' }).fill('season opener');
  await header.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Search Results' })).toBeVisible();
  await expectCards(page, quad, 'q=season+opener');
  await chooseFilter(page, 'Price Range', '$50-$100');
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expect(page).toHaveURL(
    /\?q=season\+opener&category=&price=50-100&min_price=&max_price=&condition=&sort=$/,
  );
  await expectCards(page, quad, 'q=season+opener&min_price=50&max_price=100');
  await expect(filters(page).getByLabel('Price Range')).toHaveValue('50-100');
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expect(page).toHaveURL(/\?q=season\+opener$/);
  await context.close();
});

test('on a phone, new listings are on /browse at once and can be filtered and searched, even if scripts load late', async ({
  browser,
  quad,
}) => {
  await postGameDayListings(quad);
  const [newest = ''] = Object.keys(titles);
  const context = await browser.newContext({
    baseURL: quad.url,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const cards = page.getByRole('main').getByRole('heading', { level: 3 });
  const header = page.getByRole('banner');
  const box = header.getByRole('combobox', { name: 'Search' });
  const options = header.getByRole('option');
  const bar = page.getByRole('navigation', { name: 'Main' });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));

  await test.step('hydration keeps the age that the server wrote, whatever the clock of the phone says', async () => {
    await page.clock.setFixedTime(Date.now() + 5 * 3600_000);
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'View All' }).tap();
    await expect(page).toHaveURL('/browse');
    await page.reload();
    await waitForHydration(page);
    await expect(cards.first()).toHaveText(newest);
    await expect(page.getByRole('main').locator('time').first()).toHaveText('1 min');
    expect(problems).toEqual([]);
  });

  await test.step('Filters and a sort order that are chosen before their script has loaded are applied afterwards', async () => {
    const script = Promise.withResolvers<void>();
    const pattern = /\/assets\/filter-bar-[^/]*\.js$/;
    await intercept(page, pattern, async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('main').getByText('Filters', { exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await expect(page.getByRole('main').getByLabel('Price Range')).toBeVisible();
    await expect(sheet).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Price: Low to High');
    script.resolve();
    await expect(page).toHaveURL('/browse?sort=price');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('link', { name: 'Remove sort order: Price: Low to High' }).tap();
    await expect(page).toHaveURL('/browse');
    await page.getByRole('main').getByText('Filters', { exact: true }).tap();
    await sheet.getByLabel('Category').selectOption('Game Day');
    await expect(page).toHaveURL('/browse?category=game-day');
    await sheet.getByRole('button', { name: /^Show \d+ results?$/ }).tap();
    await expect(sheet).toHaveCount(0);
    await expectCards(page, quad, 'category=game-day&sort=newest');
  });

  await test.step('a tap on the search box shows suggestions across the window, and one beside them closes them', async () => {
    await box.tap();
    await expect(box).toBeFocused();
    await expect(options.first()).toHaveText('Game DayCategory');
    await expect(bar).toBeHidden();
    for (const option of await options.all()) expect((await option.boundingBox())?.width).toBe(360);
    await page.touchscreen.tap(180, 700);
    await expect(options).toHaveCount(0);
    await expect(box).not.toBeFocused();
    await expect(bar).toBeVisible();
    await expect(page).toHaveURL('/browse?category=game-day');
    await box.tap();
    await page.keyboard.type('season op');
    await options.filter({ hasText: newest }).tap();
    await expect(page.getByRole('heading', { level: 1, name: newest })).toBeVisible();
  });
  await context.close();
});
