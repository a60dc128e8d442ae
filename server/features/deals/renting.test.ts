import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { dealSettlingQueue } from './public.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let owner: Person;
let renter: Person;
let other: Person;
let listingId: string;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  client = createDealClient(testApp);
  owner = await testApp.signIn({ fullName: 'Olive Owner' });
  renter = await testApp.signIn({ fullName: 'Rita Renter' });
  other = await testApp.signIn({ fullName: 'Otto Other' });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  listingId = await client.list(owner, {
    title: `Camera ${randomUUID()}`,
    category: 'rentals',
    price: 20,
    rentalPeriod: 'day',
  });
});

const request = async (person: Person, first_day: string, last_day: string, more = {}): Promise<Deal> => {
  const { status, body } = await client.start(person, listingId, { first_day, last_day, ...more });
  expect([status, body]).toEqual([200, body]);
  return body;
};
const take = async (person: Person, deal: Deal, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, deal, transition, data);
  expect([status, body]).toEqual([200, body]);
  return body;
};

test('computes the price from the number of days, and the renter can offer another price', async () => {
  expect(await request(renter, '2026-03-10', '2026-03-12')).toMatchObject({ kind: 'rental', price: 60 });
  expect(await request(other, '2026-03-10', '2026-03-12', { price: 50 })).toMatchObject({ price: 50 });
});

test('the public page and the API list the taken days, and are updated at once', async () => {
  const { slug } = (await client.request(owner, 'GET', `/rest/v1/me/listings/${listingId}`)).body;
  const readDays = async () => {
    const { body } = await client.request(owner, 'GET', `/rest/v1/listings/${slug}`);
    const { payload } = await testApp.server.inject({ url: `/listing/${slug}` });
    return [body.taken_days, /Taken [^<]*/.exec(payload)?.[0].replaceAll('\u00a0', ' ')];
  };
  expect(await readDays()).toEqual([[], undefined]);
  const [now, later] = [
    await request(renter, '2026-03-02', '2026-03-04'),
    await request(other, '2026-03-10', '2026-03-12'),
  ];
  expect(await readDays()).toEqual([[], undefined]);
  for (const deal of [now, later]) await take(owner, deal, 'accept');
  const days = [
    { first_day: '2026-03-02', last_day: '2026-03-04' },
    { first_day: '2026-03-10', last_day: '2026-03-12' },
  ];
  expect(await readDays()).toEqual([days, 'Taken until Mar 4, Mar 10 to Mar 12']);
  await take(renter, now, 'received');
  await take(renter, now, 'extend', { last_day: '2026-03-06' });
  await take(owner, now, 'accept_extension');
  expect((await readDays())[1]).toBe('Taken until Mar 6, Mar 10 to Mar 12');
  await take(owner, now, 'returned');
  await take(owner, later, 'cancel', { reason: 'It broke.' });
  expect(await readDays()).toEqual([[], undefined]);
});

test('pages and totals are updated at once when the item is handed over before the first day', async () => {
  const { slug } = (await client.request(owner, 'GET', `/rest/v1/me/listings/${listingId}`)).body;
  const readState = async () => {
    const url = '/rest/v1/listings?category=rentals&available=true&limit=100';
    const { items, total } = (await client.request(owner, 'GET', url)).body;
    const { payload } = await testApp.server.inject({ url: `/listing/${slug}` });
    return {
      hidden: total - items.length,
      isRented: payload.replaceAll('\u00a0', ' ').includes('Rented until Apr 5'),
    };
  };
  const held = await take(owner, await request(renter, '2026-03-03', '2026-04-05'), 'accept');
  expect(await readState()).toEqual({ hidden: 0, isRented: false });
  await take(owner, held, 'handed_over');
  expect(await readState()).toEqual({ hidden: 0, isRented: true });
  await take(renter, held, 'object');
  expect(await readState()).toEqual({ hidden: 0, isRented: false });
  await take(renter, held, 'received');
  expect(await readState()).toEqual({ hidden: 0, isRented: true });
});

