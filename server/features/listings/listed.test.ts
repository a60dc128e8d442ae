import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCampusDay } from '#contract/campus.ts';
import { categories } from '#contract/categories.ts';
import { addDays } from '#contract/days.ts';
import { listingSorts } from '#contract/listing-queries.ts';
import { maxSimilarMatches, savedListingPageSize } from '#contract/paging.ts';
import { savedListingPageSchema } from '#contract/saved-listings.ts';
import { toMatchCondition } from '#server/features/saved-searches/sql.ts';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { listLatestListings, listSitemapListings } from './public.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
  const searcher = await testApp.signIn();
  const payload = { name: 'Quilts', query: { q: 'quilt' }, alert: 'instant' };
  await expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/me/saved-searches',
      headers: searcher.headers,
      payload,
    }),
  );
});
afterAll(() => testApp.close());

/** The days of these tests, of which the clock shows one after the other. */
const days = ['2026-03-07', '2026-03-08', '2026-03-09'];
const firstDay = '2026-03-05';

const day = fc.integer({ min: 0, max: 6 }).map((count) => addDays(firstDay, count));
const randomListing = fc.record({
  status: fc.constantFrom('published', 'published', 'published', 'draft', 'sold', 'in_review'),
  category: fc.constantFrom('game-day', 'game-day', 'furniture', 'rentals'),
  game_date: fc.option(day, { nil: null, freq: 3 }),
  away_until: fc.option(day, { nil: null, freq: 1 }),
  has_ended: fc.boolean(),
  is_paused: fc.boolean(),
  is_on_hold: fc.boolean(),
});
interface StoredListing {
  slug: string;
  status: string;
  category: string;
  game_date: string | null;
  away_until: string | null;
  has_ended: boolean;
  is_paused: boolean;
}

/** Returns whether a listing is in lists on a day: the rule in words. */
const isListed = ({ status, category, game_date, away_until }: StoredListing, today: string): boolean => {
  if (status !== 'published') return false;
  if (category === 'game-day' && game_date !== null && game_date < today) return false;
  return away_until === null || away_until <= today;
};

const store = async (wanted: readonly (typeof randomListing extends fc.Arbitrary<infer L> ? L : never)[]) => {
  await testApp.sql`DELETE FROM listings`;
  const listings: StoredListing[] = [];
  for (const [index, it] of wanted.entries()) {
    const now = new Date(Date.parse('2026-03-01') + index * 1000);
    const slug = `quilt-${index}`;
    await testApp.sql`
      INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status, contact_email,
        game_date, away_until, is_on_hold, ended_at, paused_at, sold_at, held_at, created_at, updated_at, published_at)
      VALUES (${slug}, ${seller.userId}, ${`Two quilts, number ${index}`},
        'Size L, with two tickets in a pocket, and warm enough for every winter.', 20, ${it.category}, 'good', 'Village',
        ${it.status}, 'seller@usc.edu', ${it.game_date}, ${it.away_until}, ${it.is_on_hold},
        ${it.has_ended ? now : null}, ${it.is_paused ? now : null}, ${it.status === 'sold' ? now : null},
        ${it.status === 'in_review' ? now : null}, ${now}, ${now}, ${now})`;
    listings.push({ slug, ...it });
  }
  await testApp.bus.publish({
    kind: 'pages_changed',
    listing_ids: [],
    user_ids: [],
    categories: [...categories],
  });
  return listings;
};

