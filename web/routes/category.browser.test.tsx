import { use } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import * as categoryScreen from './category.tsx';

const api = createTestApi();
const [recorded] = getRecorded('listListings').items;
if (!recorded) throw new Error('No listing is recorded');

const formatQuery = ({ limit: _, ...query }: Record<string, string>) =>
  new URLSearchParams(Object.entries(query).sort()).toString();

const listOne = ({ query }: { query: Record<string, string> }) => ({
  items: [{ ...recorded, title: formatQuery(query) }],
  total: 1,
  next_cursor: null,
});
api.answer(calls.listListings, listOne);
const listNothing = () => ({ items: [], total: 0, next_cursor: null });

const screens = { '/category/:category': categoryScreen };
const filters = page.getByRole('form', { name: 'Filters' });
const getFilter = (label: string) => filters.getByLabelText(label, { exact: true });
const sort = page.getByRole('combobox', { name: 'Sort' });
const cards = page.getByRole('main').getByRole('heading', { level: 3 });

/** Expects the results of a query, given with its parameters in alphabetical order. */
const expectResults = (query: string) =>
  expect.poll(() => cards.elements().map((it) => it.textContent)).toEqual([query]);

const open = async (path: string) => {
  await openScreen(`/category/${path}`, screens);
  await expect.element(page.getByRole('button', { name: 'Reset Filters' })).toBeInTheDocument();
};

beforeEach(() => page.viewport(1280, 900));

test.each([
  ['game-day', 'Game Date', 'this-month', '?game_date=this-month', 'category=game-day&game_date=this-month'],
  ['merchandise', 'Size', 'Large', '?size=large', 'category=merchandise&size=large'],
  ['furniture', 'Price Range', '$50-$100', '?price=50-100', 'category=furniture&max_price=100&min_price=50'],
  ['textbooks', 'Price Range', '$100+', '?price=100-', 'category=textbooks&min_price=100'],
])('%s listings are filtered by %s: %s', async (category, label, option, search, query) => {
  await open(category);
  await getFilter(label).selectOptions(option);
  await expect.element(address).toHaveTextContent(`/category/${category}${search}`);
  await expectResults(query);
});

test('sellers can be limited to verified ones, and rentals are limited to available ones by default', async () => {
  await open('rentals');
  await expect.element(getFilter('Show Only Available Now')).toBeChecked();
  await expectResults('available=true&category=rentals');
  await getFilter('Show Only Available Now').click();
  await expectResults('category=rentals');
  await getFilter('Verified Sellers Only').click();
  await expect.element(address).toHaveTextContent('/category/rentals?available=any&verified=true');
  await expectResults('category=rentals&verified=true');
});

