import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays } from '#contract/days.ts';
import type { Deal } from '#contract/deals.ts';
import { doRentalsOverlap, isRentalInOrder, type RentalPeriod } from '#contract/rental-times.ts';
import { isExclusionViolation } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { isListingReserved, listUnavailablePeriods } from './queue-repository.ts';
import { settleMissedDeals } from './settling.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let owner: Person;
let renter: Person;
let other: Person;
let listingId: string;
const list = (form: object = {}) =>
  client.list(owner, {
    title: `Camera ${randomUUID()}`,
    category: 'rentals',
    price: 20,
    rentalPeriod: 'day',
    ...form,
  });
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  owner = await testApp.signIn({ fullName: 'Olive Owner' });
  renter = await testApp.signIn({ fullName: 'Rita Renter' });
  other = await testApp.signIn({ fullName: 'Otto Other' });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  listingId = await list();
});

const rent = async (person: Person, wanted: RentalPeriod & { price?: number }): Promise<Deal> => {
  const { status, body } = await client.start(person, listingId, wanted);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const take = async (person: Person, deal: Deal, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, deal, transition, data);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const morning = { first_day: '2026-03-03', last_day: '2026-03-05', return_time: '12:00' };
const afternoon = { first_day: '2026-03-05', last_day: '2026-03-06', pickup_time: '12:00' };

const timezone = 'America/Los_Angeles';
const quarters = Array.from(
  { length: 96 },
  (_, n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`,
);
const toInstant = (day: string, time: string | undefined): number => {
  const start = Temporal.PlainDateTime.from(`${day}T${time ?? '00:00'}`).toZonedDateTime(timezone);
  return start.epochMilliseconds;
};
/** When a rental begins and ends, in the time of the world instead of that of the clock on campus. */
const toInstants = ({
  first_day: first,
  last_day: last,
  pickup_time: pickup,
  return_time: returned,
}: RentalPeriod) => ({
  start: toInstant(first, pickup ?? undefined),
  end: returned ? toInstant(last, returned) : toInstant(addDays(last, 1), undefined),
});
const isSkipped = (day: string, time: string | undefined): boolean =>
  day === '2026-03-08' && time !== undefined && time.startsWith('02');
const listRentals = (from: string) =>
  fc.array(
    fc
      .record({
        start: fc.integer({ min: 0, max: 60 }),
        days: fc.integer({ min: 0, max: 4 }),
        pickup_time: fc.option(fc.constantFrom(...quarters), { nil: undefined }),
        return_time: fc.option(fc.constantFrom(...quarters), { nil: undefined }),
      })
      .map(({ start, days, ...times }): RentalPeriod & { pickup_time?: string; return_time?: string } => ({
        first_day: addDays(from, start),
        last_day: addDays(from, start + days),
        ...(times as object),
      }))
      .filter(
        (it) =>
          isRentalInOrder(it) &&
          !isSkipped(it.first_day, it.pickup_time) &&
          !isSkipped(it.last_day, it.return_time),
      ),
    { minLength: 100, maxLength: 100 },
  );

// 60 days around the two changes of the clocks, the ends of months, and February 29.
test.each(['2026-02-10', '2026-10-05', '2028-02-01'])(
  'promise 119: of 100 random rentals from %s on, never two are at once, and every free time is offered as free',
  async (from) => {
    const [rentals = []] = fc.sample(listRentals(from), { numRuns: 1, seed: Date.parse(from) });
    const accepted: RentalPeriod[] = [];
    const now = testApp.clock.now();
    const [conversation] = await testApp.sql`
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at)
      VALUES (${listingId}, 'Camera', ${renter.userId}, ${owner.userId}, ${now}, ${now}) RETURNING id`;
    const hold = async (it: RentalPeriod): Promise<boolean> => {
      try {
        await testApp.sql`
          INSERT INTO deals (listing_id, conversation_id, seller_id, kind, state, title, price, first_day, last_day,
            pickup_time, return_time, created_at, changed_at)
          VALUES (${listingId}, ${conversation?.id}, ${owner.userId}, 'rental', 'held', 'Camera', 20, ${it.first_day}::date,
            ${it.last_day}::date, ${it.pickup_time ?? null}::time, ${it.return_time ?? null}::time, ${now}, ${now})`;
        return true;
      } catch (error) {
        if (isExclusionViolation(error)) return false;
        throw error;
      }
    };
    for (const period of rentals) {
      const { start, end } = toInstants(period);
      const isFree = accepted.map(toInstants).every((it) => end <= it.start || it.end <= start);
      expect([period, await isListingReserved(testApp.sql, { listingId, period })]).toEqual([
        period,
        !isFree,
      ]);
      expect([period, await hold(period)]).toEqual([period, isFree]);
      if (isFree) accepted.push(period);
    }
    // What the calendars of the pages know.
    const taken = await listUnavailablePeriods(testApp.sql, { listingId, from });
    expect(taken).toHaveLength(accepted.length);
    for (const period of rentals) {
      const { start, end } = toInstants(period);
      const isFree = accepted.map(toInstants).every((it) => end <= it.start || it.end <= start);
      expect([period, !taken.some((it) => doRentalsOverlap(it, period))]).toEqual([period, isFree]);
    }
  },
);

test('promise 119: an item returned by noon goes out again from noon, and both rentals say so', async () => {
  const first = await rent(renter, morning);
  const second = await rent(other, afternoon);
  await take(owner, first, 'accept');
  const held = await take(owner, second, 'accept');
  expect(held).toMatchObject({ ...afternoon, state: 'held', price: 40 });
  expect(held).not.toHaveProperty('return_time');
  const third = await testApp.signIn();
  const early = await rent(third, {
    first_day: '2026-03-05',
    last_day: '2026-03-05',
    pickup_time: '11:45',
    return_time: '12:15',
  });
  expect(early.waiting).toBe(true);
  const { slug } = (await client.request(owner, 'GET', `/rest/v1/me/listings/${listingId}`)).body;
  expect((await client.request(owner, 'GET', `/rest/v1/listings/${slug}`)).body.taken_days).toEqual([
    morning,
    afternoon,
  ]);
  const lines = await client.listLines(owner, held);
  expect(lines.at(-1)?.data).toMatchObject(afternoon);
  expect(lines[0]?.message_text.replaceAll('\u202F', ' ')).toContain('for Mar 5, 12:00 PM to Mar 6');
});

test('accepts at the same time: rentals that touch both win, of overlapping ones only one does', async () => {
  const people = [renter, other, await testApp.signIn(), await testApp.signIn()];
  const wanted = [
    morning,
    afternoon,
    { ...morning, return_time: '11:00' },
    { ...afternoon, pickup_time: '12:15' },
  ];
  const offers = await Promise.all(wanted.map((it, n) => rent(people[n] ?? renter, it)));
  const statuses = await Promise.all(
    offers.map(async (it) => (await client.take(owner, it, 'accept')).status),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  const rows =
    await testApp.sql`SELECT first_day::text FROM deals WHERE listing_id = ${listingId} AND state = 'held'`;
  expect(rows.map((row) => row.first_day).sort()).toEqual(['2026-03-03', '2026-03-05']);
});

test.each([
  [{ pickup_time: '12:10' }, 'pickup_time', 'Choose a time in quarter hours, as in 2:15'],
  [{ pickup_time: '24:00' }, 'pickup_time', 'Choose a time in quarter hours, as in 2:15'],
  [{ pickup_time: '12:00', return_time: '12:00' }, 'return_time', 'The return must be after the pick-up'],
  [
    { return_time: '02:30' },
    'return_time',
    'The clocks skip this time on that day. Please choose another time',
  ],
])('refuses the times %o', async (times, field, sentence) => {
  const days = { first_day: '2026-03-08', last_day: '2026-03-08' };
  const { status, body } = await client.start(renter, listingId, { ...days, ...times });
  expect([status, body.fields]).toEqual([400, { [field]: sentence }]);
});

test('an item for sale has no times', async () => {
  listingId = await client.list(owner, { price: 20 });
  const { status, body } = await client.start(renter, listingId, { pickup_time: '12:00' });
  expect([status, body.fields]).toEqual([400, { first_day: 'Only rentals have a first and a last day' }]);
});

test('a handover is not before the time of pick-up', async () => {
  const held = await take(owner, await rent(renter, afternoon), 'accept');
  const propose = async (time: string) =>
    (await client.take(owner, held, 'propose_handover', { place: 'The fountain', times: [time] })).body
      .fields;
  const sentence = 'This rental is handed over on its first day, after the time of pick-up';
  expect(await propose('2026-03-05T19:45:00.000Z')).toEqual({ times: sentence });
  expect(await propose('2026-03-04T21:00:00.000Z')).toEqual({ times: sentence });
  expect(await propose('2026-03-05T20:00:00.000Z')).toBeUndefined();
});

test('a handover after the last day of a rental without a time of return is refused for its days', async () => {
  const times = { first_day: '2026-03-05', last_day: '2026-03-06' };
  const held = await take(owner, await rent(renter, times), 'accept');
  const { body } = await client.take(owner, held, 'propose_handover', {
    place: 'The fountain',
    times: ['2026-03-08T20:00:00.000Z'],
  });
  expect(body.fields).toEqual({ times: 'A rental is handed over on its first day or the day before' });
});

test('the inbox knows the hour in which a rental ends', async () => {
  const out = await take(renter, await take(owner, await rent(renter, morning), 'accept'), 'received');
  const { body } = await client.request(renter, 'GET', '/rest/v1/conversations');
  expect(body.items.find(({ id }: { id: string }) => id === out.conversation_id).deal).toMatchObject({
    state: 'out',
    last_day: '2026-03-05',
    return_time: '12:00',
  });
});

test('a handover is before the time of return', async () => {
  const times = { first_day: '2026-03-05', last_day: '2026-03-05', return_time: '12:00' };
  const held = await take(owner, await rent(renter, times), 'accept');
  const propose = (time: string) =>
    client.take(owner, held, 'propose_handover', { place: 'The fountain', times: [time] });
  expect((await propose('2026-03-05T20:00:00.000Z')).body.fields).toEqual({
    times: 'This rental is handed over before its time of return',
  });
  expect((await propose('2026-03-05T19:45:00.000Z')).status).toBe(200);
  testApp.clock.set(new Date('2026-03-05T20:00:00.000Z'));
  expect((await client.get(owner, held)).transitions).not.toContain('propose_handover');
});

test('a request that waits ends when its time is over, and the next renter learns at the time of return that it is not back', async () => {
  const first = await take(owner, await rent(renter, morning), 'accept');
  const waiting = await rent(other, {
    first_day: '2026-03-05',
    last_day: '2026-03-05',
    pickup_time: '10:00',
    return_time: '13:00',
  });
  const next = await testApp.signIn();
  const held = await take(owner, await rent(next, afternoon), 'accept');
  await take(renter, first, 'received');
  testApp.clock.set(new Date('2026-03-05T19:59:00.000Z'));
  expect(await client.get(next, held)).toMatchObject({ item_overdue: false });
  testApp.clock.set(new Date('2026-03-05T20:00:00.000Z'));
  expect(await client.get(next, held)).toMatchObject({ item_overdue: true });
  await settleMissedDeals(testApp.app);
  expect(await client.get(other, waiting)).toMatchObject({ state: 'offered' });
  testApp.clock.set(new Date('2026-03-05T21:00:00.000Z'));
  await settleMissedDeals(testApp.app);
  expect(await client.get(other, waiting)).toMatchObject({ state: 'closed' });
});

test('the rules of the owner bind requests, and the price without an offer is the cheapest combination', async () => {
  listingId = await list({ weekPrice: 60, minRentalDays: 2, maxRentalDays: 10, handoutDays: '15' });
  const refuse = async (first_day: string, last_day: string) =>
    (await client.start(renter, listingId, { first_day, last_day })).body.fields;
  // March 9, 2026, is a Monday.
  expect(await refuse('2026-03-10', '2026-03-13')).toEqual({
    first_day: 'Pick-up and return only on Mon, Fri',
  });
  expect(await refuse('2026-03-09', '2026-03-09')).toEqual({ last_day: 'Rented out for at least 2 days' });
  expect(await refuse('2026-03-09', '2026-03-20')).toEqual({ last_day: 'Rented out for at most 10 days' });
  expect(await rent(renter, { first_day: '2026-03-06', last_day: '2026-03-13' })).toMatchObject({
    price: 80,
  });
  expect(await rent(other, { first_day: '2026-03-06', last_day: '2026-03-13', price: 5 })).toMatchObject({
    price: 5,
  });
});

test('the rules of the owner bind a request for more days, but not the owner who answers it', async () => {
  listingId = await list({ minRentalDays: 2, maxRentalDays: 10, handoutDays: '15' });
  const about = await client.request(renter, 'GET', `/rest/v1/deals/about/${listingId}`);
  expect(about.body.rental_rules).toEqual({ min_rental_days: 2, max_rental_days: 10, handout_days: '15' });
  const wanted = { first_day: '2026-03-02', last_day: '2026-03-06' };
  const out = await take(renter, await take(owner, await rent(renter, wanted), 'accept'), 'received');
  const refuse = async (last_day: string) =>
    (await client.take(renter, out, 'extend', { last_day })).body.fields?.last_day;
  // March 9, 2026, is a Monday, and March 13 a Friday.
  expect(await refuse('2026-03-10')).toBe('Pick-up and return only on Mon, Fri');
  expect(await refuse('2026-03-13')).toBe('Rented out for at most 10 days');
  await testApp.sql`UPDATE listings SET handout_days = '3', min_rental_days = 9, max_rental_days = NULL
    WHERE id = ${listingId}`;
  expect(await refuse('2026-03-09')).toBe('Pick-up and return only on Wed');
  await take(renter, out, 'extend', { last_day: '2026-03-11' });
  await testApp.sql`UPDATE listings SET max_rental_days = 9 WHERE id = ${listingId}`;
  expect(await take(owner, out, 'accept_extension')).toMatchObject({ last_day: '2026-03-11' });
});

test('an extension ends neither in the past nor at a time that the clocks skip', async () => {
  const wanted = { first_day: '2026-03-02', last_day: '2026-03-03', return_time: '02:30' };
  const out = await take(renter, await take(owner, await rent(renter, wanted), 'accept'), 'received');
  const refuse = async (last_day: string) =>
    (await client.take(renter, out, 'extend', { last_day })).body.fields?.last_day;
  // The clocks change on March 8. It is 10:00 on the campus.
  expect(await refuse('2026-03-08')).toBe(
    'The clocks skip the time of return on that day. Please choose another day',
  );
  testApp.clock.set(new Date('2026-03-05T18:00:00.000Z'));
  expect(await refuse('2026-03-05')).toBe('The new end must be later than now');
  await take(renter, out, 'extend', { last_day: '2026-03-06' });
});

test('the minimum of days must not be above the maximum', async () => {
  await expect(list({ minRentalDays: 5, maxRentalDays: 4 })).rejects.toThrow(
    'Must not be less than the minimum',
  );
});

test('an edit that sends only the minimum or the maximum of days is compared with the other one as it is stored', async () => {
  const stored = { title: `Camera ${randomUUID()}`, minRentalDays: 3, maxRentalDays: 6 };
  const id = await list(stored);
  const edit = (form: object) =>
    list({ ...stored, minRentalDays: undefined, maxRentalDays: undefined, id, ...form });
  for (const form of [{ minRentalDays: 7 }, { maxRentalDays: 2 }])
    await expect(edit(form)).rejects.toThrow('Must not be less than the minimum');
  await edit({ minRentalDays: 6 });
  await edit({ maxRentalDays: '', minRentalDays: 7 });
});

test('a further price is for another period than the price of the listing', async () => {
  await expect(list({ rentalPeriod: 'day', dayPrice: 15 })).rejects.toThrow(
    'There are two prices for this period. Please remove one',
  );
  await list({ rentalPeriod: 'week', dayPrice: 15 });
});
