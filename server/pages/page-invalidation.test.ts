import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAccountVerified } from '#server/features/accounts/public.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  insertPhoto,
  type ListingForm,
  submitListingForm,
  validListingForm,
} from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

interface SavedListing {
  id: string;
  slug: string;
}

let bus: Bus;
let testApp: TestApp;
let ada: Person;
let bob: Person;
let deskListing: SavedListing;
let lampListing: SavedListing;
let panListing: SavedListing;

const fetchPage = (url: string, headers: Record<string, string> = {}, target = testApp) =>
  target.server.inject({ url, headers });

const submitListing = async (seller: Person, form: ListingForm = {}): Promise<SavedListing> =>
  (await submitListingForm(testApp, seller, form)).body.listing;

const sendRequest = async (method: 'PATCH' | 'DELETE', url: string, person: Person, payload?: object) => {
  const response = await testApp.server.inject({
    method,
    url,
    headers: person.headers,
    ...(payload && { payload }),
  });
  expect(response.statusCode).toBe(200);
};

beforeAll(async () => {
  bus = createInProcessBus();
  testApp = await startTestApp({ replace: { bus, pages: await loadPagesBuild() } });
  ada = await testApp.signIn({ fullName: 'Ada' });
  bob = await testApp.signIn({ fullName: 'Bob' });
  deskListing = await submitListing(ada);
  lampListing = await submitListing(ada, { title: 'A lamp for long nights' });
  panListing = await submitListing(bob, { title: 'Pan without a scratch', category: 'kitchen' });
});
afterAll(() => testApp.close());

/** All pages that show listings, by the names used in the expectations below. */
const getPagePaths = () => ({
  home: '/',
  'home data': '/_.data?_routes=routes%2Fhome',
  furniture: '/category/furniture',
  'furniture by price': '/category/furniture?price=50-100',
  'furniture data': '/category/furniture.data?_routes=routes%2Fcategory',
  kitchen: '/category/kitchen',
  search: '/search?q=scratch',
  'search in kitchen': '/search?q=scratch&category=kitchen',
  desk: `/listing/${deskListing.slug}`,
  'desk as product': `/product/${deskListing.slug}`,
  lamp: `/listing/${lampListing.slug}`,
  pan: `/listing/${panListing.slug}`,
  ada: `/users/${ada.userId}`,
  bob: `/users/${bob.userId}`,
});
type PageName = keyof ReturnType<typeof getPagePaths>;

// Pages with listings of all categories. Profiles are among them, because any new listing may belong to their
// owners.
const allListingsPages: PageName[] = ['home', 'home data', 'search', 'ada', 'bob'];
const furniturePages: PageName[] = [
  'furniture',
  'furniture by price',
  'furniture data',
  'desk',
  'desk as product',
  'lamp',
];
const kitchenPages: PageName[] = ['kitchen', 'search in kitchen', 'pan'];

let markCount = 0;

/**
 * Returns the pages that are rendered again after a change. To tell new renders from cached pages,
 * the names of all users are changed directly in the database, without invalidation: every page
 * with a listing shows a seller's name, and only a new render shows the changed one.
 */
const listPagesRenderedAfter = async (change: () => Promise<unknown>): Promise<PageName[]> => {
  const all = Object.entries(getPagePaths()) as [PageName, string][];
  for (const [, path] of all) await fetchPage(path);
  markCount += 1;
  const mark = `Marked ${markCount}.`;
  await testApp.sql`UPDATE users SET full_name = ${mark}`;
  for (const [name, path] of all)
    expect((await fetchPage(path)).body, `${name} is cached`).not.toContain(mark);
  await change();
  const renewed: PageName[] = [];
  for (const [name, path] of all) {
    const { statusCode, body } = await fetchPage(path);
    if (statusCode !== 200 || body.includes(mark)) renewed.push(name);
  }
  return renewed.sort();
};

const sortPageNames = (...names: PageName[][]): PageName[] => names.flat().sort();

