import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { conditions, postableCategories } from '#contract/categories.ts';
import { categoryFieldEntries, categoryFilterFields } from '#contract/category-fields.ts';
import { addDays } from '#contract/days.ts';
import { gameDateRanges, gameDayListingKinds, type SavedSearchQuery } from '#contract/listing-queries.ts';
import { maxSavedSearches } from '#contract/paging.ts';
import { createCategoryValue } from '#contract/testing.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let searcher: Person;
let sellers: Person[];
beforeAll(async () => {
  testApp = await startTestApp();
  searcher = await testApp.signIn();
  // Make the account older, because a new account may not save as many searches as this test needs.
  await testApp.sql`UPDATE users SET created_at = '2020-01-01' WHERE id = ${searcher.userId}`;
  const unverified = await testApp.signIn({ email: 'seller@home.example' });
  sellers = [await testApp.signIn(), unverified];
  // In this week, "this week", "next week" and "this month" end on different days.
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
});
afterAll(() => testApp.close());

const today = '2026-03-02';
const categories = [...postableCategories, 'trojan-merch'] as const;
// A small vocabulary, so that many searches have results. It includes accents, quotes, wildcards and parts of the
// category's label.
const words = [
  ...[
    'desk',
    'Désk',
    'DESK',
    'lamp',
    "student's",
    '"oak"',
    '50%',
    'a_b',
    'c\\d',
    'ﬁne',
    'İstanbul',
    'ß',
    '桌子',
    '😀s',
  ],
  ...[
    'x',
    'XL',
    'Extra large',
    'small',
    'tickets',
    'parking pass',
    'trojan',
    'merch',
    'game',
    'day',
    '42',
    '4',
  ],
  ...['0131103628', '978-0-13-110362-7', 'ISBN 0-13-110362-8', 'math125'],
];
const phrase = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(' '));
const price = fc.integer({ min: 1, max: 6 }).map((step) => step * 10.5);

const categoryValues = fc.record(
  Object.fromEntries(
    categoryFieldEntries.map(([name, field]) => [
      name,
      fc.constantFrom(null, createCategoryValue(field, 0), createCategoryValue(field, 1)),
    ]),
  ),
);

const listing = fc
  .record({
    fields: categoryValues,
    category: fc.constantFrom(...categories),
    title: phrase,
    description: phrase,
    location: phrase,
    price,
    condition: fc.constantFrom(...conditions),
    gameDay: fc.option(fc.integer({ min: 0, max: 40 })),
    seller: fc.integer({ min: 0, max: 1 }),
    isRented: fc.boolean(),
  })
  .map(({ title, description, gameDay, fields, ...rest }) => ({
    ...rest,
    ...fields,
    // The server refuses a maximum below the minimum.
    ...(fields.maxRentalDays !== null && { minRentalDays: null }),
    // The server refuses titles that contain emoji or are too short.
    title: `${title.replaceAll('😀', '')} for you`.slice(0, 80).padEnd(12, '.'),
    description: `${description}${'.'.repeat(40)}`,
    gameDate: gameDay === null ? null : addDays(today, gameDay),
  }));

/** A part of a phrase, with at least one character. */
const partOfPhrase = fc
  .tuple(phrase, fc.nat(), fc.integer({ min: 1, max: 12 }))
  .map(([text, start, length]) => {
    const characters = [...text];
    const from = start % characters.length;
    return characters.slice(from, from + length).join('');
  });
const text = fc.oneof(
  partOfPhrase,
  fc.constantFrom(...words),
  phrase,
  fc.string({ minLength: 1, maxLength: 3 }),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 });
const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const search = fc.record({
  q: maybe(text),
  category: rarely(fc.constantFrom(...categories)),
  min_price: rarely(price),
  max_price: rarely(price),
  condition: rarely(fc.constantFrom(...conditions)),
  location: rarely(text),
  verified: rarely(fc.constantFrom('true', 'false')),
  available: rarely(fc.constantFrom('true', 'false')),
  game_date: rarely(fc.constantFrom(...gameDateRanges)),
  ...Object.fromEntries(
    categoryFilterFields.map((field) => [
      field.column,
      rarely(fc.constantFrom(createCategoryValue(field, 0), createCategoryValue(field, 1))),
    ]),
  ),
  kind: rarely(fc.constantFrom(...gameDayListingKinds)),
  seller: rarely(fc.integer({ min: 0, max: 1 })),
});

