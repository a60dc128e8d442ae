import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { chooseCategory } from './category-suggestion.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
  const listings: ListingForm[] = [
    { title: 'Brass desk lamp with a shade', category: 'furniture' },
    { title: 'Floor lamps, a pair of them', category: 'furniture' },
    { title: 'Walnut desk with two drawers', category: 'furniture' },
    { title: 'Organic chemistry, 3rd edition', category: 'textbooks' },
    { title: 'Chemistry: The Central Science', category: 'textbooks' },
    { title: 'Rice cooker for two people', category: 'free', price: 0 },
    { title: 'Rice cooker with a timer', category: 'free', price: 0 },
    { title: 'Toaster that nobody sees yet', category: 'kitchen', status: 'draft' },
    { title: 'Toaster that is a draft as well', category: 'kitchen', status: 'draft' },
  ];
  for (const listing of listings) {
    testApp.clock.advance(20);
    expect(await submitListingForm(testApp, seller, listing)).toMatchObject({ status: 200 });
  }
});
afterAll(() => testApp.close());

const suggest = async (title: string): Promise<unknown> => {
  const response = await testApp.server.inject({
    url: `/rest/v1/listings/category-suggestion?${new URLSearchParams({ title })}`,
    headers: seller.headers,
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().category;
};

test.each([
  ['Reading lamp, hardly used', 'furniture'],
  ['LAMPS', 'furniture'],
  ['Intro to chemistry', 'textbooks'],
  ['Chémistry notes', 'textbooks'],
  ['A thing without a name', null],
  ['Chemistry book on a desk', null],
  ['%_ \\ 12', null],
  // Free says how an item is sold, not what it is, and drafts are private.
  ['Rice cooker', null],
  ['Toaster', null],
])('suggests for "%s" the category %s', async (title, category) => {
  expect(await suggest(title)).toBe(category);
});

test('a word that is common everywhere decides little', () => {
  const everywhere = (['furniture', 'electronics', 'kitchen', 'clothing'] as const).map((category) => ({
    word: 'black',
    category,
    count: 50,
  }));
  expect(chooseCategory([...everywhere, { word: 'kettle', category: 'kitchen', count: 3 }])).toBe('kitchen');
  expect(chooseCategory(everywhere)).toBeUndefined();
});