describe('a change invalidates exactly the pages that show it', () => {
  test('a new listing: home, searches, the lists of its category, and its similar items', async () => {
    const renewed = await listPagesRenderedAfter(() =>
      submitListing(bob, { title: 'A wardrobe for giants', price: 60 }),
    );
    expect(renewed).toEqual(sortPageNames(allListingsPages, furniturePages));
    expect((await fetchPage('/category/furniture?price=50-100')).body).toContain('A wardrobe for giants');
    expect((await fetchPage(`/listing/${deskListing.slug}`)).body).toContain('A wardrobe for giants');
  });

  test('an edited listing: the same pages, and the page of the listing', async () => {
    const renewed = await listPagesRenderedAfter(() =>
      submitListing(ada, { id: deskListing.id, price: 77.25 }),
    );
    expect(renewed).toEqual(sortPageNames(allListingsPages, furniturePages));
    expect((await fetchPage(`/listing/${deskListing.slug}`)).body).toContain('77.25');
  });

  test('a listing that moves to another category: the lists of both', async () => {
    const renewed = await listPagesRenderedAfter(() =>
      submitListing(ada, { id: lampListing.id, title: 'A lamp for long nights', category: 'kitchen' }),
    );
    expect(renewed).toEqual(sortPageNames(allListingsPages, furniturePages, kitchenPages));
    await submitListing(ada, { id: lampListing.id, title: 'A lamp for long nights' });
  });

  test('an unpublished listing: its page disappears immediately and returns when it is published again', async () => {
    const path = `/rest/v1/me/listings/${deskListing.id}`;
    expect(await listPagesRenderedAfter(() => sendRequest('PATCH', path, ada, { status: 'draft' }))).toEqual(
      sortPageNames(allListingsPages, furniturePages),
    );
    expect((await fetchPage(`/listing/${deskListing.slug}`)).statusCode).toBe(404);
    expect((await fetchPage(`/product/${deskListing.slug}`)).statusCode).toBe(404);
    await sendRequest('PATCH', path, ada, { status: 'published' });
    expect((await fetchPage(`/listing/${deskListing.slug}`)).statusCode).toBe(200);
    expect((await fetchPage('/category/furniture')).body).toContain(deskListing.slug);
  });

  test('a deleted listing: it disappears from all pages', async () => {
    const doomed = await submitListing(bob, { title: 'A chair that will not last', category: 'kitchen' });
    expect((await fetchPage('/category/kitchen')).body).toContain(doomed.slug);
    const renewed = await listPagesRenderedAfter(() =>
      sendRequest('DELETE', `/rest/v1/me/listings/${doomed.id}`, bob),
    );
    expect(renewed).toEqual(sortPageNames(allListingsPages, kitchenPages));
    expect((await fetchPage(`/listing/${doomed.slug}`)).statusCode).toBe(404);
    for (const path of ['/', '/category/kitchen', '/search?q=chair'])
      expect((await fetchPage(path)).body).not.toContain(doomed.slug);
  });

  test('a draft that is saved and deleted: no page', async () => {
    const renewed = await listPagesRenderedAfter(async () => {
      const draft = await submitListing(ada, { status: 'draft', title: 'Not yet to be seen' });
      await submitListing(ada, { id: draft.id, status: 'draft', title: 'Still not to be seen' });
      await sendRequest('DELETE', `/rest/v1/me/listings/${draft.id}`, ada);
    });
    expect(renewed).toEqual([]);
  });

  test('a photo removed from a listing: its page no longer shows it', async () => {
    const photo = await insertPhoto(testApp, ada, 'sofa.jpg');
    const sofa = await submitListing(ada, { title: 'A sofa that seats three', photos: [photo] });
    for (const path of [`/listing/${sofa.slug}`, '/category/furniture'])
      expect((await fetchPage(path)).body).toContain('sofa.jpg');
    await submitListing(ada, { id: sofa.id, title: 'A sofa that seats three', photos: [] });
    for (const path of [`/listing/${sofa.slug}`, '/category/furniture'])
      expect((await fetchPage(path)).body).not.toContain('sofa.jpg');
    await sendRequest('DELETE', `/rest/v1/me/listings/${sofa.id}`, ada);
  });

  test('a changed bio, name or picture: the pages that show the person', async () => {
    await testApp.sql`UPDATE listings SET status = 'draft' WHERE user_id = ${bob.userId} AND category = 'furniture'`;
    await submitListing(ada);
    const renewed = await listPagesRenderedAfter(() =>
      sendRequest('PATCH', '/rest/v1/me', bob, { bio: 'Cooks a lot.' }),
    );
    expect(renewed).toEqual(sortPageNames(['home', 'home data', 'search', 'bob'], kitchenPages));
    await sendRequest('PATCH', '/rest/v1/me', bob, { full_name: 'Robert Pan' });
    for (const path of ['/', '/category/kitchen', `/listing/${panListing.slug}`])
      expect((await fetchPage(path)).body).toContain('Robert Pan');
    await testApp.server.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: bob.headers,
      payload: { data: { full_name: 'Rob Pan' } },
    });
    expect((await fetchPage(`/listing/${panListing.slug}`)).body).toContain('Rob Pan');
  });

  test('a badge set by an administrator: also lists of verified sellers without the person', async () => {
    const seller = await testApp.signIn({ email: 'eve@elsewhere.example' });
    const { slug } = await submitListing(seller, { title: 'Ladder with nine rungs' });
    const path = '/category/furniture?verified=true';
    expect((await fetchPage(path)).body).not.toContain(slug);
    await setAccountVerified(testApp.app, seller.email, true);
    expect((await fetchPage(path)).body).toContain(slug);
  });
});

