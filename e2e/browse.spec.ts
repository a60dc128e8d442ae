import { expect, type Page } from '@playwright/test';
import { startDemoServer } from './support/demo.ts';
import { waitForHydration } from './support/hydration.ts';
import type { QuadServer } from './support/quad-server.ts';
import { intercept, test } from './support/test.ts';

let demoServer: QuadServer;
test.beforeAll(async () => {
  demoServer = await startDemoServer();
});
test.afterAll(() => demoServer.stop());
test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

const toUrl = (path: string): string => `${demoServer.url}${path}`;

/**
 * Returns the titles of the listings that the API returns for a query string. The page must show exactly
 * these listings.
 */
const fetchTitles = async (query: string): Promise<string[]> => {
  const answer = await fetch(toUrl(`/rest/v1/listings?${query}`));
  const { items } = (await answer.json()) as { items: { title: string }[] };
  return items.map((item) => item.title);
};

/**
 * Returns the titles that the search box should suggest for a text: the distinct titles that contain the
 * text. Titles in which a word begins with the text come first, and otherwise newer listings come first.
 */
const fetchExpectedSuggestions = async (text: string): Promise<string[]> => {
  const titles: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const answer = await fetch(toUrl(`/rest/v1/listings?limit=100${cursor && `&cursor=${cursor}`}`));
    const page = (await answer.json()) as { items: { title: string }[]; next_cursor: string | null };
    titles.push(...page.items.map((item) => item.title));
    cursor = page.next_cursor;
  }
  const found = [...new Set(titles.filter((title) => title.toLowerCase().includes(text)))];
  const begins = (title: string) => new RegExp(`(^|[^a-z])${text}`, 'i').test(title);
  return [...found.filter(begins), ...found.filter((title) => !begins(title))];
};

const expectCards = async (page: Page, titles: string[]) => {
  expect(titles.length).toBeGreaterThan(0);
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText(titles);
};

const filterForm = (page: Page) => page.getByRole('form', { name: 'Filters' });
const chooseFilter = (page: Page, label: string, option: string) =>
  filterForm(page).getByLabel(label, { exact: true }).selectOption(option);
const searchBox = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Search' });

test('game day filters are in the URL, survive a reload, and are undone by Back and Reset Filters', async ({
  page,
}) => {
  await page.goto(toUrl('/category/game-day'));
  await expectCards(page, await fetchTitles('category=game-day'));

  await chooseFilter(page, 'Category', 'Tickets');
  await expect(page).toHaveURL(/\?kind=tickets$/);
  const tickets = await fetchTitles('category=game-day&kind=tickets');
  await expectCards(page, tickets);
  await expect(page.getByText(`${tickets.length} items available`)).toBeVisible();

  await chooseFilter(page, 'Price Range', '$50-$100');
  await expect(page).toHaveURL(/kind=tickets&price=50-100$/);
  const affordable = await fetchTitles('category=game-day&kind=tickets&min_price=50&max_price=100');
  expect(affordable.length).toBeLessThan(tickets.length);
  await expectCards(page, affordable);

  await page.reload();
  await expectCards(page, affordable);
  await expect(filterForm(page).getByLabel('Category')).toHaveValue('tickets');
  await expect(filterForm(page).getByLabel('Price Range')).toHaveValue('50-100');

  await page.goBack();
  await expectCards(page, tickets);
  await expect(filterForm(page).getByLabel('Price Range')).toHaveValue('');

  await filterForm(page).getByRole('button', { name: 'Reset Filters' }).click();
  await expect(page).toHaveURL(toUrl('/category/game-day'));
  await expectCards(page, await fetchTitles('category=game-day'));

  await filterForm(page).getByLabel('Game Date').selectOption('this-month');
  await expect(page).toHaveURL(/\?game_date=this-month$/);
  const { total } = await (
    await fetch(toUrl('/rest/v1/listings?category=game-day&game_date=this-month'))
  ).json();
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveCount(total);

  await chooseFilter(page, 'Game Date', 'All');
  await filterForm(page).getByLabel('Verified Sellers Only').check();
  await expect(page).toHaveURL(/\?verified=true$/);
  await expectCards(page, await fetchTitles('category=game-day&verified=true'));
});

