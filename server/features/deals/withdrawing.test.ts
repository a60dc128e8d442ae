import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { takeDownListing } from '#server/features/listings/public.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { removeDeletedListings, submitListingForm, validListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';
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

const sale = { title: 'A shelf of solid oak', price: 40 };
const rental = { title: 'A camera to borrow', category: 'rentals', price: 20 };
const begin = async (form: object, days: object = {}): Promise<void> => {
  ({ seller, buyer, other, listingId, held, waiting } = await client.holdListing(form, days));
};
beforeEach(() => begin(sale));

const change = (method: RequestMethod, path: string, payload?: object, person = seller) =>
  sendRequest(testApp, person, method, `/rest/v1/me${path}`, payload);
/**
 * Advances the clock until marking the listing as sold can no longer be undone, and runs the job that checks its deals.
 */
const settleSale = async () => {
  testApp.clock.advance(20);
  await testApp.jobs.enqueue(testApp.sql, dealSettlingQueue, { listing_id: listingId });
  await testApp.jobs.runAll();
};
const readStates = async () => [
  (await client.get(buyer, held)).state,
  (await client.get(other, waiting)).state,
];
const answerSale = (confirmed: boolean) =>
  client.request(buyer, 'POST', `/rest/v1/listings/${listingId}/sale-answer`, { confirmed });
const isAsked = async (): Promise<boolean> =>
  (await client.request(buyer, 'GET', `/rest/v1/conversations/${held.conversation_id}`)).body.listing
    .is_sale_asked;
const readLastLine = async (person: Person, deal: Deal) =>
  (await client.listLines(person, deal)).at(-1)?.message_text;

test('promise 71: an offer made at the moment of a suspension either ends or is refused', async () => {
  const started: Deal[] = [];
  for (let round = 0; round < 8; round += 1) {
    const [owner, suspended] = [await testApp.signIn(), await testApp.signIn()];
    const titles = ['A desk of solid oak', 'A chair of solid oak', 'A table of solid oak'];
    const listings = await Promise.all(titles.map((title) => client.list(owner, { title })));
    const [replies] = await Promise.all([
      Promise.all(
        listings.map((id) =>
          sendRequest(testApp, suspended, 'POST', '/rest/v1/deals', {
            client_id: randomUUID(),
            listing_id: id,
          }),
        ),
      ),
      suspendByCommand(testApp.app, suspended.userId),
    ]);
    for (const { status, body } of replies) {
      if (status === 200) started.push(body);
      else expect(['not_authenticated', 'contact_refused']).toContain(body.code);
    }
  }
  await testApp.jobs.runAll();
  const ids = started.map(({ id }) => id);
  expect(
    await testApp.sql`SELECT FROM deals WHERE id = ANY (${ids}::uuid[]) AND state <> 'closed'`,
  ).toHaveLength(0);
});