test('lists and pages show today’s rental even if a hold for past days has not lapsed yet', async () => {
  const read = async (url: string) => (await client.request(owner, 'GET', `/rest/v1/${url}`)).body;
  const { slug, title } = await read(`me/listings/${listingId}`);
  const readRentals = async () => {
    const lists = ['listings?category=rentals', `listings?q=${encodeURIComponent(title)}`, 'me/listings'];
    const found = (await Promise.all(lists.map(read))).flatMap(({ items }) => items);
    return [...found, await read(`listings/${slug}`), await read(`me/listings/${listingId}`)]
      .filter(({ id }) => id === listingId)
      .map(({ rental }) => rental);
  };
  await take(owner, await request(renter, '2026-03-02', '2026-03-02'), 'accept');
  const current = await take(owner, await request(other, '2026-03-03', '2026-03-06'), 'accept');
  testApp.clock.advance(86_400);
  const days = { first_day: '2026-03-03', last_day: '2026-03-06', is_out: false };
  expect(await readRentals()).toEqual(Array.from({ length: 5 }, () => days));
  await take(owner, current, 'cancel', { reason: 'It broke.' });
  expect(await readRentals()).toEqual(Array.from({ length: 5 }, () => null));
});

test('a request whose total price would exceed the maximum price is refused', async () => {
  listingId = await client.list(owner, {
    title: `Camera ${randomUUID()}`,
    category: 'rentals',
    price: 1000,
    rentalPeriod: 'day',
  });
  const days = { first_day: '2026-03-10', last_day: '2026-07-20' };
  const { status, body } = await client.start(renter, listingId, days);
  expect([status, body.fields]).toEqual([400, { price: 'Price must be at most $100,000.00' }]);
});

test.each([
  [{}, 'first_day', 'Choose the first and the last day'],
  [{ first_day: '2026-03-01', last_day: '2026-03-05' }, 'first_day', 'The first day must be today or later'],
  [
    { first_day: '2026-03-05', last_day: '2026-03-04' },
    'last_day',
    'The last day must not be before the first day',
  ],
  [
    { first_day: '2026-03-05', last_day: '2026-08-30' },
    'last_day',
    'Rental days can be at most 180 days ahead',
  ],
  [{ first_day: '2026-02-30', last_day: '2026-03-04' }, 'first_day', 'Choose the first and the last day'],
])('rejects the days %o', async (days, field, sentence) => {
  const { status, body } = await client.start(renter, listingId, days);
  expect([status, body.fields]).toEqual([400, { [field]: sentence }]);
});

test('a rental goes from request to handover and return while its listing stays published', async () => {
  const held = await take(owner, await request(renter, '2026-03-03', '2026-03-05'), 'accept');
  const out = await take(renter, held, 'received');
  expect(out).toMatchObject({ state: 'out', deadline_at: null, transitions: ['extend', 'returned'] });
  const back = await take(renter, out, 'returned');
  expect(back).toMatchObject({ state: 'back', deadline_at: '2026-03-04T18:00:00.000Z', transitions: [] });
  expect(await take(owner, back, 'object')).toMatchObject({ state: 'out', deadline_at: null });
  expect(await take(owner, back, 'returned')).toMatchObject({ state: 'completed' });
  const [listing] = await testApp.sql`SELECT status, is_on_hold FROM listings WHERE id = ${listingId}`;
  expect(listing).toEqual({ status: 'published', is_on_hold: false });
});

test('keeps the hold until 18:00 on the day before the first day', async () => {
  const held = await take(owner, await request(renter, '2026-03-20', '2026-03-21'), 'accept');
  expect(held.deadline_at).toBe('2026-03-20T01:00:00.000Z');
});

