import { expect, type Page } from '@playwright/test';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { postListing, signUp } from './support/students.ts';
import { intercept, test } from './support/test.ts';

// These tests check how lists of listings look and behave on a phone.

let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad();
});
test.afterAll(() => quadServer.stop());

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const getListingCard = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title }) });

test('a card shows six words of its title, price, age, short location and verified mark', async ({
  page,
}) => {
  const seller = await signUp(quadServer, 'Casey Phone', 'casey.phone@usc.edu');
  const title = 'Oak desk with two large drawers';
  await postListing(quadServer, seller, title, {
    category: 'kitchen',
    location: 'Parkside Apartments, room 214',
  });
  await page.goto(`${quadServer.url}/category/kitchen`);
  const shown = getListingCard(page, title);
  await expect(shown).toContainText('$40');
  await expect(shown).toContainText('Good · 1 min');
  await expect(shown).toContainText('Parkside Apartments');
  await expect(shown).not.toContainText('room 214');
  await expect(shown.getByRole('img', { name: 'Verified' })).toBeVisible();
  for (const text of [title, 'Parkside Apartments', 'Casey Phone']) {
    const cut = await shown.getByText(text, { exact: true }).evaluate((element) => {
      const box = element.closest('h3') ?? element;
      return box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
    });
    expect(cut, text).toBe(false);
  }
});

test('hydration keeps the age that the server wrote, whatever the clock of the phone says', async ({
  page,
}) => {
  const seller = await signUp(quadServer, 'Casey Clock', 'casey.clock@usc.edu');
  await postListing(quadServer, seller, 'Desk lamp with a warm bulb', { category: 'electronics' });
  const { created_at } = (
    await (await fetch(`${quadServer.url}/rest/v1/listings?category=electronics`)).json()
  ).items[0];
  await page.clock.setFixedTime(new Date(Date.parse(created_at) + 5 * 3600_000));
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`${quadServer.url}/category/electronics`);
  await page.getByRole('button', { name: /^Favorite/ }).tap();
  await expect(page.getByRole('button', { name: /^Favorite/, pressed: true })).toBeVisible();
  await expect(getListingCard(page, 'Desk lamp').locator('time')).toHaveText('1 min');
  expect(problems).toEqual([]);
});

test('filters open in a sheet that shows the number of results as filters are chosen', async ({ page }) => {
  const seller = await signUp(quadServer, 'Casey Filter', 'casey.filter@usc.edu');
  for (const [title, condition, price] of [
    ['A calculus book with notes', 'good', 20],
    ['A chemistry book like new', 'like-new', 30],
    ['A history book that is heavy', 'good', 120],
  ] as const) {
    await postListing(quadServer, seller, title, { category: 'textbooks', condition, price });
  }
  await page.goto(`${quadServer.url}/category/textbooks?sort=price`);
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  const opener = page.getByRole('main').getByText('Filters', { exact: true });
  await opener.tap();
  await expect(sheet.getByRole('button', { name: 'Show 3 results' })).toBeVisible();
  await sheet.getByLabel('Condition').selectOption('Good');
  await expect(sheet.getByRole('button', { name: 'Show 2 results' })).toBeVisible();
  await sheet.getByLabel('Price Range').selectOption('$0-$50');
  await sheet.getByRole('button', { name: 'Show 1 result', exact: true }).tap();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(
    /\?sort=price&condition=good&price=0-50$|\?sort=price&price=0-50&condition=good$/,
  );
  await expect(page.getByText('2 chosen')).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText([
    'A calculus book with notes',
  ]);

  await page.getByRole('link', { name: 'Remove filter: $0-$50' }).tap();
  await expect(page).toHaveURL(/\?sort=price&condition=good$/);
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveCount(2);
  await expect(page.locator(':focus')).toHaveText('Good');
  await page.getByRole('link', { name: 'Remove filter: Good' }).tap();
  await expect(page.getByRole('list', { name: 'Chosen filters' })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveCount(3);
  await expect(page.locator(':focus')).toHaveCount(1);

  await opener.tap();
  await sheet.getByLabel('Condition').selectOption('New');
  await sheet.getByRole('button', { name: 'Show 0 results' }).tap();
  await expect(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
  await opener.tap();
  await sheet.getByRole('button', { name: 'Reset Filters' }).tap();
  await expect(sheet.getByRole('button', { name: 'Show 3 results' })).toBeVisible();
});

test('a tap on Filters before their script has loaded opens the sheet afterwards', async ({ page }) => {
  const seller = await signUp(quadServer, 'Casey Early', 'casey.early@usc.edu');
  await postListing(quadServer, seller, 'A sofa for two people', { category: 'furniture' });
  const scriptAllowed = Promise.withResolvers<void>();
  await intercept(page, /\/assets\/filter-bar-[^/]*\.js$/, async (route) => {
    await scriptAllowed.promise;
    await route.continue();
  });
  await page.goto(`${quadServer.url}/category/furniture`);
  await page.getByRole('main').getByText('Filters', { exact: true }).tap();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await expect(page.getByRole('main').getByLabel('Price Range')).toBeVisible();
  await expect(sheet).toHaveCount(0);
  scriptAllowed.resolve();
  await expect(sheet.getByRole('button', { name: /^Show \d+ results?$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('main').getByLabel('Price Range')).toBeHidden();
});

test('the current sort order is in view, and the first card is close to the header', async ({ page }) => {
  const seller = await signUp(quadServer, 'Casey First', 'casey.first@usc.edu');
  for (const category of ['game-day', 'rentals', 'study-items'] as const)
    await postListing(quadServer, seller, 'Something near the top', { category });
  for (const path of [
    '/category/game-day',
    '/category/rentals',
    '/category/study-items',
    '/search?q=near+the+top',
  ]) {
    await page.goto(quadServer.url + path);
    const first = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') })
      .first();
    const header = await page.getByRole('banner').boundingBox();
    const card = await first.boundingBox();
    expect((card?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0), path).toBeLessThanOrEqual(300);
  }
  await page.goto(`${quadServer.url}/category/study-items`);
  await expect(page.getByRole('link', { name: 'Date Posted' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('link', { name: 'Location' }).tap();
  await expect(page.getByRole('link', { name: 'Location' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('link', { name: 'Location' })).toBeInViewport({ ratio: 1 });
});
