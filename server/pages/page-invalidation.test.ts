import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertPhoto, type ListingForm, saveListing, validListingForm } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

interface Saved {
  id: string;
  slug: string;
}

let server: TestApp;
let ada: Person;
let bob: Person;
let desk: Saved;
let lamp: Saved;
let pan: Saved;

const get = (url: string, headers: Record<string, string> = {}, target = server) =>
  target.app.inject({ url, headers });

const save = async (seller: Person, form: ListingForm = {}): Promise<Saved> =>
  (await saveListing(server, seller, form)).body.listing;

const sendRequest = async (method: 'PATCH' | 'DELETE', url: string, person: Person, payload?: object) => {
  const response = await server.app.inject({
    method,
    url,
    headers: person.headers,
    ...(payload && { payload }),
  });
  expect(response.statusCode).toBe(200);
};

beforeAll(async () => {
  server = await startTestApp({ deps: { pages: await loadPagesBuild() } });
  ada = await server.signIn({ fullName: 'Ada' });
  bob = await server.signIn({ fullName: 'Bob' });
  desk = await save(ada);
  lamp = await save(ada, { title: 'A lamp for long nights' });
  pan = await save(bob, { title: 'Pan without a scratch', category: 'kitchen' });
});
afterAll(() => server.close());

/** All pages that show listings, by the names used in the expectations below. */
const pages = () => ({
  home: '/',
  'home data': '/_.data?_routes=routes%2Fhome',
  furniture: '/category/furniture',
  'furniture by price': '/category/furniture?price=50-100',
  'furniture data': '/category/furniture.data?_routes=routes%2Fcategory',
  kitchen: '/category/kitchen',
  search: '/search?q=scratch',
  'search in kitchen': '/search?q=scratch&category=kitchen',
  desk: `/listing/${desk.slug}`,
  'desk as product': `/product/${desk.slug}`,
  lamp: `/listing/${lamp.slug}`,
  pan: `/listing/${pan.slug}`,
});
type PageName = keyof ReturnType<typeof pages>;

const everything: PageName[] = ['home', 'home data', 'search'];
const allFurniture: PageName[] = [
  'furniture',
  'furniture by price',
  'furniture data',
  'desk',
  'desk as product',
  'lamp',
];
const allKitchen: PageName[] = ['kitchen', 'search in kitchen', 'pan'];

let markCount = 0;

/**
 * Returns the pages that a change caused to be rendered again. Every page with a listing shows a seller's name, so all
 * names are changed in the database without invalidation, which makes old and new pages distinguishable.
 */
const listPagesRenderedAfter = async (change: () => Promise<unknown>): Promise<PageName[]> => {
  const all = Object.entries(pages()) as [PageName, string][];
  for (const [, path] of all) await get(path);
  markCount += 1;
  const mark = `Marked ${markCount}.`;
  await server.sql`UPDATE users SET full_name = ${mark}`;
  for (const [name, path] of all) expect((await get(path)).body, `${name} is cached`).not.toContain(mark);
  await change();
  const renewed: PageName[] = [];
  for (const [name, path] of all) {
    const { statusCode, body } = await get(path);
    if (statusCode !== 200 || body.includes(mark)) renewed.push(name);
  }
  return renewed.sort();
};

const sortPages = (...names: PageName[][]): PageName[] => names.flat().sort();

