import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listingErrorMessages } from '#contract/listing-form.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  insertPhoto,
  type ListingForm,
  removeDeletedListings,
  submitListingForm,
  validListingForm,
} from '#server/testing/listings.ts';
import { makeSlug } from './listing-row.ts';

let testApp: TestApp;
let seller: Person;
let stranger: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  [seller, stranger] = [await testApp.signIn(), await testApp.signIn()];
});
afterAll(() => testApp.close());
// The clock advances between tests, so that the save in one test does not count as a double click of the previous test.
beforeEach(() => testApp.clock.advance(11));

const saveForm = (form: ListingForm, person = seller) => submitListingForm(testApp, person, form);
const requestOwnListing = (
  path: string,
  options: { method?: 'GET' | 'PATCH' | 'DELETE'; payload?: object } = {},
  person = seller,
) => testApp.server.inject({ url: `/rest/v1/me/listings${path}`, headers: person.headers, ...options });
const getPublicListing = (path: string) => testApp.server.inject({ url: `/rest/v1/listings${path}` });
const getFieldErrors = async (form: ListingForm) => (await saveForm(form)).body.fields;
const createText = (length: number) =>
  'abcdefghi '
    .repeat(200)
    .slice(0, length - 1)
    .concat('z');

describe('promise 32: every limit of the listing form, from both sides', () => {
  const cases: [string, ListingForm, ListingForm, string, string][] = [
    [
      'title',
      { title: createText(10) },
      { title: createText(9) },
      'title',
      'Title must be at least 10 characters',
    ],
    [
      'title',
      { title: createText(80) },
      { title: createText(81) },
      'title',
      'Title must be at most 80 characters',
    ],
    [
      'title',
      { title: `  ${createText(10)}  ` },
      { title: `  ${createText(9)}  ` },
      'title',
      'Title must be at least 10 characters',
    ],
    [
      'title',
      { title: 'Desk for dorm ™ new' },
      { title: 'Desk for dorm 🪑 new' },
      'title',
      'Title cannot contain emojis',
    ],
    ['category', { category: 'kitchen' }, { category: 'cars' }, 'category', 'Please select a category'],
    ['category', { category: 'rentals' }, { category: '' }, 'category', 'Please select a category'],
    [
      'condition',
      { condition: 'like-new' },
      { condition: 'broken' },
      'condition',
      'Please select a condition',
    ],
    ['price', { price: 0.01 }, { price: null }, 'price', 'Price is required'],
    ['price', { price: '12.50' }, { price: '' }, 'price', 'Price is required'],
    ['price', { price: '1000' }, { price: '1e3' }, 'price', listingErrorMessages.priceFormat],
    ['price', { price: '5.' }, { price: '5,50' }, 'price', listingErrorMessages.priceFormat],
    ['price', { price: 0.01 }, { price: 0 }, 'price', 'Price must be greater than 0'],
    ['price', { price: 1 }, { price: -1 }, 'price', 'Price must be greater than 0'],
    ['price', { price: 9.99 }, { price: 9.999 }, 'price', 'Price can have at most 2 decimal places'],
    ['price', { price: 100_000 }, { price: 100_000.01 }, 'price', 'Price must be at most $100,000.00'],
    [
      'price of free items',
      { category: 'free', price: 0 },
      { category: 'free', price: 1 },
      'price',
      'Price must be $0.00 for free items or greater than $0.00 for other categories',
    ],
    [
      'description',
      { description: createText(40) },
      { description: createText(39) },
      'description',
      'Description must be at least 40 characters',
    ],
    [
      'description',
      { description: createText(1000) },
      { description: createText(1001) },
      'description',
      'Description must be at most 1000 characters',
    ],
    ['location', { location: 'X' }, { location: '   ' }, 'location', 'Location is required'],
    [
      'location',
      { location: createText(200) },
      { location: createText(201) },
      'location',
      'Location must be at most 200 characters',
    ],
    ['email', { contactEmail: 'a@b.co' }, { contactEmail: 'a@b' }, 'contactEmail', 'Invalid email address'],
    [
      'phone',
      { contactPhone: '(213) 555-0100' },
      { contactPhone: '213.555.0100' },
      'contactPhone',
      'Invalid phone number format',
    ],
    [
      'phone',
      { contactPhone: '2135550100' },
      { contactPhone: '213555010' },
      'contactPhone',
      'Phone number must be at least 10 digits',
    ],
    [
      'contact',
      { contactEmail: '', contactPhone: '213 555 0100' },
      { contactEmail: '', contactPhone: '' },
      'contactEmail',
      'At least one contact method (email or phone) is required',
    ],
    ['photos', { photos: [] }, { photos: Array(6).fill('x') }, 'photos', 'Maximum 5 photos allowed'],
    [
      'game date',
      { category: 'game-day', gameDate: '2027-01-01' },
      { category: 'game-day', gameDate: '2027-02-30' },
      'gameDate',
      'Invalid date format',
    ],
    ['game date', { gameDate: null }, { gameDate: 'tomorrow' }, 'gameDate', 'Invalid date format'],
  ];
  test.each(cases)('%s: accepts %j, refuses %j', async (_name, good, bad, field, sentence) => {
    expect((await saveForm(good)).body.fields).toBeUndefined();
    expect(await saveForm(bad)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', fields: { [field]: sentence } },
    });
  });

  test('a game date is today or later, in the time zone of the campus', async () => {
    // 11:30 p.m. on March 3 on the campus, which is already March 4 in UTC.
    const before = testApp.clock.now();
    testApp.clock.set(new Date('2026-03-04T07:30:00Z'));
    const person = await testApp.signIn();
    const gameDay = (gameDate: string) => saveForm({ category: 'game-day', gameDate }, person);
    expect((await gameDay('2026-03-03')).status).toBe(200);
    expect((await gameDay('2026-03-02')).body.fields).toEqual({
      gameDate: 'Game date must be today or in the future',
    });
    testApp.clock.set(before);
  });

  test('all errors are reported together', async () => {
    const fields = await getFieldErrors({
      title: 'x',
      category: '',
      condition: '',
      price: '',
      description: '',
      location: '',
      contactEmail: '',
      contactPhone: '',
    });
    expect(Object.keys(fields).sort()).toEqual([
      'category',
      'condition',
      'contactEmail',
      'description',
      'location',
      'price',
      'title',
    ]);
  });

  test('prices are stored exactly', async () => {
    for (const price of [0.1, 19.99, 1234.56, 99_999.99]) {
      const { body } = await saveForm({ price, title: `Something that costs ${price}` });
      const [row] =
        await testApp.sql`SELECT price::text AS price FROM listings WHERE id = ${body.listing.id}`;
      expect(row?.price).toBe(String(price));
      expect((await getPublicListing(`/${body.listing.slug}`)).json().price).toBe(price);
    }
  });

  test('characters are counted as code points, and NUL is refused', async () => {
    expect((await saveForm({ description: '🦉'.repeat(40) })).status).toBe(200);
    expect((await saveForm({ description: '🦉'.repeat(39) })).status).toBe(400);
    expect((await saveForm({ location: 'Here\u0000there' })).status).toBe(400);
  });
});

