import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ListingPage, listingSorts } from '#contract/listing-queries.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import {
  insertPhoto,
  type ListingForm,
  removeDeletedListings,
  submitListingForm,
} from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
});
afterAll(() => testApp.close());
beforeEach(() => testApp.clock.advance(60));

const saveForm = (form: ListingForm) => submitListingForm(testApp, seller, form);
const requestListings = async (query: Record<string, string>) => {
  const response = await testApp.server.inject({ url: `/rest/v1/listings?${new URLSearchParams(query)}` });
  return { status: response.statusCode, body: response.json() };
};
const listTitlesOfAllPages = async (query: Record<string, string>): Promise<string[]> => {
  const titles: string[] = [];
  let cursor: string | null = null;
  do {
    const { status, body }: { status: number; body: ListingPage } = await requestListings({
      ...query,
      limit: '1',
      ...(cursor ? { cursor } : {}),
    });
    expect(status).toBe(200);
    titles.push(...body.items.map((item) => item.title));
    cursor = body.next_cursor;
  } while (cursor);
  return titles;
};

describe('saving', () => {
  test('a published listing can be saved as a draft without the fields that a published listing needs', async () => {
    const { listing } = (await saveForm({})).body;
    const draft = { id: listing.id, status: 'draft', description: '', price: null, contactEmail: null };
    expect(await saveForm(draft)).toMatchObject({
      status: 200,
      body: {
        listing: { id: listing.id, slug: listing.slug, status: 'draft', description: null, price: null },
      },
    });
  });

  test('the game date of a draft must exist in the calendar', async () => {
    const dated = (gameDate: string) => saveForm({ status: 'draft', category: 'game-day', gameDate });
    expect((await dated('0001-01-01')).body.listing.game_date).toBe('0001-01-01');
    expect((await dated('0000-01-01')).body.fields).toEqual({ gameDate: 'Invalid date format' });
  });

  test('promise 15: a refused save deletes no photo', async () => {
    const photo = await insertPhoto(testApp, seller, 'kept.jpg');
    const { listing } = (await saveForm({ photos: [photo] })).body;
    expect((await saveForm({ id: listing.id, photos: ['https://evil.test/x.jpg'] })).status).toBe(400);
    expect((await submitListingForm(testApp, buyer, { id: listing.id, photos: [] })).status).toBe(404);
    await testApp.jobs.runAll();
    expect(await testApp.sql`SELECT FROM private.objects WHERE url = ${photo}`).toHaveLength(1);
  });

  test('a photo that another listing uses outlives the first listing', async () => {
    const photo = await insertPhoto(testApp, seller, 'shared.jpg');
    const first = (await saveForm({ title: 'First of the two lamps', photos: [photo] })).body.listing;
    await saveForm({ title: 'Second of the two lamps', photos: [photo] });
    await testApp.server.inject({
      method: 'DELETE',
      url: `/rest/v1/me/listings/${first.id}`,
      headers: seller.headers,
    });
    await removeDeletedListings(testApp);
    expect(await testApp.sql`SELECT FROM listings WHERE id = ${first.id}`).toHaveLength(0);
    expect(await testApp.sql`SELECT FROM private.objects WHERE url = ${photo}`).toHaveLength(1);
  });

  test('conversations about a deleted listing remain, with its last published title', async () => {
    const { listing } = (await saveForm({ title: 'A lamp of many names' })).body;
    const opened = await testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/conversations',
      headers: buyer.headers,
      payload: { listing_id: listing.id },
    });
    await saveForm({ id: listing.id, title: 'A lamp with its last name' });
    await testApp.server.inject({
      method: 'DELETE',
      url: `/rest/v1/me/listings/${listing.id}`,
      headers: seller.headers,
    });
    await removeDeletedListings(testApp);
    const left = await testApp.server.inject({
      url: `/rest/v1/conversations/${opened.json().id}`,
      headers: buyer.headers,
    });
    expect(left.json()).toMatchObject({
      listing_id: null,
      listing: { title: 'A lamp with its last name', available: false },
    });
  });
});

describe('paging', () => {
  test('by location shows every listing once, even with the longest locations and in any script', async () => {
    const places = ['道'.repeat(200), '🏛'.repeat(200), '"'.repeat(200), 'é'.repeat(200)];
    for (const [index, location] of places.entries()) {
      await saveForm({ title: `At a long place, no. ${index}`, category: 'electronics', location });
    }
    const seen = await listTitlesOfAllPages({ category: 'electronics', sort: 'location' });
    expect(new Set(seen).size).toBe(places.length);
    expect(seen).toHaveLength(places.length);
  });

  test('skips no listing posted within the same millisecond', async () => {
    for (const formatMicroseconds of [100, 200, 900]) {
      const { listing } = (
        await saveForm({ title: `Posted in an instant, ${formatMicroseconds}`, category: 'kitchen' })
      ).body;
      await testApp.sql`
        UPDATE listings SET created_at = timestamptz '2026-01-01 00:00:00Z' + ${formatMicroseconds} * interval '1 us'
        WHERE id = ${listing.id}`;
    }
    for (const sort of listingSorts) {
      expect(await listTitlesOfAllPages({ category: 'kitchen', sort })).toEqual([
        'Posted in an instant, 900',
        'Posted in an instant, 200',
        'Posted in an instant, 100',
      ]);
    }
  });

  test('promise 36: a forged cursor is refused, whatever it contains', async () => {
    const forge = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const now = '2026-03-02T18:00:00.000000Z';
    const wrong: [string, unknown, string][] = [
      ['newest', null, '2026-99-99T00:00:00Z'],
      ['newest', null, '0000-01-01T00:00:00Z'],
      ['condition', 1.5, now],
      ['condition', 1e20, now],
      ['game-date', '0000-01-01', now],
      ['game-date', '2026-02-30', now],
      ['price', -1, now],
      ['price', '5', now],
      ['location', 'x'.repeat(401), now],
    ];
    for (const [sort, key, createdAt] of wrong) {
      const { status, body } = await requestListings({
        sort,
        cursor: forge([sort, key, createdAt, randomUUID()]),
      });
      expect([sort, key, status, Object.keys(body.fields ?? {})]).toEqual([sort, key, 400, ['cursor']]);
    }
    const anyKey = fc.oneof(fc.constant(null), fc.double(), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...listingSorts), anyKey, async (sort, key) => {
        const { status } = await requestListings({ sort, cursor: forge([sort, key, now, randomUUID()]) });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});

describe('deleting', () => {
  test('a listing can be deleted while the first messages about it arrive, and no message fails', async () => {
    const talk = createConversationClient(testApp);
    const buyers = await Promise.all([1, 2, 3].map(() => testApp.signIn()));
    for (let round = 0; round < 8; round += 1) {
      const { listing } = (await saveForm({ title: `Solid oak desk number ${round}` })).body;
      const conversations = await Promise.all(
        buyers.map(async (person) => ({ person, id: (await talk.open(person, listing.id)).body.id })),
      );
      const deleteListing = () =>
        testApp.server.inject({
          method: 'DELETE',
          url: `/rest/v1/me/listings/${listing.id}`,
          headers: seller.headers,
        });
      // In half of the rounds, messages arrive while the listing is deleted; in the others, while its row
      // is removed.
      const isRemovalRound = round % 2 === 1;
      if (isRemovalRound) await deleteListing();
      const [, ...sent] = await Promise.all([
        isRemovalRound ? removeDeletedListings(testApp) : deleteListing(),
        ...conversations.map(({ person, id }) => talk.send(person, id, 'Is it there?')),
      ]);
      expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });
});