describe('promise 71: when a listing is withdrawn', () => {
  test('as a draft, its hold is canceled in the seller’s name and its offers are closed', async () => {
    expect((await change('PATCH', `/listings/${listingId}`, { status: 'draft' })).status).toBe(200);
    await testApp.jobs.runAll();
    expect(await readStates()).toEqual(['cancelled', 'closed']);
    expect(await readLastLine(buyer, held)).toBe('The seller cancelled the deal: The listing was withdrawn.');
    expect(await readLastLine(other, waiting)).toBe('This deal was closed: the listing was withdrawn.');
  });

  test.each([
    ['draft', 'PATCH', '', { status: 'draft' }],
    ['sold', 'POST', '/sold', {}],
  ] as const)('as %s, its deals end even if the queued job was lost', async (_, method, path, body) => {
    expect((await change(method, `/listings/${listingId}${path}`, body)).status).toBe(200);
    await testApp.jobs.repeatNow('settle-missed-deals');
    expect(await readStates()).toEqual(['held', 'offered']);
    testApp.clock.advance(81);
    await testApp.jobs.repeatNow('settle-missed-deals');
    expect(await readStates()).toEqual(['cancelled', 'closed']);
    // Now the queued jobs run late, and change nothing.
    await testApp.jobs.runAll();
    expect(await readStates()).toEqual(['cancelled', 'closed']);
  });

  test('the resulting cancellation does not count as activity of the seller', async () => {
    const readSeenAt = async () => {
      const [row] =
        await testApp.sql`SELECT seller_seen_at FROM conversations WHERE id = ${held.conversation_id}`;
      return row?.seller_seen_at;
    };
    const seenAt = await readSeenAt();
    await change('PATCH', `/listings/${listingId}`, { status: 'draft' });
    testApp.clock.advance(60);
    await testApp.jobs.runAll();
    expect((await client.listLines(buyer, held)).at(-1)).toMatchObject({
      data: { transition: 'cancel', by: 'seller' },
    });
    expect(await readSeenAt()).toEqual(seenAt);
  });

  test('by deletion, its deals end once Undo has expired, and accept no transitions until then', async () => {
    expect((await change('DELETE', `/listings/${listingId}`)).status).toBe(200);
    await testApp.jobs.runAll();
    expect(await readStates()).toEqual(['held', 'offered']);
    expect((await client.take(buyer, held, 'received')).body.code).toBe('deal_moved_on');
    await removeDeletedListings(testApp);
    expect(await readStates()).toEqual(['cancelled', 'closed']);
    expect(await client.get(buyer, held)).toMatchObject({ listing_id: null, title: sale.title });
  });

  test('by deletion, waiting offers whose hold ended meanwhile continue if the deletion is undone', async () => {
    await client.take(buyer, held, 'cancel', { reason: 'I found another one.' });
    await change('DELETE', `/listings/${listingId}`);
    await testApp.jobs.runAll();
    expect(await client.get(other, waiting)).toMatchObject({ waiting: true, deadline_at: null });
    expect((await change('POST', `/listings/${listingId}/restore`)).status).toBe(200);
    await testApp.jobs.runAll();
    expect(await client.get(other, waiting)).toMatchObject({
      waiting: false,
      deadline_at: expect.any(String),
    });
  });

  test('as sold, the hold is canceled, or handed over if its buyer got the item; offers are closed', async () => {
    await change('POST', `/listings/${listingId}/sold`, {});
    await settleSale();
    expect(await readStates()).toEqual(['cancelled', 'closed']);
    await begin(sale);
    await change('POST', `/listings/${listingId}/sold`, { to_user_id: buyer.userId });
    await settleSale();
    expect(await readStates()).toEqual(['handed_over', 'closed']);
  });

  test('as sold to a person with an open offer, the offer is closed because that person got the item', async () => {
    await client.take(seller, held, 'cancel', { reason: 'No longer needed.' });
    await testApp.jobs.runAll();
    const offered = (await client.start(buyer, listingId)).body;
    await change('POST', `/listings/${listingId}/sold`, { to_user_id: buyer.userId });
    await settleSale();
    expect((await client.get(buyer, offered)).state).toBe('closed');
    // A push notification shows only the last line.
    expect((await client.listLines(buyer, offered)).slice(-2)).toMatchObject([
      { message_text: 'This deal was closed: the seller marked the item as gone to the buyer.' },
      { message_text: 'The seller marked this as sold to the buyer, who can confirm it within 14 days.' },
    ]);
  });

  test('as sold, its deals stay open while Undo is possible, and continue if the sale is undone', async () => {
    await change('POST', `/listings/${listingId}/sold`, {});
    await testApp.jobs.runAll();
    expect(await readStates()).toEqual(['held', 'offered']);
    const listDeals = async () => (await change('GET', `/listings/${listingId}/deals`)).body.items;
    expect(await listDeals()).toMatchObject([{ id: held.id, marked_as: 'sold' }, { id: waiting.id }]);
    expect((await change('POST', `/listings/${listingId}/relist`)).status).toBe(200);
    await settleSale();
    expect((await listDeals())[0]).not.toHaveProperty('marked_as');
    expect(await readStates()).toEqual(['held', 'offered']);
    expect((await change('GET', `/listings/${listingId}`)).body).toMatchObject({ is_on_hold: true });
  });

  test('as rented until a day, a hold of these days says so', async () => {
    const { clock } = testApp;
    const day = clock.now().toISOString().slice(0, 10);
    await begin(rental, { first_day: day, last_day: day });
    expect(await client.get(buyer, held)).not.toHaveProperty('marked_as');
    expect((await change('POST', `/listings/${listingId}/sold`, { until: day })).status).toBe(200);
    expect(await client.get(buyer, held)).toMatchObject({ state: 'held', marked_as: 'rented' });
  });

  test('as sold to the buyer who has the hold, that buyer can confirm or dispute the sale only in the deal', async () => {
    await change('POST', `/listings/${listingId}/sold`, { to_user_id: buyer.userId });
    expect(await isAsked()).toBe(false);
    await settleSale();
    expect(await isAsked()).toBe(false);
    expect((await answerSale(false)).body).toMatchObject({ code: 'sale_in_deal' });
    expect((await change('POST', `/listings/${listingId}/relist`)).body.code).toBe('handover_unconfirmed');
    expect((await client.take(buyer, held, 'object')).body.state).toBe('held');
  });

  test('as sold to the buyer who has not confirmed the handover, this can be undone at once', async () => {
    await client.take(seller, held, 'handed_over');
    await change('POST', `/listings/${listingId}/sold`, { to_user_id: buyer.userId });
    expect((await change('POST', `/listings/${listingId}/relist`)).status).toBe(200);
    expect((await change('GET', `/listings/${listingId}`)).body).toMatchObject({
      status: 'published',
      is_on_hold: true,
      sold_to: null,
    });
    await settleSale();
    expect(await readStates()).toEqual(['handed_over', 'offered']);
  });

  test('as rented to the renter of a deal, that deal alone records the rental, also after the return', async () => {
    await begin(rental, { first_day: '2026-03-02', last_day: '2026-03-03' });
    await change('POST', `/listings/${listingId}/sold`, { to_user_id: buyer.userId, until: '2026-03-03' });
    await settleSale();
    await client.take(buyer, held, 'received');
    await client.take(seller, held, 'returned');
    expect((await client.get(buyer, held)).state).toBe('completed');
    const lines = await client.listLines(buyer, held);
    expect(await isAsked()).toBe(false);
    expect((await answerSale(true)).body).toMatchObject({ code: 'sale_in_deal' });
    await settleSale();
    expect(await client.listLines(buyer, held)).toEqual(lines);
  });

  test('as rented again to the renter of a deal before its return, the deal does not record the second rental', async () => {
    await begin(rental, { first_day: '2026-03-02', last_day: '2026-03-03' });
    await client.take(buyer, held, 'received');
    await client.take(buyer, held, 'returned');
    await change('POST', `/listings/${listingId}/sold`, { to_user_id: buyer.userId, until: '2026-03-20' });
    await settleSale();
    await client.take(seller, held, 'returned');
    expect((await client.get(buyer, held)).state).toBe('completed');
    expect(await isAsked()).toBe(true);
    expect((await answerSale(true)).status).toBe(200);
  });

  test('by a moderator, its deals are closed', async () => {
    await takeDownListing(testApp.app, listingId, 'Not allowed here');
    await testApp.jobs.runAll();
    expect(await readStates()).toEqual(['closed', 'closed']);
    expect(await readLastLine(buyer, held)).toBe('This deal was closed: the listing was taken down.');
  });
});