describe('a draft', () => {
  test('may have no values at all', async () => {
    const response = await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/create-listing',
      headers: seller.headers,
      payload: { status: 'draft' },
    });
    expect(response.statusCode).toBe(200);
    expect(response.json().listing).toMatchObject({ status: 'draft', title: null, price: null, photos: [] });
  });

  test('stores values that are refused only when it is published', async () => {
    const { status, body } = await saveForm({ status: 'draft', title: 'Desk lamp, barely used 💡' });
    expect(status).toBe(200);
    expect(body.listing.title).toBe('Desk lamp, barely used 💡');
    const published = await testApp.server.inject({
      method: 'PATCH',
      url: `/rest/v1/me/listings/${body.listing.id}`,
      headers: seller.headers,
      payload: { status: 'published' },
    });
    expect(published.json().fields).toEqual({ title: 'Title cannot contain emojis' });
  });

  test('is refused when a value exceeds an upper limit', async () => {
    expect((await saveForm({ status: 'draft', title: createText(81) })).body.fields.title).toBe(
      'Title must be at most 80 characters',
    );
    expect((await saveForm({ status: 'draft', title: 'Short' })).status).toBe(200);
  });

  test('promise 15: is hidden from others by slug, by id, and in lists', async () => {
    const { listing } = (await saveForm({ status: 'draft', title: 'A very secret sofa' })).body;
    expect((await getPublicListing(`/${listing.slug}`)).statusCode).toBe(404);
    expect((await getPublicListing(`/${listing.slug}/similar`)).statusCode).toBe(404);
    expect((await getPublicListing('?q=very+secret+sofa')).json().total).toBe(0);
    expect((await requestOwnListing(`/${listing.id}`, {}, stranger)).statusCode).toBe(404);
    expect((await requestOwnListing(`/${listing.id}`)).statusCode).toBe(200);
  });

  test.each([
    ['0', 0],
    ['0.01', 0.01],
    ['.5', 0.5],
    ['5.', 5],
    [' 25.50 ', 25.5],
    ['99999.99', 99_999.99],
    [100_000, 100_000],
  ])('stores the price %j', async (price, stored) => {
    const { status, body } = await saveForm({ status: 'draft', price });
    expect(status).toBe(200);
    expect(body.listing.price).toBe(stored);
  });

  test.each([
    ['100000.01', listingErrorMessages.priceHigh],
    ['-1', listingErrorMessages.pricePositive],
    ['12.345', listingErrorMessages.priceDecimals],
    ['1e3', listingErrorMessages.priceFormat],
    ['about 20', listingErrorMessages.priceFormat],
    [{}, listingErrorMessages.priceFormat],
  ])('is refused with an explanation if its price is %j', async (price, sentence) => {
    const { status, body } = await saveForm({ status: 'draft', price: price as never });
    expect(status).toBe(400);
    expect(body.fields).toEqual({ price: sentence });
  });

  test('can be published when it is complete; otherwise the error lists the missing fields', async () => {
    const complete = (await saveForm({ status: 'draft' })).body.listing;
    const published = await requestOwnListing(`/${complete.id}`, {
      method: 'PATCH',
      payload: { status: 'published' },
    });
    expect(published.json()).toMatchObject({ status: 'published' });
    const lacking = (await saveForm({ status: 'draft', description: 'too short', price: null })).body.listing;
    const refused = await requestOwnListing(`/${lacking.id}`, {
      method: 'PATCH',
      payload: { status: 'published' },
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({
      error: 'Price is required',
      code: 'listing_incomplete',
      fields: { price: 'Price is required', description: 'Description must be at least 40 characters' },
    });
  });
});

