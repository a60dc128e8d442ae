import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { Deal } from '#contract/deals.ts';
import { notificationPageSchema } from '#contract/notifications.ts';
import { isNotablePriceDrop } from '#contract/saved-listings.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { restoreListing, takeDownListing } from '#server/features/listings/public.ts';
import { liftSuspensionOf } from '#server/features/moderation/public.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import type { RequestMethod } from '#server/testing/requests.ts';
import { logInWithPassword } from '#server/testing/second-factors.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let person: Person;
let listingId: string;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
beforeEach(async () => {
  seller = await testApp.signIn({ fullName: 'Sue Seller' });
  person = await testApp.signIn({ fullName: 'Penny Person' });
  listingId = await client.list(seller, { title: 'Solid oak desk', price: 120 });
  await saveAs(person);
});
afterAll(() => testApp.close());

const request = async (by: Person, method: RequestMethod, url: string, body?: object) => {
  const response = await client.request(by, method, url, body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body;
};
const save = async (form: object): Promise<void> => {
  // Renews the access token of the seller if it has expired.
  await request(seller, 'GET', '/rest/v1/me');
  await client.list(seller, { id: listingId, title: 'Solid oak desk', ...form });
};
const setPrice = (price: number) => save({ price });
const setStatus = (status: 'draft' | 'published') =>
  request(seller, 'PATCH', `/rest/v1/me/listings/${listingId}`, { status });
const saveAs = async ({ headers }: Person): Promise<void> => {
  const url = `/rest/v1/me/saved-listings/${listingId}`;
  expect((await testApp.server.inject({ method: 'PUT', url, headers })).statusCode).toBe(200);
};
/** Runs the jobs and returns the texts of the person's notifications, latest first. */
const listTexts = async (by = person): Promise<string[]> => {
  await testApp.jobs.runAll();
  await testApp.jobs.repeatNow('announce-listing-changes');
  await testApp.jobs.runAll();
  const { items } = notificationPageSchema.parse(await request(by, 'GET', '/rest/v1/notifications'));
  return items.map(({ title, text }) => `${title} ${text}`);
};
const readAll = () => request(person, 'POST', '/rest/v1/notifications/read', {});

test.each([
  [119.01, 120, false],
  [114.01, 120, false],
  [114, 120, true],
  [0, 120, true],
  [9.01, 10, false],
  [9, 10, true],
  [0.9, 1, false],
  [0, 1, true],
  [19, 20, true],
  [130, 120, false],
])('a price of %d after %d is a price drop: %s', (price, before, isDrop) => {
  expect(isNotablePriceDrop(price, before, defaultCampus)).toBe(isDrop);
});

describe('people who saved a listing', () => {
  test('are notified when its price falls, with a link to it', async () => {
    expect(await listTexts()).toEqual([]);
    await setPrice(95);
    expect(await listTexts()).toEqual(['“Solid oak desk” dropped in price $95 instead of $120.']);
    const { items } = await request(person, 'GET', '/rest/v1/notifications');
    expect(items).toMatchObject([{ kind: 'saved_listings', path: expect.stringMatching('^/listing/') }]);
    expect(await listTexts(seller)).toEqual([]);
  });

  test('are not notified of a drop to a price that the listing already had in the last 30 days', async () => {
    await setPrice(200);
    testApp.clock.advance(29 * dayInSeconds);
    await setPrice(120);
    expect(await listTexts()).toEqual([]);
    await setPrice(200);
    testApp.clock.advance(20 * dayInSeconds);
    // Use both sessions, so that they do not expire.
    for (const by of [seller, person]) await request(by, 'GET', '/rest/v1/me');
    testApp.clock.advance(11 * dayInSeconds);
    await setPrice(190);
    expect(await listTexts()).toEqual(['“Solid oak desk” dropped in price $190 instead of $200.']);
  });

  test('promise 74: are notified of price drops at most once a day, and not again at the same price', async () => {
    await setPrice(100);
    expect(await listTexts()).toHaveLength(1);
    await readAll();
    testApp.clock.advance(dayInSeconds - 1);
    await setPrice(80);
    expect(await listTexts()).toHaveLength(1);
    testApp.clock.advance(1);
    await setPrice(60);
    expect((await listTexts())[0]).toContain('$60 instead of $80.');
    await readAll();
    testApp.clock.advance(2 * dayInSeconds);
    await save({ title: 'Very solid oak desk', price: 60 });
    await setStatus('draft');
    await setStatus('published');
    expect(await listTexts()).toHaveLength(2);
  });

  test('are notified when a listing comes back at a lower price', async () => {
    await setStatus('draft');
    await save({ price: 90, status: 'draft' });
    expect(await listTexts()).toEqual([]);
    await setStatus('published');
    expect(await listTexts()).toEqual(['“Solid oak desk” dropped in price $90 instead of $120.']);
  });

  test.each([
    ['its owner', () => setStatus('draft')],
    ['a moderator', () => takeDownListing(testApp.app, listingId, 'Please state the size')],
    [
      'a check of its wording',
      async () => {
        await signInToConsole(testApp, 'moderator');
        await save({ title: 'A bottle of vodka beside a solid oak desk', price: 120 });
      },
    ],
    [
      'a check of its wording when it was relisted',
      async () => {
        await signInToConsole(testApp, 'moderator');
        await request(seller, 'POST', `/rest/v1/me/listings/${listingId}/sold`, {});
        await testApp.sql`UPDATE listings SET title = 'A bottle of vodka' WHERE id = ${listingId}`;
        await request(seller, 'POST', `/rest/v1/me/listings/${listingId}/relist`);
      },
    ],
    [
      'a moderator, during a suspension of its owner,',
      async () => {
        await suspendByCommand(testApp.app, seller.email);
        await takeDownListing(testApp.app, listingId, 'Please state the size');
        await liftSuspensionOf(testApp.app, seller.email);
        seller = await logInWithPassword(testApp, seller);
      },
    ],
    [
      'a moderator, after its owner deleted it,',
      async () => {
        await request(seller, 'DELETE', `/rest/v1/me/listings/${listingId}`);
        await takeDownListing(testApp.app, listingId, 'Please state the size');
        await request(seller, 'POST', `/rest/v1/me/listings/${listingId}/restore`);
      },
    ],
  ])('are notified of a drop below its last public price after %s hid it', async (_, hide) => {
    await hide();
    testApp.clock.advance(60);
    for (const price of [9, 90]) await save({ price, status: 'draft' });
    await restoreListing(testApp.app, listingId);
    await setStatus('published');
    expect(await listTexts()).toEqual(['“Solid oak desk” dropped in price $90 instead of $120.']);
  });

  test('are notified when it is sold, unless the sale is undone within ten seconds', async () => {
    const sell = () => request(seller, 'POST', `/rest/v1/me/listings/${listingId}/sold`, {});
    await sell();
    expect(await listTexts()).toEqual([]);
    await request(seller, 'POST', `/rest/v1/me/listings/${listingId}/relist`, {});
    testApp.clock.advance(11);
    expect(await listTexts()).toEqual([]);
    await sell();
    testApp.clock.advance(11);
    expect(await listTexts()).toEqual(['“Solid oak desk” was sold You saved it.']);
  });

  test('are notified when a hold ends, unless an offer is waiting', async () => {
    const buyer = await testApp.signIn();
    const held: Deal = (await client.start(buyer, listingId)).body;
    await client.take(seller, held, 'accept');
    expect(await listTexts()).toEqual([]);
    const other = await testApp.signIn();
    const waiting: Deal = (await client.start(other, listingId)).body;
    await client.take(buyer, held, 'cancel', { reason: 'I found another one' });
    expect(await listTexts()).toEqual([]);
    await client.take(seller, waiting, 'accept');
    await client.take(other, waiting, 'cancel', { reason: 'I found another one' });
    expect(await listTexts()).toEqual(['“Solid oak desk” became available again The hold on it ended.']);
  });

  test('are notified when a deal about it is completed, except for its buyer', async () => {
    const buyer = await testApp.signIn();
    await saveAs(buyer);
    const held: Deal = (await client.start(buyer, listingId)).body;
    await client.take(seller, held, 'accept');
    for (const [by, transition] of [
      [seller, 'agreed_in_chat'],
      [seller, 'handed_over'],
      [buyer, 'received'],
    ] as const)
      await client.take(by, held, transition);
    expect((await client.get(buyer, held)).state).toBe('completed');
    expect(await listTexts()).toEqual(['“Solid oak desk” was sold You saved it.']);
    expect(await listTexts(buyer)).toEqual([]);
  });

  test('are not notified about a listing that was taken down or deleted meanwhile', async () => {
    await setPrice(60);
    await testApp.server.inject({
      method: 'DELETE',
      url: `/rest/v1/me/listings/${listingId}`,
      headers: seller.headers,
    });
    expect(await listTexts()).toEqual([]);
  });
});
