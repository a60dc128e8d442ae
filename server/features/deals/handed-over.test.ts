import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import {
  requestListingChangesWithin,
  restoreListing,
  takeDownListing,
} from '#server/features/listings/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm, validListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';
import { createDealClient } from './testing.ts';

const hours = 3600;

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let other: Person;
let listingId: string;
let handedOver: Deal;
let waiting: Deal;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());

const sale = { title: 'A lamp of brass', price: 40 };
beforeEach(async () => {
  const started = await client.holdListing(sale);
  ({ seller, buyer, other, listingId, waiting } = started);
  handedOver = (await client.take(seller, started.held, 'handed_over')).body;
});

const change = (method: RequestMethod, path: string, payload?: object) =>
  sendRequest(testApp, seller, method, `/rest/v1/me/listings/${listingId}${path}`, payload);

const readListing = async () => {
  const [row] = await testApp.sql`SELECT status, slug, sold_to FROM listings WHERE id = ${listingId}`;
  return row as { status: string; slug: string; sold_to: string | null };
};
const readPageStatus = async () => {
  const { slug } = await readListing();
  return (await testApp.server.inject(`/rest/v1/listings/${slug}`)).statusCode;
};

describe('a listing that is not public when its handover is confirmed', () => {
  test('stays hidden if it was taken down, and becomes sold when it is restored', async () => {
    await takeDownListing(testApp.app, listingId, 'Not allowed here');
    testApp.clock.advance(48 * hours);
    await testApp.jobs.repeatNow('apply-deal-deadlines');
    expect((await client.get(buyer, handedOver)).state).toBe('completed');
    expect(await readListing()).toMatchObject({ status: 'draft', sold_to: buyer.userId });
    expect(await readPageStatus()).toBe(404);
    await restoreListing(testApp.app, listingId);
    expect(await readListing()).toMatchObject({ status: 'sold' });
    expect(await readPageStatus()).toBe(200);
  });

  test('stays a draft if a moderator requested changes', async () => {
    await runInTransaction(testApp.sql, (tx) =>
      requestListingChangesWithin(testApp.app, tx, listingId, 'Please show the label'),
    );
    expect((await client.take(buyer, handedOver, 'received')).body.state).toBe('completed');
    expect(await readListing()).toMatchObject({ status: 'draft', sold_to: buyer.userId });
    expect(await readPageStatus()).toBe(404);
  });
});

describe('a listing that was handed over', () => {
  test('cannot become a draft before the handover is confirmed', async () => {
    const form = { ...validListingForm, ...sale, id: listingId, status: 'draft' as const, title: '' };
    const { status, body } = await submitListingForm(testApp, seller, form);
    expect([status, body.code]).toEqual([409, 'handover_unconfirmed']);
    expect(await change('PATCH', '', { status: 'draft' })).toMatchObject({
      status: 409,
      body: { code: 'handover_unconfirmed' },
    });
    expect((await client.take(buyer, handedOver, 'received')).body.state).toBe('completed');
    expect(await readListing()).toMatchObject({ status: 'sold', sold_to: buyer.userId });
  });

  test('cannot be deleted before the handover is confirmed', async () => {
    expect(await change('DELETE', '')).toMatchObject({ status: 409, body: { code: 'handover_unconfirmed' } });
    expect(await readPageStatus()).toBe(200);
    await client.take(buyer, handedOver, 'received');
    expect((await change('DELETE', '')).status).toBe(200);
  });

  test('cannot be marked as sold to somebody else', async () => {
    await testApp.server.inject({
      method: 'POST',
      url: `/rest/v1/conversations/${waiting.conversation_id}/messages`,
      headers: other.headers,
      payload: { client_id: crypto.randomUUID(), text: 'Is it still there?' },
    });
    for (const to of [{ to_user_id: other.userId }, {}])
      expect(await change('POST', '/sold', to)).toMatchObject({
        status: 409,
        body: { code: 'handover_unconfirmed' },
      });
    expect(await readListing()).toMatchObject({ status: 'published', sold_to: null });
  });
});

describe('when the buyer objects to a handover', () => {
  const object = async () => {
    await testApp.jobs.runAll();
    expect((await client.get(buyer, handedOver)).state).toBe('handed_over');
    expect((await client.take(buyer, handedOver, 'object')).body.state).toBe('held');
    await testApp.jobs.runAll();
  };
  const readEnd = async () => (await client.listLines(buyer, handedOver)).at(-1)?.message_text;

  test('the hold is closed if the listing was taken down meanwhile', async () => {
    await takeDownListing(testApp.app, listingId, 'Not allowed here');
    await object();
    expect(await readEnd()).toBe('This deal was closed: the listing was taken down.');
    expect((await client.get(buyer, handedOver)).state).toBe('closed');
  });

  test('the hold is closed if the seller deleted the account meanwhile', async () => {
    const { status } = await sendRequest(testApp, seller, 'DELETE', '/rest/v1/me', {
      confirmation: 'DELETE',
    });
    expect(status).toBe(200);
    await object();
    expect((await client.get(buyer, handedOver)).state).toBe('closed');
  });

  test('the hold continues if the seller marked the item as sold to the buyer', async () => {
    expect((await change('POST', '/sold', { to_user_id: buyer.userId })).status).toBe(200);
    testApp.clock.advance(20);
    await object();
    expect((await client.get(buyer, handedOver)).state).toBe('held');
  });

  test('the hold continues if the listing is published', async () => {
    await object();
    expect(await client.get(buyer, handedOver)).toMatchObject({ state: 'held' });
    expect((await client.get(other, waiting)).state).toBe('offered');
  });
});

test('a deadline that cannot be applied does not block the deadlines of other deals', async () => {
  const second = await client.list(seller, { ...sale, title: 'Another lamp' });
  const { body: offer } = await client.start(buyer, second);
  const now = testApp.clock.now();
  await testApp.sql`UPDATE deals SET deadline_at = ${now} WHERE id IN (${handedOver.id}, ${offer.id})`;
  // Make the transition fail by a change to the listing that the database refuses.
  await testApp.sql`ALTER TABLE listings ADD CONSTRAINT refused CHECK (id <> ${trustedSql(`'${listingId}'`)} OR status <> 'sold')`;
  try {
    await expect(testApp.jobs.repeatNow('apply-deal-deadlines')).rejects.toThrow('refused');
    expect((await client.get(buyer, offer)).state).toBe('expired');
    expect((await client.get(buyer, handedOver)).state).toBe('handed_over');
  } finally {
    await testApp.sql`ALTER TABLE listings DROP CONSTRAINT refused`;
  }
  await testApp.jobs.repeatNow('apply-deal-deadlines');
  expect((await client.get(buyer, handedOver)).state).toBe('completed');
});