describe('the owner', () => {
  test('edits, unpublishes, publishes again with the same slug, and deletes a listing', async () => {
    const { listing } = (await saveForm({})).body;
    const edited = (await saveForm({ id: listing.id, title: 'Another title altogether', price: 10 })).body
      .listing;
    expect(edited).toMatchObject({
      id: listing.id,
      slug: listing.slug,
      title: 'Another title altogether',
      price: 10,
    });
    await requestOwnListing(`/${listing.id}`, { method: 'PATCH', payload: { status: 'draft' } });
    expect((await getPublicListing(`/${listing.slug}`)).statusCode).toBe(404);
    await requestOwnListing(`/${listing.id}`, { method: 'PATCH', payload: { status: 'published' } });
    expect((await getPublicListing(`/${listing.slug}`)).statusCode).toBe(200);
    expect((await requestOwnListing(`/${listing.id}`, { method: 'DELETE' })).json()).toEqual({
      success: true,
    });
    expect((await requestOwnListing(`/${listing.id}`)).statusCode).toBe(404);
  });

  test('gets a slug from the title at the first publication of a draft', async () => {
    const { listing } = (await saveForm({ status: 'draft', title: 'A working title' })).body;
    const published = (await saveForm({ id: listing.id, title: 'Crème brûlée torch, boxed' })).body.listing;
    expect(published.slug).toMatch(/^creme-brulee-torch-boxed-[a-z0-9]{6}$/);
  });

  test('sees a listing dated by its first publication, not by its creation or a later publication', async () => {
    const location = 'Latecomer House';
    const { listing } = (
      await saveForm({ status: 'draft', title: 'Begun long before it was posted', location })
    ).body;
    testApp.clock.advance(60);
    await saveForm({ title: 'Posted while that was a draft', location });
    testApp.clock.advance(60);
    const posted = testApp.clock.now().toISOString();
    const newest = async () => (await getPublicListing('?location=latecomer')).json().items[0];
    await requestOwnListing(`/${listing.id}`, { method: 'PATCH', payload: { status: 'published' } });
    expect(await newest()).toMatchObject({ id: listing.id, created_at: posted });
    testApp.clock.advance(60);
    await saveForm({ title: 'Posted after all the others', location });
    for (const status of ['draft', 'published'])
      await requestOwnListing(`/${listing.id}`, { method: 'PATCH', payload: { status } });
    expect(await newest()).toMatchObject({ title: 'Posted after all the others' });
    expect((await requestOwnListing(`/${listing.id}`)).json()).toMatchObject({ created_at: posted });
  });

  test('sees published listings and drafts, newest first, with the number of each', async () => {
    const person = await testApp.signIn();
    for (const [count, status] of ['published', 'draft', 'published'].entries()) {
      testApp.clock.advance(60);
      await saveForm({ status, title: `Listing number ${count} of three` }, person);
    }
    const all = (await requestOwnListing('?limit=5', {}, person)).json();
    expect(all.counts).toMatchObject({ active: 2, drafts: 1 });
    expect(all.items.map((item: { title: string }) => item.title.at(15))).toEqual(['2', '1', '0']);
    expect((await requestOwnListing('?status=draft', {}, person)).json().items).toHaveLength(1);
    const none = await testApp.signIn();
    expect((await requestOwnListing('', {}, none)).json()).toEqual({
      items: [],
      counts: { active: 0, on_hold: 0, sold: 0, rented: 0, drafts: 0 },
      next_cursor: null,
    });
  });

  test("promise 15: a stranger can neither change nor discover another's listing", async () => {
    const { listing } = (await saveForm({})).body;
    const missing = '00000000-0000-4000-8000-000000000000';
    const before = await testApp.sql`SELECT * FROM listings WHERE id = ${listing.id}`;
    for (const id of [listing.id, missing]) {
      const responses = [
        await requestOwnListing(`/${id}`, {}, stranger),
        await requestOwnListing(`/${id}`, { method: 'PATCH', payload: { status: 'draft' } }, stranger),
        await requestOwnListing(`/${id}`, { method: 'DELETE' }, stranger),
      ];
      expect(responses.map((response) => [response.statusCode, response.json().code])).toEqual(
        Array(3).fill([404, 'listing_not_found']),
      );
      expect(await saveForm({ id, title: 'Taken over by somebody' }, stranger)).toMatchObject({
        status: 404,
        body: { code: 'listing_not_found' },
      });
    }
    expect(await testApp.sql`SELECT * FROM listings WHERE id = ${listing.id}`).toEqual(before);
  });

  test('promise 16: fields that the caller may not set are ignored', async () => {
    const form = {
      ...validListingForm,
      user_id: stranger.userId,
      slug: 'mine',
      created_at: '2001-01-01T00:00:00Z',
    };
    const { listing } = (await saveForm(form as ListingForm)).body;
    expect(listing.user_id).toBe(seller.userId);
    expect(listing.slug).not.toBe('mine');
    expect(listing.created_at).toBe(testApp.clock.now().toISOString());
  });
});