test('filters that match nothing show a message, and can be reset', async ({ page }) => {
  await page.goto(toUrl('/category/game-day?kind=parking-passes&price=100-'));
  await expect(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
  await expect(page.getByText('No game day listings yet. Be the first to post!')).toHaveCount(0);
  await page.getByRole('link', { name: 'Reset Filters' }).click();
  await expectCards(page, await fetchTitles('category=game-day'));
});

test('merchandise, rentals and furniture each have specific filters', async ({ page }) => {
  await page.goto(toUrl('/category/merchandise'));
  await chooseFilter(page, 'Size', 'Large');
  await expect(page).toHaveURL(/\?size=large$/);
  await expectCards(page, await fetchTitles('category=merchandise&size=large'));
  await page.reload();
  await expect(filterForm(page).getByLabel('Size')).toHaveValue('large');
  await page.goBack();
  await expectCards(page, await fetchTitles('category=merchandise'));

  await page.goto(toUrl('/category/rentals'));
  const available = filterForm(page).getByLabel('Show Only Available Now');
  await expect(available).toBeChecked();
  await available.uncheck();
  await expect(page).toHaveURL(/\?available=any$/);
  await expectCards(page, await fetchTitles('category=rentals'));
  await page.reload();
  await expect(available).not.toBeChecked();
  await page.goBack();
  await expect(available).toBeChecked();

  await page.goto(toUrl('/category/furniture'));
  await filterForm(page).getByLabel('Verified Sellers Only').check();
  await expect(page).toHaveURL(/verified=true/);
  await chooseFilter(page, 'Price Range', '$0-$50');
  await expect(page).toHaveURL(/price=0-50/);
  await expectCards(page, await fetchTitles('category=furniture&verified=true&max_price=50'));
  await page.goBack();
  await expectCards(page, await fetchTitles('category=furniture&verified=true'));
});

test('without JavaScript the filters are a plain form', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: demoServer.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/category/rentals');
  await chooseFilter(page, 'Price Range', '$0-$50');
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expectCards(page, await fetchTitles('category=rentals&available=true&max_price=50'));
  await expect(filterForm(page).getByLabel('Price Range')).toHaveValue('0-50');
  await expect(filterForm(page).getByLabel('Show Only Available Now')).toBeChecked();
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expectCards(page, await fetchTitles('category=rentals&available=true'));
  await context.close();
});

