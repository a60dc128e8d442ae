import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import * as browseScreen from './browse.tsx';
import * as categoryScreen from './category.tsx';
import * as searchScreen from './search.tsx';

const api = createTestApi();
const listings = getRecorded('listListings');
const nothing = { items: [], total: 0, next_cursor: null };
api.answer(calls.listListings, listings);

const screens = {
  '/browse': browseScreen,
  '/category/:category': categoryScreen,
  '/search': searchScreen,
};
const main = page.getByRole('main');
const cards = main.getByRole('heading', { level: 3 });
const listTitles = () => cards.elements().map((it) => it.textContent);
const similar = page.getByRole('region', { name: 'Similar results' });

beforeEach(() => page.viewport(360, 740));

test('a search without results shows similar listings in a section of their own', async () => {
  api.answer(calls.listListings, nothing);
  api.answer(calls.listSimilarMatches, { items: listings.items.slice(0, 1) });
  await openScreen('/search?q=desks', screens);
  await expect.element(page.getByText('0 results for "desks"')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'No results found' })).toBeVisible();
  await expect.element(similar.getByRole('heading', { level: 3 })).toMatchTextContent('Solid wood desk');
  await page.getByRole('link', { name: 'Browse All Listings' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Browse' })).toBeVisible();
});

test('a search with many results requests and shows no similar listings', async () => {
  await openScreen('/search?q=furniture', screens);
  await expect.element(page.getByText(`${listings.total} results for "furniture"`)).toBeVisible();
  await expect.element(similar).not.toBeInTheDocument();
});

test.each([
  [
    '/search?q=desk',
    [
      ['Category', 'kitchen', '/search?q=desk&category=kitchen'],
      ['Price Range', '100-', '/search?q=desk&category=kitchen&price=100-'],
      ['Condition', 'good', '/search?q=desk&category=kitchen&price=100-&condition=good'],
    ],
    { q: 'desk', category: 'kitchen', min_price: '100', condition: 'good' },
  ],
  [
    '/browse',
    [
      ['Category', 'kitchen', '/browse?category=kitchen'],
      ['Price Range', '100-', '/browse?category=kitchen&price=100-'],
      ['Condition', 'good', '/browse?category=kitchen&price=100-&condition=good'],
    ],
    { sort: 'newest', category: 'kitchen', min_price: '100', condition: 'good' },
  ],
] as const)('%s can be narrowed by category, price and condition', async (start, choices, query) => {
  await page.viewport(1280, 900);
  await openScreen(start, screens);
  const filters = page.getByRole('form', { name: 'Filters' });
  for (const [label, value, chosen] of choices) {
    await filters.getByLabelText(label).selectOptions(value);
    await expect.element(address).toHaveTextContent(chosen);
  }
  await expect.poll(() => api.listRequests(calls.listListings).at(-1)?.query).toMatchObject(query);
  await filters.getByRole('button', { name: 'Reset Filters' }).click();
  await expect.element(address).toHaveTextContent(start);
});

test.each([
  '/category/game-day',
  '/category/rentals',
  '/category/study-items',
  '/search?q=near+the+top',
  '/browse',
])('on a phone, the first listing of %s is near the top', async (path) => {
  await openScreen(path, screens);
  await expect.poll(listTitles).toHaveLength(listings.items.length);
  const top = main.element().getBoundingClientRect().top;
  const card = cards.elements()[0]?.closest('li');
  expect((card?.getBoundingClientRect().top ?? Infinity) - top).toBeLessThanOrEqual(300);
});

test.each([
  [
    '/search?q=desk',
    'Price: High to Low',
    '/search?q=desk&sort=price-desc',
    { q: 'desk', sort: 'price-desc' },
  ],
  ['/search?q=desk', 'Date Posted', '/search?q=desk&sort=newest', { q: 'desk', sort: 'newest' }],
  ['/browse', 'Price: Low to High', '/browse?sort=price', { sort: 'price' }],
])('on a phone, %s is sorted by %s', async (start, label, sorted, query) => {
  await openScreen(start, screens);
  await page.getByRole('combobox', { name: 'Sort' }).selectOptions(label);
  await expect.element(address).toHaveTextContent(sorted);
  await expect.poll(() => api.listRequests(calls.listListings).at(-1)?.query).toMatchObject(query);
});

test('on a phone, a card shows six words of its title, the first part of its location, and the verified mark', async () => {
  const [first] = listings.items;
  if (!first) throw new Error('No listing is recorded');
  const listing = {
    ...first,
    title: 'Oak desk with two large drawers',
    price: 40,
    location: 'Parkside Apartments, room 214',
    created_at: new Date().toISOString(),
    seller: { ...first.seller, name: 'Casey Phone', usc_verified: true },
  };
  api.answer(calls.listListings, {
    items: [listing, ...listings.items.slice(1)],
    total: 4,
    next_cursor: null,
  });
  await openScreen('/browse', screens);
  const heading = page.getByRole('heading', { name: listing.title });
  await expect.element(heading).toBeVisible();
  const card = page.elementLocator(heading.element().closest('li') ?? document.body);
  await expect.element(card).toMatchTextContent('$40');
  await expect.element(card).toMatchTextContent('Good · 1 min');
  await expect.element(card).not.toMatchTextContent('room 214');
  await expect.element(card.getByRole('img', { name: 'Verified' })).toBeVisible();
  for (const text of [listing.title, 'Parkside Apartments', 'Casey Phone']) {
    const element = card.getByText(text, { exact: true }).element();
    const box = element.closest('h3') ?? element;
    expect(box.scrollHeight, text).toBeLessThanOrEqual(box.clientHeight + 1);
    expect(box.scrollWidth, text).toBeLessThanOrEqual(box.clientWidth + 1);
  }
});