describe('days', () => {
  test('that overlap an accepted rental by even one day cannot be accepted, and later ones can', async () => {
    const first = await request(renter, '2026-03-10', '2026-03-12');
    const overlapping = await request(other, '2026-03-12', '2026-03-14');
    await take(owner, first, 'accept');
    expect(await client.get(owner, overlapping)).toMatchObject({ waiting: true, deadline_at: null });
    expect((await client.take(owner, overlapping, 'accept')).body.code).toBe('deal_moved_on');
    await take(other, overlapping, 'withdraw');
    const later = await request(other, '2026-03-13', '2026-03-14');
    expect(later.waiting).toBe(false);
    await take(owner, later, 'accept');
  });

  test('can be added to a rental while they are free, if the owner accepts', async () => {
    const out = await take(
      renter,
      await take(owner, await request(renter, '2026-03-03', '2026-03-05'), 'accept'),
      'received',
    );
    const next = await take(owner, await request(other, '2026-03-08', '2026-03-09'), 'accept');
    const { status, body } = await client.take(renter, out, 'extend', { last_day: '2026-03-08' });
    expect([status, body.fields]).toEqual([
      400,
      { last_day: 'Some of these days are taken. Please choose other days' },
    ]);
    expect((await client.take(renter, out, 'extend', { last_day: '2026-03-05' })).body.fields).toEqual({
      last_day: 'The new last day must be after the current one',
    });
    const asked = await take(renter, out, 'extend', { last_day: '2026-03-07' });
    expect(asked).toMatchObject({ last_day: '2026-03-05', requested_last_day: '2026-03-07' });
    const extended = await take(owner, out, 'accept_extension');
    expect(extended).toMatchObject({
      last_day: '2026-03-07',
      requested_last_day: null,
      transitions: ['returned'],
    });
    await take(other, next, 'cancel', { reason: 'Not needed any more.' });
    await take(renter, out, 'extend', { last_day: '2026-03-08' });
    expect(await take(owner, out, 'decline_extension')).toMatchObject({ last_day: '2026-03-07' });
  });

  test('that have begun or passed can be neither accepted nor countered', async () => {
    const held = await take(owner, await request(renter, '2026-03-04', '2026-03-05'), 'accept');
    const waiting = await request(other, '2026-03-04', '2026-03-05');
    const open = await request(await testApp.signIn(), '2026-03-03', '2026-03-03');
    testApp.clock.set(new Date('2026-03-04T08:30:00.000Z'));
    expect((await client.get(owner, open)).transitions).toEqual(['decline']);
    expect((await client.take(owner, open, 'accept')).body.code).toBe('deal_moved_on');
    expect((await client.take(owner, open, 'counter', { price: 5 })).body.code).toBe('deal_moved_on');

    await take(renter, held, 'received');
    testApp.clock.set(new Date('2026-03-06T18:00:00.000Z'));
    await take(owner, held, 'returned');
    await testApp.jobs.runAll();
    expect((await client.get(other, waiting)).state).toBe('closed');
    expect((await client.listLines(other, waiting)).at(-1)?.message_text).toBe(
      'This deal was closed: the days are over.',
    );
  });

  test('that have passed close the requests waiting for them, even while an earlier renter still has the item', async () => {
    const held = await take(owner, await request(renter, '2026-03-02', '2026-03-04'), 'accept');
    const [waiting, later] = [
      await request(other, '2026-03-03', '2026-03-04'),
      await request(await testApp.signIn(), '2026-03-04', '2026-03-05'),
    ];
    await take(renter, held, 'received');
    const settle = async (time: string): Promise<string[]> => {
      testApp.clock.set(new Date(time));
      await testApp.jobs.repeatNow('settle-missed-deals');
      return Promise.all([waiting, later].map(async (deal) => (await client.get(owner, deal)).state));
    };
    // The last hour of March 4 on the campus, and the first of March 5.
    expect(await settle('2026-03-05T07:30:00.000Z')).toEqual(['offered', 'offered']);
    expect(await settle('2026-03-05T08:30:00.000Z')).toEqual(['closed', 'offered']);
    expect((await client.listLines(owner, waiting)).at(-1)?.message_text).toBe(
      'This deal was closed: the days are over.',
    );
    await request(other, '2026-03-10', '2026-03-12');
  });

  test('that the owner marked as rented without a deal cannot be accepted', async () => {
    const held = await take(owner, await request(renter, '2026-03-06', '2026-03-08'), 'accept');
    const offered = await request(other, '2026-03-04', '2026-03-05');
    const later = await request(await testApp.signIn(), '2026-03-09', '2026-03-10');
    const sell = (path: string, body: object) =>
      client.request(owner, 'POST', `/rest/v1/me/listings/${listingId}/${path}`, body);
    expect((await sell('sold', { until: '2026-03-06' })).status).toBe(200);
    expect((await client.get(owner, offered)).transitions).toEqual(['counter', 'decline']);
    expect((await client.take(owner, offered, 'accept')).body.code).toBe('deal_moved_on');

    testApp.clock.advance(20);
    await testApp.jobs.enqueue(testApp.sql, dealSettlingQueue, { listing_id: listingId });
    await testApp.jobs.runAll();
    const readLastText = async (deal: Deal) => (await client.listLines(owner, deal)).at(-1)?.message_text;
    expect(await readLastText(held)).toBe(
      'The seller cancelled the deal: The item is rented to somebody else on these days.',
    );
    expect(await readLastText(offered)).toBe('This deal was closed: the item was rented to somebody else.');
    expect((await client.get(owner, later)).transitions).toContain('accept');

    const days = { first_day: '2026-03-06', last_day: '2026-03-07' };
    expect((await client.start(other, listingId, days)).body.fields).toEqual({
      first_day: 'Some of these days are taken. Please choose other days',
    });
    const about = await client.request(other, 'GET', `/rest/v1/deals/about/${listingId}`);
    expect(about.body.taken_days).toEqual([{ first_day: '2026-03-02', last_day: '2026-03-06' }]);
    await request(other, '2026-03-07', '2026-03-08');
    expect((await sell('relist', {})).status).toBe(200);
    expect((await client.start(renter, listingId, days)).status).toBe(200);
  });

  test('that another rental took cannot be accepted as an extension', async () => {
    const out = await take(
      renter,
      await take(owner, await request(renter, '2026-03-03', '2026-03-05'), 'accept'),
      'received',
    );
    await take(renter, out, 'extend', { last_day: '2026-03-09' });
    expect((await client.get(owner, out)).transitions).toContain('accept_extension');
    await take(owner, await request(other, '2026-03-08', '2026-03-09'), 'accept');
    expect((await client.get(owner, out)).transitions).toEqual(['decline_extension', 'returned']);
    const { status, body } = await client.take(owner, out, 'accept_extension');
    expect([status, body.code, body.deal.last_day]).toEqual([409, 'deal_moved_on', '2026-03-05']);
  });

  test('that are past cannot be added to an overdue rental', async () => {
    const out = await take(
      renter,
      await take(owner, await request(renter, '2026-03-03', '2026-03-05'), 'accept'),
      'received',
    );
    testApp.clock.set(new Date('2026-03-08T18:00:00.000Z'));
    expect((await client.take(renter, out, 'extend', { last_day: '2026-03-07' })).body.fields).toEqual({
      last_day: 'The new end must be later than now',
    });
    await take(renter, out, 'extend', { last_day: '2026-03-08' });
  });

  test('for a handover can only be the first day of the rental and the day before it', async () => {
    const held = await take(owner, await request(renter, '2026-03-06', '2026-03-10'), 'accept');
    const propose = (time: string) =>
      client.take(renter, held, 'propose_handover', { place: 'The fountain', times: [time] });
    expect((await propose('2026-03-04T20:00:00.000Z')).body.fields).toEqual({
      times: 'A rental is handed over on its first day or the day before',
    });
    const time = '2026-03-05T20:00:00.000Z';
    const { status, body } = await propose(time);
    expect([status, body.transitions.includes('propose_handover')]).toEqual([200, true]);
    await take(owner, held, 'agree_handover', { time });

    // After the first day, a handover can no longer be suggested.
    testApp.clock.set(new Date('2026-03-07T18:00:00.000Z'));
    expect((await client.get(renter, held)).transitions).not.toContain('propose_handover');
    expect((await propose('2026-03-07T20:00:00.000Z')).body.code).toBe('deal_moved_on');
  });
});