test('a generic category is filtered by price and condition, and keeps its sort order', async ({ page }) => {
  await page.goto(toUrl('/category/textbooks'));
  await expect(filterForm(page).getByLabel('Category')).toHaveCount(0);
  await page.getByRole('link', { name: 'Price: Low to High' }).click();
  await expect(page).toHaveURL(/\?sort=price$/);
  await chooseFilter(page, 'Condition', 'Good');
  await expect(page).toHaveURL(/\?sort=price&condition=good$/);
  await expectCards(page, await fetchTitles('category=textbooks&condition=good&sort=price'));
  await chooseFilter(page, 'Price Range', '$0-$50');
  await expectCards(page, await fetchTitles('category=textbooks&condition=good&max_price=50&sort=price'));
  await page.getByRole('link', { name: 'Date Posted' }).click();
  await expectCards(page, await fetchTitles('category=textbooks&condition=good&max_price=50'));
  await chooseFilter(page, 'Price Range', '$100+');
  await chooseFilter(page, 'Condition', 'New');
  await expect(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
  await page.getByRole('link', { name: 'Reset Filters' }).click();
  await expectCards(page, await fetchTitles('category=textbooks'));
});

/** Delays the results of the textbook category until the returned function is called. */
const holdResults = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await intercept(page, /textbooks\.data/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
};

test('a filter chosen just before the results of the previous filter are rendered stays chosen', async ({
  page,
}) => {
  await page.goto(toUrl('/category/game-day'), { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const verified = filterForm(page).getByLabel('Verified Sellers Only');
  const states = await verified.evaluateHandle((checkbox: HTMLInputElement) => {
    const states: boolean[] = [];
    const pushState = history.pushState.bind(history);
    history.pushState = (...call) => {
      history.pushState = pushState;
      pushState(...call);
      // The URL has changed, but React has not rendered the page for it yet.
      queueMicrotask(() => checkbox.click());
      const record = () => {
        states.push(checkbox.checked);
        requestAnimationFrame(record);
      };
      requestAnimationFrame(record);
    };
    return states;
  });
  await chooseFilter(page, 'Category', 'Tickets');
  await expect(page).toHaveURL(/\?kind=tickets&verified=true$/);
  await expectCards(page, await fetchTitles('category=game-day&kind=tickets&verified=true'));
  expect([...new Set(await states.jsonValue())]).toEqual([true]);
});

test('a filter and a sort order chosen while results are loading are both kept', async ({ page }) => {
  await page.goto(toUrl('/category/textbooks'), { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const release = await holdResults(page);
  await page.getByRole('link', { name: 'Price: Low to High' }).click();
  await chooseFilter(page, 'Condition', 'Good');
  await page.getByRole('link', { name: 'Location', exact: true }).click();
  await chooseFilter(page, 'Price Range', '$0-$50');
  release();
  await expect(page).toHaveURL(/\?sort=location&condition=good&price=0-50$/);
  await expectCards(page, await fetchTitles('category=textbooks&condition=good&max_price=50&sort=location'));
});

// After an order or a filter is chosen, the URL changes immediately, but React may render the change much
// later on a busy device.
test('a sort order and a filter chosen before either is rendered are both kept', async ({ page }) => {
  const location = page.getByRole('link', { name: 'Location', exact: true });
  const price = filterForm(page).getByLabel('Price Range');
  for (const isFilterFirst of [false, true]) {
    await page.goto(toUrl('/category/textbooks'), { waitUntil: 'networkidle' });
    await waitForHydration(page);
    const link = await location.elementHandle();
    await price.evaluate(
      (select: HTMLSelectElement, { link, isFilterFirst }) => {
        const order = () => (link as HTMLElement).click();
        const filter = () => {
          select.value = '0-50';
          select.dispatchEvent(new Event('change', { bubbles: true }));
        };
        for (const choose of isFilterFirst ? [filter, order] : [order, filter]) choose();
      },
      { link, isFilterFirst },
    );
    await expect(page).toHaveURL(/\?(?=.*sort=location)(?=.*price=0-50)/);
    await expectCards(page, await fetchTitles('category=textbooks&max_price=50&sort=location'));
  }
});

test('removing a filter on a phone while a new sort order is loading keeps the new sort order', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(toUrl('/category/textbooks?condition=good'), { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const release = await holdResults(page);
  await page.getByRole('link', { name: 'Location', exact: true }).click();
  await page.getByRole('link', { name: 'Remove filter: Good' }).click();
  release();
  await expect(page).toHaveURL(/\?sort=location$/);
  await expectCards(page, await fetchTitles('category=textbooks&sort=location'));
});

test('the four sort buttons of a generic category sort its listings', async ({ page }) => {
  await page.goto(toUrl('/category/textbooks'));
  for (const [button, sort] of [
    ['Price: Low to High', 'price'],
    ['Condition', 'condition'],
    ['Location', 'location'],
    ['Date Posted', 'newest'],
  ] as const) {
    await page.getByRole('link', { name: button, exact: true }).click();
    await expectCards(page, await fetchTitles(`category=textbooks&sort=${sort}`));
  }
});

test('search can be narrowed by category and price, and loads more on nearing the end', async ({ page }) => {
  await page.goto(toUrl('/search?q=e'));
  const cards = page.getByRole('main').getByRole('heading', { level: 3 });
  await expect(cards.nth(23)).toBeAttached();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(cards.nth(30)).toBeAttached();

  await chooseFilter(page, 'Category', 'Furniture');
  await expect(page).toHaveURL(/\?q=e&category=furniture$/);
  await expectCards(page, await fetchTitles('q=e&category=furniture'));
  await chooseFilter(page, 'Price Range', '$100+');
  await expect(page).toHaveURL(/\?q=e&category=furniture&price=100-$/);
  const dear = await fetchTitles('q=e&category=furniture&min_price=100');
  await expectCards(page, dear);
  await expect(page.getByText(`${dear.length} results for "e"`)).toBeVisible();
  await page.reload();
  await expectCards(page, dear);
  await page.goBack();
  await expectCards(page, await fetchTitles('q=e&category=furniture'));
  await filterForm(page).getByRole('button', { name: 'Reset Filters' }).click();
  await expect(page).toHaveURL(/\/search\?q=e$/);
});

test('the search box suggests titles and earlier searches, and Enter never waits for them', async ({
  page,
}) => {
  await page.goto(toUrl('/'));
  const box = searchBox(page);
  const options = page.getByRole('banner').getByRole('option');
  await box.click();
  await box.pressSequentially('lamp');
  const lamps = await fetchExpectedSuggestions('lamp');
  expect(lamps.length).toBeGreaterThan(0);
  await expect(options).toHaveText(lamps.slice(0, 6));
  await expect(box).toHaveAttribute('aria-expanded', 'true');

  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(box).toHaveValue('lamp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=lamp$/);
  await expect(options).toHaveCount(0);

  // With an empty search box, the recent search is suggested, and the arrow keys can reach it.
  await box.fill('');
  await expect(options).toHaveText([/^lamp/]);
  await page.goto(toUrl('/category/furniture'));
  await box.click();
  await expect(options).toHaveText([/^lamp/]);
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect(box).toHaveAttribute(
    'aria-activedescendant',
    (await options.first().getAttribute('id')) ?? '',
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=lamp$/);
  await expect(box).toHaveValue('lamp');

  // Suggestions match titles only. Many newer listings contain "table" in their descriptions, also inside
  // words such as "portable", but must not be suggested.
  const tables = await fetchExpectedSuggestions('tab');
  expect(tables.length).toBeGreaterThan(0);
  await box.fill('tab');
  await expect(options).toHaveText(tables.slice(0, 6));

  await box.fill('furn');
  await expect(options.first()).toHaveText('FurnitureCategory');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/category\/furniture$/);

  await box.fill('desk lamp');
  const deskLamps = await fetchExpectedSuggestions('desk lamp');
  expect(deskLamps.length).toBeGreaterThan(0);
  await expect(options).toHaveText(deskLamps.slice(0, 6));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/product\//);
});

test('a search with few results shows similar ones in a section of their own', async ({ page }) => {
  await page.goto(toUrl('/search?q=desks'));
  await expect(page.getByText('0 results for "desks"')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No results found' })).toBeVisible();
  const similar = page.getByRole('region', { name: 'Similar results' });
  await expect(similar.getByRole('heading', { level: 3 }).first()).toHaveText(/desk/i);

  await page.goto(toUrl('/search?q=desk'));
  await expect(page.getByText(/^\d+ results for "desk"/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Similar results' })).toHaveCount(0);
});