describe('photos', () => {
  test('must have been uploaded by the owner and keep their order; removed photos are deleted', async () => {
    const urls = [await insertPhoto(testApp, seller, '1.jpg'), await insertPhoto(testApp, seller, '2.jpg')];
    const foreign = await insertPhoto(testApp, stranger, '3.jpg');
    const { listing } = (await saveForm({ photos: [`http://quad.test${urls[1]}`, urls[0]] })).body;
    expect(listing.photos).toEqual([urls[1], urls[0]]);
    expect(listing.images[0]).toEqual({ url: urls[1], width: 1600, height: 1200, thumbhash: 'abc=' });
    for (const bad of [foreign, 'https://evil.test/x.jpg', `${urls[0]}x`]) {
      expect((await saveForm({ photos: [bad] })).body.fields).toEqual({
        photos: 'Photos must be uploaded here first',
      });
    }
    await saveForm({ id: listing.id, photos: [urls[0]] });
    await testApp.jobs.runAll();
    const left =
      await testApp.sql`SELECT url FROM private.objects WHERE owner_id = ${seller.userId} AND path LIKE '%/_.jpg'`;
    expect(left.map((row) => row.url)).toEqual([urls[0]]);
    await requestOwnListing(`/${listing.id}`, { method: 'DELETE' });
    await removeDeletedListings(testApp);
    expect(await testApp.sql`SELECT FROM private.objects WHERE url = ${urls[0] ?? ''}`).toHaveLength(0);
  });
});

describe('promise 34: saving without duplicates', () => {
  test('publishing twice, concurrently or a moment later, creates one listing', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => saveForm({ title: 'Clicked in a hurry' })));
    testApp.clock.advance(9);
    responses.push(await saveForm({ title: 'Clicked in a hurry' }));
    expect(new Set(responses.map((response) => response.body.listing.id)).size).toBe(1);
    testApp.clock.advance(10);
    const later = await saveForm({ title: 'Clicked in a hurry' });
    expect(later.body.listing.id).not.toBe(responses[0]?.body.listing.id);
  });

  test('saving again from the same form after a lost response updates the same listing', async () => {
    const clientId = crypto.randomUUID();
    const first = await saveForm({ title: 'Posted on a train', clientId });
    testApp.clock.advance(60);
    const again = await saveForm({ title: 'Posted on a train, twice', clientId });
    expect(again.body.listing).toMatchObject({
      id: first.body.listing.id,
      title: 'Posted on a train, twice',
    });
    expect(again.body.listing.slug).toBe(first.body.listing.slug);
    const stranger = await testApp.signIn();
    const other = await saveForm({ title: 'Posted on a train', clientId }, stranger);
    expect(other.body.listing.id).not.toBe(first.body.listing.id);
    expect(other.body.listing.user_id).toBe(stranger.userId);
  });

  test('a thousand equal titles get a thousand slugs, also at the same time', async () => {
    const title = 'Exactly the same title';
    expect(new Set(Array.from({ length: 1000 }, () => makeSlug(title))).size).toBe(1000);
    const people = await Promise.all(Array.from({ length: 10 }, () => testApp.signIn()));
    const saved = await Promise.all(
      people.flatMap((person) => [
        saveForm({ title, price: 1 }, person),
        saveForm({ title, price: 2 }, person),
      ]),
    );
    expect(new Set(saved.map(({ body }) => body.listing.slug)).size).toBe(20);
  });
});