describe('promise 71: when an account is suspended or deleted', () => {
  test('the offers and holds of a suspended buyer end, and waiting offers of others stop waiting', async () => {
    await suspendByCommand(testApp.app, buyer.email);
    await testApp.jobs.runAll();
    await testApp.jobs.runAll();
    expect((await client.get(seller, held)).state).toBe('closed');
    expect(await client.get(seller, waiting)).toMatchObject({ state: 'offered', waiting: false });
    const [listing] = await testApp.sql`SELECT is_on_hold FROM listings WHERE id = ${listingId}`;
    expect(listing).toEqual({ is_on_hold: false });
  });

  test('the deals of a deleted seller end, and no longer name the seller', async () => {
    expect((await change('DELETE', '', { confirmation: 'DELETE' })).status).toBe(200);
    await testApp.jobs.runAll();
    expect(await readStates()).toEqual(['closed', 'closed']);
    expect(await client.get(buyer, held)).toMatchObject({ seller_id: null, other: null, listing_id: null });
    expect(await readLastLine(buyer, held)).toBe(
      'This deal was closed: one of the accounts is no longer active.',
    );
  });
});

describe('promise 71: a rental that is out', () => {
  beforeEach(async () => {
    await begin(rental, { first_day: '2026-03-02', last_day: '2026-03-09' });
    await client.take(buyer, held, 'received');
  });

  test('survives unpublishing and suspension, and blocks deletion of its listing and both accounts until it is back', async () => {
    expect((await change('DELETE', `/listings/${listingId}`)).body.code).toBe('rental_out');
    for (const person of [seller, buyer]) {
      const { status, body } = await change('DELETE', '', { confirmation: 'DELETE' }, person);
      expect([status, body.code]).toEqual([409, 'rental_unfinished']);
    }
    await suspendByCommand(testApp.app, buyer.email);
    await change('PATCH', `/listings/${listingId}`, { status: 'draft' });
    await testApp.jobs.runAll();
    expect((await client.get(seller, held)).state).toBe('out');
    await client.take(seller, held, 'returned');
    expect((await change('DELETE', `/listings/${listingId}`)).status).toBe(200);
  });
});

test('the category cannot change to one with another kind of deal while a deal is open', async () => {
  const form = { ...validListingForm, ...sale, id: listingId };
  const { status, body } = await submitListingForm(testApp, seller, { ...form, category: 'rentals' });
  expect([status, body.fields]).toEqual([
    400,
    { category: 'The category cannot change while somebody has an open deal about this item' },
  ]);
  expect((await submitListingForm(testApp, seller, { ...form, category: 'kitchen' })).status).toBe(200);
});

test('an offer keeps its title and price when the listing changes', async () => {
  const title = `A shelf ${randomUUID()}`;
  await submitListingForm(testApp, seller, { ...validListingForm, ...sale, id: listingId, title, price: 99 });
  expect(await client.get(other, waiting)).toMatchObject({ title: sale.title, price: 40 });
});