test('the games of this week change at midnight without an invalidation', async () => {
  const before = testApp.clock.now();
  await submitListing(ada, {
    title: 'Two seats for the derby',
    category: 'game-day',
    gameDate: '2026-03-12',
  });
  const shows = async () =>
    (await fetchPage('/category/game-day?game_date=this-week')).body.includes('Two seats for the derby');
  testApp.clock.set(new Date('2026-03-08T07:59:30Z'));
  expect(await shows()).toBe(false);
  testApp.clock.advance(29);
  expect(await shows()).toBe(false);
  testApp.clock.advance(1);
  expect(await shows()).toBe(true);
  testApp.clock.set(before);
});

test.each([
  { gameDate: '2026-03-08', midnight: '2026-03-09T07:00:00Z' },
  { gameDate: '2026-03-12', midnight: '2026-03-13T07:00:00Z' },
  { gameDate: '2026-11-01', midnight: '2026-11-02T08:00:00Z' },
])(
  'promise 92: cached pages stop showing the game of $gameDate at midnight, without a job',
  async ({ gameDate, midnight }) => {
    const start = testApp.clock.now();
    testApp.clock.set(new Date(Date.parse(midnight) - 600_000));
    const seller = await testApp.signIn();
    const form = { category: 'game-day', gameDate };
    const title = `Seats for the game on ${gameDate}`;
    const { slug } = await submitListing(seller, { ...form, title });
    const other = await submitListing(seller, { ...form, title: 'A pass for every game', gameDate: null });
    const paths = [
      '/',
      '/browse',
      '/category/game-day',
      '/category/game-day?game_date=this-week',
      `/search?q=${gameDate}`,
      `/listing/${other.slug}`,
      `/users/${seller.userId}`,
      '/sitemap.xml',
    ];
    const listPathsWithGame = async () => {
      const bodies = await Promise.all(paths.map(async (path) => (await fetchPage(path)).body));
      return paths.filter((_, index) => [title, slug].some((text) => bodies[index]?.includes(text)));
    };
    const says = async (text: string) => (await fetchPage(`/listing/${slug}`)).body.includes(text);
    // Load the pages before the last minute and in the last second, so that all of them are cached.
    for (const before of [50, 1]) {
      testApp.clock.set(new Date(Date.parse(midnight) - before * 1000));
      expect(await listPathsWithGame()).toEqual(paths);
      expect(await says('This game has passed')).toBe(false);
    }
    testApp.clock.set(new Date(midnight));
    expect(await listPathsWithGame()).toEqual([]);
    expect(await says('This game has passed')).toBe(true);
    expect(await says('noindex')).toBe(true);
    testApp.clock.set(start);
  },
);

test('promise 42: a change in one process updates the pages of another within a second', async () => {
  const sql = openDatabase(testApp.databaseUrl, { max: 6 });
  const [firstBus, secondBus] = [
    await createPostgresBus(sql, silentLog),
    await createPostgresBus(sql, silentLog),
  ];
  const build = await loadPagesBuild();
  const [one, two] = await Promise.all(
    [firstBus, secondBus].map((bus) =>
      startTestApp({ replace: { pages: build, sql, search: (work) => work(sql), bus } }),
    ),
  );
  if (!one || !two) throw new Error('Two processes were started');
  try {
    const seller = await one.signIn({ fullName: 'Cleo' });
    const path = '/category/electronics';
    expect((await fetchPage(path, {}, two)).body).toContain('No items found');
    const form = { ...validListingForm, title: 'A radio with a long wire', category: 'electronics' };
    const { body } = await submitListingForm(one, seller, form);
    await expect
      .poll(async () => (await fetchPage(path, {}, two)).body, { timeout: 1000, interval: 10 })
      .toContain(form.title);
    expect((await fetchPage(`/listing/${body.listing.slug}`, {}, two)).body).toContain('Cleo');
    await one.server.inject({
      method: 'PATCH',
      url: '/rest/v1/me',
      headers: seller.headers,
      payload: { full_name: 'Cleopatra' },
    });
    for (const url of [path, `/listing/${body.listing.slug}`])
      await expect
        .poll(async () => (await fetchPage(url, {}, two)).body, { timeout: 1000, interval: 10 })
        .toContain('Cleopatra');
  } finally {
    await one.close();
    await two.close();
    await firstBus.close();
    await secondBus.close();
    await sql.end();
  }
});
