import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { approveListing, requestListingChanges } from '#server/features/listings/public.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let other: Person;
let listingId: string;
let held: Deal;
let waiting: Deal;
const title = 'A shelf and a bottle of vodka';

beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  await signInToConsole(testApp, 'moderator');
});
afterAll(() => testApp.close());

const edit = (form: object) => submitListingForm(testApp, seller, { id: listingId, price: 40, ...form });
const readStates = async () => [
  (await client.get(buyer, held)).state,
  (await client.get(other, waiting)).state,
];
/** Advances the clock past the delay after which changes to a listing are reported to its buyers, and runs the jobs. */
const settle = async () => {
  testApp.clock.advance(60);
  await testApp.jobs.runAll();
};

describe('promise 89: while an edited listing is in review', () => {
  beforeEach(async () => {
    ({ seller, buyer, other, listingId, held, waiting } = await client.holdListing({
      title: 'A shelf of solid oak',
      price: 40,
    }));
    expect((await edit({ title })).body.listing.status).toBe('in_review');
    await settle();
  });

  test('its offers and its hold stay open, but the parties can only end them', async () => {
    expect(await readStates()).toEqual(['held', 'offered']);
    expect((await client.get(buyer, held)).transitions).toEqual(['cancel']);
    expect((await client.get(seller, held)).transitions).toEqual(['cancel']);
    expect((await client.get(other, waiting)).transitions).toEqual(['withdraw']);
    expect((await client.get(seller, waiting)).transitions).toEqual(['decline']);
    expect((await client.take(buyer, held, 'received')).status).toBe(409);
    expect((await client.take(seller, held, 'cancel', { reason: 'I keep it.' })).status).toBe(200);
    await settle();
    expect(await readStates()).toEqual(['cancelled', 'offered']);
    const stranger = await testApp.signIn();
    expect((await client.start(stranger, listingId)).status).toBe(404);
  });

  test('approval adds an event line about the change, and the deals continue', async () => {
    const countLines = async () => (await client.listLines(buyer, held)).length;
    const before = await countLines();
    expect(await approveListing(testApp.app, listingId, testApp.clock.now())).toBe(true);
    await settle();
    expect(await countLines()).toBe(before + 1);
    expect((await client.listLines(buyer, held)).at(-1)?.message_text).toContain(title);
    expect(await readStates()).toEqual(['held', 'offered']);
    expect((await client.take(buyer, held, 'received')).body.state).toBe('completed');
  });

  test('an offer waiting for a hold that ended meanwhile stops waiting when the listing is approved', async () => {
    await client.take(seller, held, 'cancel', { reason: 'I keep it.' });
    await settle();
    expect(await client.get(other, waiting)).toMatchObject({ waiting: true });
    await approveListing(testApp.app, listingId, testApp.clock.now());
    await settle();
    expect(await client.get(other, waiting)).toMatchObject({ state: 'offered', waiting: false });
  });

  test('its deals end without counting against the seller when a moderator requests changes', async () => {
    await requestListingChanges(testApp.app, listingId, 'Without the vodka, please');
    await settle();
    expect(await readStates()).toEqual(['closed', 'closed']);
    expect((await client.listLines(buyer, held)).at(-1)?.message_text).toContain('the listing was withdrawn');
  });

  test('its deals continue when the owner removes the prohibited wording', async () => {
    expect((await edit({ title: 'A shelf of solid oak' })).body.listing.status).toBe('published');
    await settle();
    expect((await client.get(seller, held)).transitions).toContain('handed_over');
  });
});

test('an edit that would send a listing to review is refused while its handover is unconfirmed', async () => {
  ({ seller, buyer, other, listingId, held, waiting } = await client.holdListing({ price: 40 }));
  await client.take(seller, held, 'handed_over');
  expect((await edit({ title })).body.code).toBe('handover_unconfirmed');
});

test('a listing that is held again after its handover becomes sold only when it is approved', async () => {
  ({ seller, buyer, other, listingId, held, waiting } = await client.holdListing({ price: 40 }));
  await client.take(seller, held, 'handed_over');
  const now = testApp.clock.now();
  await testApp.sql`UPDATE listings SET status = 'in_review', held_at = ${now} WHERE id = ${listingId}`;
  const readStatus = async () =>
    (await testApp.sql`SELECT status FROM listings WHERE id = ${listingId}`)[0]?.status;
  expect((await client.take(buyer, held, 'received')).body.state).toBe('completed');
  expect(await readStatus()).toBe('in_review');
  expect(await approveListing(testApp.app, listingId, now)).toBe(true);
  expect(await readStatus()).toBe('sold');
});