const get = async (path: string) => {
  const response = await testApp.server.inject({ url: `/rest/v1/listings${path}` });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
/** Returns why a listing cannot be had on a day, or `gone` when it has no page: the rule in words. */
const getUnavailable = (
  { status, category, game_date, away_until, has_ended, is_paused }: StoredListing,
  today: string,
): string | null => {
  const hasPassed = category === 'game-day' && game_date !== null && game_date < today;
  if (status === 'sold') return null;
  if (status === 'draft' && has_ended) return 'passed';
  if (status === 'published' || (status === 'draft' && is_paused)) {
    if (hasPassed) return 'passed';
    if (status === 'draft') return 'unconfirmed';
    return away_until !== null && away_until > today ? 'away' : null;
  }
  return 'gone';
};

/** Reads the page of each listing and what somebody sees who saved it, and compares both with the rule. */
const comparePages = async (listings: readonly StoredListing[], today: string): Promise<void> => {
  const saver = await testApp.signIn();
  await testApp.sql`
    INSERT INTO saved_listings (user_id, listing_id, saved_at, title, price, rental_period)
    SELECT ${saver.userId}, id, created_at, slug, price, rental_period FROM listings`;
  const savedListings = savedListingPageSchema.parse(
    await expectOk(testApp.server.inject({ url: '/rest/v1/me/saved-listings', headers: saver.headers })),
  );
  const saved = new Map(savedListings.items.map((item) => [item.saved_title, item]));
  expect(saved.size).toBe(listings.length);
  for (const listing of listings) {
    const expected = getUnavailable(listing, today);
    const response = await testApp.server.inject({ url: `/rest/v1/listings/${listing.slug}` });
    const shown = response.statusCode === 404 ? 'gone' : response.json().unavailable;
    expect({ ...listing, today, shown }).toEqual({ ...listing, today, shown: expected });
    expect({ ...listing, today, saved: saved.get(listing.slug)?.unavailable }).toEqual({
      ...listing,
      today,
      saved: expected === 'gone' ? null : expected,
    });
  }
};

const toSlugs = (items: readonly { slug: string }[]): string[] => items.map(({ slug }) => slug).toSorted();

/** Asks every call that lists listings, and compares what it returns with the rule. */
const compareLists = async (listings: readonly StoredListing[], today: string): Promise<void> => {
  const listed = listings.filter((it) => isListed(it, today));
  const all = toSlugs(listed);
  const ofCategory = (category: string) => toSlugs(listed.filter((it) => it.category === category));
  const queries: [query: string, found: string[]][] = [
    ['', all],
    ['category=game-day', ofCategory('game-day')],
    ['category=furniture', ofCategory('furniture')],
    [`seller=${seller.userId}`, all],
    ['q=quilt', all],
    ['q=quilts%2C%20number', all],
    ['min_price=5', all],
    ['size=large', all],
    ['kind=tickets', all],
    ['category=game-day&kind=tickets&size=large', ofCategory('game-day')],
    ...listingSorts.map((sort): [string, string[]] => [
      `category=game-day&sort=${sort}`,
      ofCategory('game-day'),
    ]),
  ];
  for (const [query, found] of queries) {
    const page = await get(`?limit=100&${query}`);
    expect({ query, slugs: toSlugs(page.items), total: page.total }).toEqual({
      query,
      slugs: found,
      total: found.length,
    });
  }
  const similarMatches = toSlugs((await get('/similar-matches?q=quilt%20two')).items);
  expect(all).toEqual(expect.arrayContaining(similarMatches));
  expect(similarMatches).toHaveLength(Math.min(all.length, maxSimilarMatches));
  const suggested = toSlugs((await get('/suggestions?q=quilt')).items);
  expect(all).toEqual(expect.arrayContaining(suggested));
  expect(suggested).toHaveLength(Math.min(all.length, 6));
  expect(toSlugs(await listLatestListings(testApp.app, 100))).toEqual(all);
  const moment = { now: testApp.clock.now(), campus: testApp.app.config.campus };
  const matched = await testApp.sql<{ slug: string }[]>`
    SELECT l.slug FROM listings l, saved_searches s WHERE ${toMatchCondition(moment)}`;
  expect(toSlugs(matched)).toEqual(all);
  const siteMap = await listSitemapListings(testApp.app, 0, 100);
  expect({ slugs: toSlugs(siteMap.items), total: siteMap.total }).toEqual({ slugs: all, total: all.length });
  const [subject] = listed;
  if (!subject) return;
  const similar = toSlugs((await get(`/${subject.slug}/similar`)).items);
  const others = ofCategory(subject.category).filter((slug) => slug !== subject.slug);
  expect(others).toEqual(expect.arrayContaining(similar));
  expect(similar).toHaveLength(Math.min(others.length, 4));
};

test('promise 91: lists and pages show exactly what the rules allow, for random listings and times', {
  timeout: 300_000,
}, async () => {
  let compared = 0;
  // A list answers for all listings of a run at once, so large runs compare as much with fewer requests.
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomListing, { minLength: savedListingPageSize, maxLength: savedListingPageSize }),
      async (wanted) => {
        const listings = await store(wanted);
        for (const today of days)
          for (const time of ['T00:00:00', 'T23:59:59']) {
            testApp.clock.set(
              new Date(Temporal.ZonedDateTime.from(`${today}${time}[America/Los_Angeles]`).epochMilliseconds),
            );
            expect(toCampusDay(testApp.app.config.campus, testApp.clock.now())).toBe(today);
            await compareLists(listings, today);
            await comparePages(listings, today);
            compared += listings.length;
          }
      },
    ),
    { numRuns: 17 },
  );
  expect(compared).toBeGreaterThan(2000);
});

test('promise 91: what lists show does not change when the job runs', async () => {
  const listings = await store(
    fc
      .sample(randomListing, { numRuns: 40, seed: 7 })
      .map((it) => ({ ...it, has_ended: false, is_paused: false })),
  );
  testApp.clock.set(new Date('2026-03-08T20:00:00Z'));
  const lists = ['?limit=100', '?limit=100&category=game-day', '?limit=100&q=quilt'];
  const before = await Promise.all(lists.map(get));
  await testApp.jobs.repeatNow('end-passed-games');
  testApp.clock.advance(61);
  expect(await Promise.all(lists.map(get))).toEqual(before);
  const isEnded = (it: StoredListing & { is_on_hold?: boolean }) =>
    it.status === 'published' &&
    it.category === 'game-day' &&
    !it.is_on_hold &&
    (it.game_date ?? '9') < '2026-03-08';
  const ended = await testApp.sql<{ slug: string }[]>`SELECT slug FROM listings WHERE ended_at IS NOT NULL`;
  expect(ended).not.toHaveLength(0);
  expect(toSlugs(ended)).toEqual(toSlugs(listings.filter(isEnded)));
});