const toQuery = ({ seller, ...query }: Record<string, unknown>): SavedSearchQuery =>
  JSON.parse(
    JSON.stringify({
      ...query,
      ...(seller === undefined ? {} : { seller: sellers[seller as number]?.userId }),
    }),
  );

const publish = async ({ seller, isRented, ...form }: Record<string, unknown>): Promise<string> => {
  const { status, body } = await submitListingForm(testApp, sellers[seller as number] as Person, {
    ...form,
    price: form.category === 'free' ? 0 : form.price,
    status: 'published',
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { id } = body.listing;
  if (isRented && form.category === 'rentals')
    await testApp.sql`UPDATE listings SET rented_until = ${addDays(today, 3)}, sold_at = ${testApp.clock.now()} WHERE id = ${id}`;
  return id;
};

/** Saves a search. Returns undefined for a text that the server refuses, such as one with control characters. */
const saveSearch = async (
  query: SavedSearchQuery,
): Promise<{ id: string; query: SavedSearchQuery } | undefined> => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/me/saved-searches',
    headers: searcher.headers,
    payload: { name: 'A search', query, alert: 'off' },
  });
  const body = response.json();
  if (response.statusCode === 400) {
    const list = await listFound(query);
    expect(list, JSON.stringify(query)).toBeUndefined();
    return undefined;
  }
  expect(response.statusCode, response.body).toBe(200);
  return { id: body.id, query };
};

/**
 * Returns the ids of the listings that a request for the list of listings returns for a query, or undefined when the
 * server refuses the query.
 */
const listFound = async (query: SavedSearchQuery): Promise<string[] | undefined> => {
  const params = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const response = await testApp.server.inject({ url: `/rest/v1/listings?limit=100&${params}` });
  if (response.statusCode === 400) return undefined;
  expect(response.statusCode, response.body).toBe(200);
  return response.json().items.map(({ id }: { id: string }) => id);
};

test('promise 73: a saved search matches exactly the listings that running it finds', {
  timeout: 300_000,
}, async () => {
  expect(toCampusDay(defaultCampus, testApp.clock.now())).toBe(today);
  let pairs = 0;
  let matches = 0;
  // Each run compares each listing with each search, so large runs compare more pairs per request than many small ones.
  await fc.assert(
    fc.asyncProperty(
      fc.array(listing, { minLength: 24, maxLength: 24 }),
      fc.array(search, { minLength: maxSavedSearches, maxLength: maxSavedSearches }),
      async (listings, searches) => {
        await testApp.sql`DELETE FROM saved_searches`;
        await testApp.sql`DELETE FROM listings`;
        const saved = new Map<string, SavedSearchQuery>();
        for (const it of searches) {
          const result = await saveSearch(toQuery(it));
          if (result) saved.set(result.id, result.query);
        }
        testApp.clock.advance(0.001);
        for (const it of listings) await publish(it);
        // Move the stored times back by a minute instead of advancing the clock: over all runs of this test, the
        // clock would advance by an hour, and the session would end.
        await testApp.sql`UPDATE listings_to_match SET due_at = due_at - interval '1 minute'`;
        await testApp.sql`UPDATE saved_searches SET visited_at = visited_at - interval '1 minute'`;
        await testApp.jobs.repeatNow('match-missed-listings');
        const response = await testApp.server.inject({
          url: '/rest/v1/me/saved-searches',
          headers: searcher.headers,
        });
        const newCounts = new Map(
          response.json().items.map((it: { id: string; new_count: number }) => [it.id, it.new_count]),
        );
        for (const [id, query] of saved) {
          const rows = await testApp.sql<{ listing_id: string }[]>`
            SELECT listing_id FROM saved_search_matches WHERE search_id = ${id}`;
          const matched = rows.map((row) => row.listing_id);
          const found = (await listFound(query)) ?? [];
          expect(matched.toSorted(), JSON.stringify(query)).toEqual(found.toSorted());
          expect(newCounts.get(id), JSON.stringify(query)).toBe(found.length);
          pairs += listings.length;
          matches += found.length;
        }
      },
    ),
    { numRuns: 10 },
  );
  // With fewer pairs and matches, the test would compare almost only empty results.
  expect(pairs).toBeGreaterThan(4000);
  expect(matches).toBeGreaterThan(400);
});
