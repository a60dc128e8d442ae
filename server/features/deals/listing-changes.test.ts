import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { type CategoryColumn, categoryFieldEntries, formatCategoryValue } from '#contract/category-fields.ts';
import type { Deal } from '#contract/deals.ts';
import { createCategoryValue, createCategoryValues } from '#contract/testing.ts';
import type { ListingTerms } from '#server/features/listings/sql.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { changeNoticeDelaySeconds, listTermChanges } from './listing-changes.ts';
import { dealSettlingQueue } from './public.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let other: Person;
let listingId: string;
let held: Deal;
let waiting: Deal;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());

const form = { title: 'A desk of solid oak', price: 110 };
beforeEach(async () => {
  ({ seller, buyer, other, listingId, held, waiting } = await client.holdListing(form));
});

const save = async (changed: ListingForm) => {
  const { status } = await submitListingForm(testApp, seller, { ...form, id: listingId, ...changed });
  expect(status).toBe(200);
  testApp.clock.advance(5);
};
/** Lets the time pass after which changes are reported, and runs the jobs. */
const reportChanges = async () => {
  testApp.clock.advance(changeNoticeDelaySeconds);
  await testApp.jobs.runAll();
};
const runChangeNoticeAgain = async () => {
  await testApp.jobs.enqueue(testApp.sql, dealSettlingQueue, { listing_id: listingId });
  await testApp.jobs.runAll();
};
const listSentences = async (person: Person, deal: Deal) =>
  (await client.listLines(person, deal)).map(({ message_text: text }) => text);
const countUnread = async (person: Person, deal: Deal): Promise<number> =>
  (await client.request(person, 'GET', `/rest/v1/conversations/${deal.conversation_id}`)).body.unread_count;

test('a changed listing adds one event line to the conversation of each open deal, whose terms do not change', async () => {
  const unread = [await countUnread(seller, waiting), await countUnread(other, waiting)];
  await save({ price: 100 });
  await save({ price: 90, condition: 'fair', description: `${'A few more scratches. '.repeat(3)}` });
  await reportChanges();
  await runChangeNoticeAgain();
  const sentence = 'The listing changed: price $110 → $90, condition Good → Fair. The description changed.';
  expect((await listSentences(buyer, held)).slice(-2)).toEqual([
    expect.stringContaining('accepted'),
    sentence,
  ]);
  expect((await listSentences(other, waiting)).slice(-2)).toEqual([
    expect.stringContaining('offered'),
    sentence,
  ]);
  expect(await client.get(other, waiting)).toMatchObject({ price: 110, state: 'offered', waiting: true });
  // The event line counts as unread only for the buyer, because the owner made the change.
  expect([await countUnread(seller, waiting), await countUnread(other, waiting)]).toEqual([
    unread[0],
    (unread[1] ?? 0) + 1,
  ]);
  const url = `/rest/v1/conversations/${waiting.conversation_id}/messages`;
  const { body } = await client.request(other, 'GET', url);
  expect(calls.listMessages.output.parse(body)).toEqual(body);
});

test('neither a reverted change nor one that is irrelevant to buyers adds an event line', async () => {
  await save({ price: 90 });
  await save({ price: 110 });
  await save({ contactEmail: 'another@usc.edu', holdHours: 24 });
  await reportChanges();
  expect((await listSentences(buyer, held)).at(-1)).toContain('accepted');
});

test('a later change is compared with the version of the previous event line', async () => {
  await save({ price: 90 });
  await reportChanges();
  await save({ price: 80, title: 'A desk of solid oak, 140 cm' });
  const late = await testApp.signIn();
  const lateDeal = (await client.start(late, listingId)).body;
  await reportChanges();
  expect((await listSentences(other, waiting)).slice(-2)).toEqual([
    'The listing changed: price $110 → $90.',
    'The listing changed: price $90 → $80, title “A desk of solid oak” → “A desk of solid oak, 140 cm”.',
  ]);
  // A buyer who starts a deal after the change is not notified, because they saw the changed listing.
  expect(await listSentences(late, lateDeal)).toEqual(['The buyer offered $80.']);
});

test('a deal that has ended gets no event line about a changed listing', async () => {
  await client.take(other, waiting, 'withdraw');
  await save({ price: 90 });
  await client.take(seller, held, 'cancel', { reason: 'No longer for sale.' });
  await reportChanges();
  expect((await listSentences(other, waiting)).at(-1)).toContain('withdrew');
  expect((await listSentences(buyer, held)).at(-1)).toContain('No longer for sale.');
  const rows = await testApp.sql`SELECT FROM pending_listing_changes WHERE listing_id = ${listingId}`;
  expect(rows.count).toBe(0);
});