describe('a change invalidates exactly the pages that show it', () => {
  test('a new listing: home, searches, the lists of its category, and its similar items', async () => {
    const renewed = await listPagesRenderedAfter(() =>
      save(bob, { title: 'A wardrobe for giants', price: 60 }),
    );
    expect(renewed).toEqual(sortPages(everything, allFurniture));
    expect((await get('/category/furniture?price=50-100')).body).toContain('A wardrobe for giants');
    expect((await get(`/listing/${desk.slug}`)).body).toContain('A wardrobe for giants');
  });

  test('an edited listing: its own page as well', async () => {
    const renewed = await listPagesRenderedAfter(() => save(ada, { id: desk.id, price: 77.25 }));
    expect(renewed).toEqual(sortPages(everything, allFurniture));
    expect((await get(`/listing/${desk.slug}`)).body).toContain('77.25');
  });

  test('a listing that moves to another category: the lists of both', async () => {
    const renewed = await listPagesRenderedAfter(() =>
      save(ada, { id: lamp.id, title: 'A lamp for long nights', category: 'kitchen' }),
    );
    expect(renewed).toEqual(sortPages(everything, allFurniture, allKitchen));
    await save(ada, { id: lamp.id, title: 'A lamp for long nights' });
  });

  test('an unpublished listing: its page disappears immediately and returns when it is published again', async () => {
    const path = `/rest/v1/me/listings/${desk.id}`;
    expect(await listPagesRenderedAfter(() => sendRequest('PATCH', path, ada, { status: 'draft' }))).toEqual(
      sortPages(everything, allFurniture),
    );
    expect((await get(`/listing/${desk.slug}`)).statusCode).toBe(404);
    expect((await get(`/product/${desk.slug}`)).statusCode).toBe(404);
    await sendRequest('PATCH', path, ada, { status: 'published' });
    expect((await get(`/listing/${desk.slug}`)).statusCode).toBe(200);
    expect((await get('/category/furniture')).body).toContain(desk.slug);
  });

  test('a deleted listing: it disappears from all pages', async () => {
    const doomed = await save(bob, { title: 'A chair that will not last', category: 'kitchen' });
    expect((await get('/category/kitchen')).body).toContain(doomed.slug);
    const renewed = await listPagesRenderedAfter(() =>
      sendRequest('DELETE', `/rest/v1/me/listings/${doomed.id}`, bob),
    );
    expect(renewed).toEqual(sortPages(everything, allKitchen));
    expect((await get(`/listing/${doomed.slug}`)).statusCode).toBe(404);
    for (const path of ['/', '/category/kitchen', '/search?q=chair'])
      expect((await get(path)).body).not.toContain(doomed.slug);
  });

  test('a draft that is saved and deleted: no page', async () => {
    const renewed = await listPagesRenderedAfter(async () => {
      const draft = await save(ada, { status: 'draft', title: 'Not yet to be seen' });
      await save(ada, { id: draft.id, status: 'draft', title: 'Still not to be seen' });
      await sendRequest('DELETE', `/rest/v1/me/listings/${draft.id}`, ada);
    });
    expect(renewed).toEqual([]);
  });

  test('a photo removed from a listing: its page no longer shows it', async () => {
    const photo = await insertPhoto(server, ada, 'sofa.jpg');
    const sofa = await save(ada, { title: 'A sofa that seats three', photos: [photo] });
    for (const path of [`/listing/${sofa.slug}`, '/category/furniture'])
      expect((await get(path)).body).toContain('sofa.jpg');
    await save(ada, { id: sofa.id, title: 'A sofa that seats three', photos: [] });
    for (const path of [`/listing/${sofa.slug}`, '/category/furniture'])
      expect((await get(path)).body).not.toContain('sofa.jpg');
    await sendRequest('DELETE', `/rest/v1/me/listings/${sofa.id}`, ada);
  });

  test('a new name or picture: the pages that show the person', async () => {
    await server.sql`UPDATE listings SET status = 'draft' WHERE user_id = ${bob.userId} AND category = 'furniture'`;
    await save(ada);
    const renewed = await listPagesRenderedAfter(() =>
      sendRequest('PATCH', '/rest/v1/me', bob, { bio: 'Cooks a lot.' }),
    );
    expect(renewed).toEqual(sortPages(['home', 'home data', 'search'], allKitchen));
    await sendRequest('PATCH', '/rest/v1/me', bob, { full_name: 'Robert Pan' });
    for (const path of ['/', '/category/kitchen', `/listing/${pan.slug}`])
      expect((await get(path)).body).toContain('Robert Pan');
    await server.app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: bob.headers,
      payload: { data: { full_name: 'Rob Pan' } },
    });
    expect((await get(`/listing/${pan.slug}`)).body).toContain('Rob Pan');
  });
});

test('the games of this week change at midnight without an invalidation', async () => {
  const before = server.clock.now();
  await save(ada, { title: 'Two seats for the derby', category: 'game-day', gameDate: '2026-03-12' });
  const shows = async () =>
    (await get('/category/game-day?game_date=this-week')).body.includes('Two seats for the derby');
  server.clock.set(new Date('2026-03-08T07:59:30Z'));
  expect(await shows()).toBe(false);
  server.clock.advance(29);
  expect(await shows()).toBe(false);
  server.clock.advance(1);
  expect(await shows()).toBe(true);
  server.clock.set(before);
});

test('promise 42: a change in one process updates the pages of another within a second', async () => {
  const sql = openDatabase(server.databaseUrl, { max: 6 });
  const [firstBus, secondBus] = [
    await createPostgresBus(sql, silentLog),
    await createPostgresBus(sql, silentLog),
  ];
  const build = await loadPagesBuild();
  const [one, two] = await Promise.all(
    [firstBus, secondBus].map((bus) => startTestApp({ deps: { pages: build, sql, searchSql: sql, bus } })),
  );
  if (!one || !two) throw new Error('Two processes were started');
  try {
    const seller = await one.signIn({ fullName: 'Cleo' });
    const path = '/category/electronics';
    expect((await get(path, {}, two)).body).toContain('No items found');
    const form = { ...validListingForm, title: 'A radio with a long wire', category: 'electronics' };
    const { body } = await saveListing(one, seller, form);
    await expect
      .poll(async () => (await get(path, {}, two)).body, { timeout: 1000, interval: 10 })
      .toContain(form.title);
    expect((await get(`/listing/${body.listing.slug}`, {}, two)).body).toContain('Cleo');
    await one.app.inject({
      method: 'PATCH',
      url: '/rest/v1/me',
      headers: seller.headers,
      payload: { full_name: 'Cleopatra' },
    });
    for (const url of [path, `/listing/${body.listing.slug}`])
      await expect
        .poll(async () => (await get(url, {}, two)).body, { timeout: 1000, interval: 10 })
        .toContain('Cleopatra');
  } finally {
    await one.close();
    await two.close();
    await firstBus.close();
    await secondBus.close();
    await sql.end();
  }
});