test('filters that match nothing show a message, and can be taken off one by one or all', async () => {
  api.answer(calls.listListings, (request) => (request.query.kind ? listNothing() : listOne(request)));
  await open('game-day?kind=parking-passes&price=0-50');
  await expect.element(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
  await expect
    .element(page.getByText('No game day listings yet. Be the first to post!'))
    .not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Without Parking Passes' }).click();
  await expectResults('category=game-day&max_price=50');
  await getFilter('Category').selectOptions('Tickets');
  await page.getByRole('link', { name: 'Reset Filters' }).click();
  await expectResults('category=game-day');
});

test.each([
  [
    'textbooks',
    [
      ['Price: Low to High', 'sort=price'],
      ['Price: High to Low', 'sort=price-desc'],
      ['Condition', 'sort=condition'],
      ['Location', 'sort=location'],
      ['Date Posted', ''],
    ],
  ],
  [
    'game-day',
    [
      ['Price: Low to High', 'sort=price'],
      ['Date Posted', 'sort=newest'],
      ['Game Date', ''],
    ],
  ],
] as const)('%s listings are sorted, and the filters are kept', async (category, choices) => {
  await open(`${category}?condition=good`);
  for (const [label, query] of choices) {
    await sort.selectOptions(label);
    await expectResults(`category=${category}&condition=good${query && `&${query}`}`);
    await expect.poll(() => sort.element().textContent).toContain(label);
    expect((sort.element() as HTMLSelectElement).selectedOptions[0]?.text).toBe(label);
  }
});

test('a price range of one’s own is chosen when its field is left or Enter is pressed, and can be removed', async () => {
  await open('furniture');
  await getFilter('Min price').fill('80');
  await userEvent.tab();
  await expectResults('category=furniture&min_price=80');
  await expect.element(getFilter('Price Range')).toHaveDisplayValue('$80+');
  await getFilter('Max price').fill('$1,200.50');
  await userEvent.keyboard('{Enter}');
  await expect.element(address).toHaveTextContent('/category/furniture?price=80-1200.50');
  await expectResults('category=furniture&max_price=1200.5&min_price=80');
  await getFilter('Max price').fill('ten');
  await expect.element(filters.getByText('Enter a number, such as 25')).toBeVisible();
  await getFilter('Max price').fill('10');
  await userEvent.tab();
  await expectResults('category=furniture&max_price=80&min_price=10');
  await getFilter('Price Range').selectOptions('$50-$100');
  await expect.element(getFilter('Min price')).toHaveValue('');
  await expectResults('category=furniture&max_price=100&min_price=50');
});

test('a course is typed, chosen when its field is left or Enter is pressed, and can be removed', async () => {
  await open('textbooks');
  await getFilter('Course').fill('math125');
  await userEvent.tab();
  await expect.element(address).toHaveTextContent('/category/textbooks?course=math125');
  await expectResults('category=textbooks&course=MATH+125');
  await getFilter('ISBN').fill('0-13-110362-8');
  await userEvent.keyboard('{Enter}');
  await expectResults('category=textbooks&course=MATH+125&isbn=9780131103627');
  await getFilter('Course').fill('');
  await userEvent.tab();
  await expectResults('category=textbooks&isbn=9780131103627');
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expect.element(getFilter('ISBN')).toHaveValue('');
  await expectResults('category=textbooks');
});

test('a filter and a sort order chosen while results are loading are both kept', async () => {
  await open('textbooks');
  const results = api.hold(calls.listListings, listOne);
  await sort.selectOptions('Price: Low to High');
  await getFilter('Condition').selectOptions('Good');
  await sort.selectOptions('Location');
  await getFilter('Price Range').selectOptions('$0-$50');
  results.release();
  await expectResults('category=textbooks&condition=good&max_price=50&sort=location');
  await expect
    .element(address)
    .toHaveTextContent('/category/textbooks?sort=location&condition=good&price=0-50');
});

// After an order or a filter is chosen, the URL changes immediately, but React may render the change much
// later on a busy device.
test.each([
  ['a sort order and a filter', false],
  ['a filter and a sort order', true],
])('%s chosen before either is rendered are both kept', async (_, isFilterFirst) => {
  await open('textbooks');
  const choose = (select: Element, value: string) => {
    (select as HTMLSelectElement).value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const [sortSelect, priceSelect] = [sort.element(), getFilter('Price Range').element()];
  const order = () => choose(sortSelect, 'location');
  const filter = () => choose(priceSelect, '0-50');
  for (const step of isFilterFirst ? [filter, order] : [order, filter]) step();
  await expectResults('category=textbooks&max_price=50&sort=location');
});

test('a filter chosen just before the results of the previous filter are rendered stays chosen', async () => {
  let router:
    | { subscribe: (listener: (state: { location: { search: string } }) => void) => void }
    | undefined;
  function ScreenWithRouter() {
    router = use(DataRouterContext)?.router;
    return <categoryScreen.default />;
  }
  await openScreen('/category/game-day', {
    '/category/:category': { ...categoryScreen, default: ScreenWithRouter },
  });
  const verified = getFilter('Verified Sellers Only');
  await expect.element(verified).toBeInTheDocument();
  const checkbox = verified.element() as HTMLInputElement;
  const states = new Set<boolean>();
  const record = () => {
    if (!checkbox.isConnected) return;
    states.add(checkbox.checked);
    requestAnimationFrame(record);
  };
  let isClicked = false;
  router?.subscribe(({ location }) => {
    if (isClicked || !location.search) return;
    isClicked = true;
    // The URL has changed, but React has not rendered the page for it yet.
    queueMicrotask(() => checkbox.click());
    requestAnimationFrame(record);
  });
  await getFilter('Category').selectOptions('Tickets');
  await expectResults('category=game-day&kind=tickets&verified=true');
  expect([...states]).toEqual([true]);
});

test('removing a filter on a phone while a new sort order is loading keeps the sort order', async () => {
  await page.viewport(360, 740);
  await openScreen('/category/textbooks?condition=good', screens);
  const remove = page.getByRole('link', { name: 'Remove filter: Good' });
  await expect.element(remove).toBeVisible();
  const results = api.hold(calls.listListings, listOne);
  await sort.selectOptions('Location');
  await remove.click();
  results.release();
  await expectResults('category=textbooks&sort=location');
  await expect.element(address).toHaveTextContent('/category/textbooks?sort=location');
});

test('on a phone, filters open in a sheet that shows the number of results as filters are chosen', async () => {
  await page.viewport(360, 740);
  const totals: Record<string, number> = { '': 3, good: 2, new: 0 };
  api.answer(calls.listListings, (request) => {
    const total = (totals[request.query.condition ?? ''] ?? 0) - (request.query.max_price ? 1 : 0);
    return total > 0 ? { ...listOne(request), total } : listNothing();
  });
  await openScreen('/category/textbooks?sort=price', screens);
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  const opener = page.getByRole('main').getByText('Filters', { exact: true });
  await opener.click();
  await expect.element(sheet.getByRole('button', { name: 'Show 3 results' })).toBeVisible();
  await sheet.getByLabelText('Condition').selectOptions('Good');
  await expect.element(sheet.getByRole('button', { name: 'Show 2 results' })).toBeVisible();
  await sheet.getByLabelText('Price Range').selectOptions('$0-$50');
  await sheet.getByRole('button', { name: 'Show 1 result', exact: true }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(page.getByText('2 chosen')).toBeVisible();
  const sorted = page.getByRole('link', { name: 'Remove sort order: Price: Low to High' });
  await expect.element(sorted).toBeVisible();
  await expectResults('category=textbooks&condition=good&max_price=50&sort=price');

  await page.getByRole('link', { name: 'Remove filter: $0-$50' }).click();
  await expectResults('category=textbooks&condition=good&sort=price');
  await expect.poll(() => document.activeElement?.textContent).toBe('GoodPrice: Low to High');
  await page.getByRole('link', { name: 'Remove filter: Good' }).click();
  await expectResults('category=textbooks&sort=price');
  await sorted.click();
  await expectResults('category=textbooks');
  await expect.element(page.getByRole('list', { name: 'Chosen filters' })).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement).not.toBe(document.body);

  await opener.click();
  await sheet.getByLabelText('Condition').selectOptions('New');
  await sheet.getByRole('button', { name: 'Show 0 results' }).click();
  await expect.element(page.getByRole('heading', { name: 'Nothing matches these filters' })).toBeVisible();
  await opener.click();
  await sheet.getByRole('button', { name: 'Reset Filters' }).click();
  await expect.element(sheet.getByRole('button', { name: 'Show 3 results' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
});