const setStatus = (status: string) =>
  client.request(seller, 'PATCH', `/rest/v1/me/listings/${listingId}`, { status });
const countPending = async () => {
  const rows = await testApp.sql`SELECT FROM pending_listing_changes WHERE listing_id = ${listingId}`;
  return rows.count;
};

test('changes made in a draft or right before unpublishing add no event line', async () => {
  const rentalForm = { ...form, category: 'rentals', price: 20 };
  listingId = await client.list(seller, rentalForm);
  const rented = (await client.start(buyer, listingId, { first_day: '2026-03-02', last_day: '2026-03-09' }))
    .body;
  await client.take(seller, rented, 'accept');
  await client.take(buyer, rented, 'received');
  await save({ ...rentalForm, price: 30 });
  expect((await setStatus('draft')).status).toBe(200);
  await reportChanges();
  expect(await countPending()).toBe(0);
  await save({ ...rentalForm, status: 'draft', title: 'A secret idea', price: 25 });
  expect(await countPending()).toBe(0);
  await reportChanges();
  expect((await client.get(buyer, rented)).state).toBe('out');
  const sentences = await listSentences(buyer, rented);
  expect(sentences.filter((sentence) => sentence.includes('The listing changed'))).toEqual([]);
  // Once the listing is published again, its changes are reported.
  await save({ ...rentalForm, price: 25 });
  await save({ ...rentalForm, price: 15 });
  await reportChanges();
  expect((await listSentences(buyer, rented)).at(-1)).toBe('The listing changed: price $25 → $15.');
});

test('a draft that is published again before its deals end is compared with the last public version', async () => {
  await setStatus('draft');
  await save({ status: 'draft', title: 'A secret idea' });
  await save({ status: 'draft', price: 90 });
  await setStatus('published');
  await save({ status: 'draft', price: 80 });
  await save({ price: 80 });
  await reportChanges();
  expect((await client.get(other, waiting)).state).toBe('offered');
  for (const [person, deal] of [
    [buyer, held],
    [other, waiting],
  ] as const)
    expect((await listSentences(person, deal)).at(-1)).toBe('The listing changed: price $110 → $80.');
});

test.each([
  ['sale', 'POST', '/sold', '/relist'],
  ['deletion', 'DELETE', '', '/restore'],
] as const)(
  'a change that is due before the %s of its listing is undone adds an event line afterwards',
  async (_, method, end, undo) => {
    const url = `/rest/v1/me/listings/${listingId}`;
    await save({ price: 150 });
    testApp.clock.advance(changeNoticeDelaySeconds - 6);
    await client.request(seller, method, `${url}${end}`, {});
    testApp.clock.advance(1);
    await testApp.jobs.runAll();
    expect((await listSentences(other, waiting)).at(-1)).toContain('offered');
    expect((await client.request(seller, 'POST', `${url}${undo}`)).status).toBe(200);
    await reportChanges();
    expect((await listSentences(other, waiting)).at(-1)).toBe('The listing changed: price $110 → $150.');
  },
);

test('a change is not reported if the listing is then sold and the sale is not undone', async () => {
  await save({ price: 150 });
  await client.request(seller, 'POST', `/rest/v1/me/listings/${listingId}/sold`, {});
  await reportChanges();
  expect((await listSentences(other, waiting)).at(-1)).toContain('closed');
  expect(await countPending()).toBe(0);
});

test('a change whose job failed is included in the event line of the next change', async () => {
  await save({ price: 90 });
  await testApp.sql`ALTER TABLE pending_listing_changes RENAME TO unavailable_changes`;
  await expect(reportChanges()).rejects.toThrow();
  await testApp.sql`ALTER TABLE unavailable_changes RENAME TO pending_listing_changes`;
  expect(await countPending()).toBe(2);
  await save({ price: 80 });
  await reportChanges();
  expect((await listSentences(other, waiting)).at(-1)).toBe('The listing changed: price $110 → $80.');
  expect(await countPending()).toBe(0);
});

test.each(categoryFieldEntries)('promise 122: a change of the field %s is reported', (_, field) => {
  const terms = {
    ...{ title: 'Desk', price: 25, rental_period: 'flexible', condition: 'good', location: 'Village' },
    ...{ game_date: null, description: '', photos: [] },
    ...createCategoryValues('column'),
  } as unknown as ListingTerms;
  const changed = { ...terms, [field.column]: createCategoryValue(field, 1) };
  const [before, after] = [terms, changed].map((it) =>
    formatCategoryValue(field, it[field.column as CategoryColumn], defaultCampus),
  );
  expect(listTermChanges(terms, changed, defaultCampus)).toEqual([{ field: field.column, before, after }]);
});
