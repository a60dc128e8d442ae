import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Conversation } from '#contract/conversations.ts';
import { getOwnListingTab, type OwnListingPage } from '#contract/listing-queries.ts';
import type { Listing, OwnListing } from '#contract/listings.ts';
import type { BusMessage } from '#contract/realtime.ts';
import { findLastRentedDay, saleUndoWindowSeconds, soldListingPageDays } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import { dealSettlingQueue } from '#server/features/deals/settling-queue.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';
import {
  hideListingsOf,
  requestListingChangesWithin,
  restoreListing,
  showListingsOf,
  takeDownListing,
} from './moderation.ts';

let testApp: TestApp;
let seller: Person;
let buyer: Person;
let stranger: Person;
/** Its changes of pages are not announced. */
let silentApp: App;
const announcements: BusMessage[] = [];
beforeAll(async () => {
  const bus = createInProcessBus();
  bus.subscribe((announcement) => announcements.push(announcement));
  testApp = await startTestApp({ replace: { bus } });
  silentApp = { ...testApp.app, bus: createInProcessBus() };
  seller = await testApp.signIn({ fullName: 'Sam Seller' });
  buyer = await testApp.signIn({ fullName: 'Bea Buyer' });
  stranger = await testApp.signIn({ fullName: 'Stella Stranger' });
});
afterAll(() => testApp.close());

/** Returns the campus day, as YYYY-MM-DD, the given number of days from today. */
const toDay = (days: number): string =>
  new Date(testApp.clock.now().getTime() + days * dayInSeconds * 1000).toISOString().slice(0, 10);

/** Makes a sale older, because advancing the clock would end the sessions. */
const ageSale = (id: string, seconds: number) => testApp.sql`
  UPDATE listings SET sold_at = sold_at - make_interval(secs => ${seconds}), rented_until = rented_until - ${Math.floor(seconds / dayInSeconds)}::int
  WHERE id = ${id}`;

const send = (person: Person | undefined, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);

const post = async (form: ListingForm = {}, person = seller): Promise<OwnListing> =>
  (await submitListingForm(testApp, person, { title: `Brass lamp ${randomUUID()}`, ...form })).body.listing;
const rentalForm = { category: 'rentals', price: 30, rentalPeriod: 'week' };
const freeForm = { category: 'free', price: 0 };

const markSold = (id: string, body: object = {}, person = seller) =>
  send(person, 'POST', `/rest/v1/me/listings/${id}/sold`, body);
const relist = (id: string) => send(seller, 'POST', `/rest/v1/me/listings/${id}/relist`);
const answerSale = (id: string, confirmed: boolean, person = buyer) =>
  send(person, 'POST', `/rest/v1/listings/${id}/sale-answer`, { confirmed });
const readPage = async (slug: string): Promise<{ status: number; body: Listing }> =>
  send(undefined, 'GET', `/rest/v1/listings/${slug}`);
const readOwn = async (id: string): Promise<OwnListing> =>
  (await send(seller, 'GET', `/rest/v1/me/listings/${id}`)).body;

/** Writes about a listing. Returns a function that reads the conversation as one of its parties. */
const writeAbout = async (listing: OwnListing, person = buyer) => {
  const client = createConversationClient(testApp);
  const { body } = await client.open(person, listing.id);
  await client.send(person, body.id, 'Is it still there?');
  return async (reader = person): Promise<Conversation> =>
    (await client.ask(reader, 'GET', client.at(body.id))).body;
};

describe('a sold listing', () => {
  test('disappears from lists, searches, suggestions and similar items, and accepts no new conversation', async () => {
    const { id, title } = await post({ title: 'Cobalt teapot of stoneware' });
    const neighbor = await post({ title: 'Another thing of this category' });
    const places = [
      '/rest/v1/listings?limit=100',
      '/rest/v1/listings?category=furniture&limit=100',
      '/rest/v1/listings?q=cobalt%20teapot',
      '/rest/v1/listings/similar-matches?q=teapots',
      '/rest/v1/listings/suggestions?q=cobalt',
      `/rest/v1/listings/${neighbor.slug}/similar`,
    ];
    const findPlaces = async () => {
      const found = await Promise.all(
        places.map(async (url) =>
          JSON.stringify((await send(undefined, 'GET', url)).body).includes(title ?? ''),
        ),
      );
      return places.filter((_, index) => found[index]);
    };
    expect(await findPlaces()).toEqual(places);
    expect((await markSold(id)).body).toMatchObject({
      status: 'sold',
      sold_to: null,
      sold_at: expect.any(String),
    });
    expect(await findPlaces()).toEqual([]);
    expect(await send(stranger, 'POST', '/rest/v1/conversations', { listing_id: id })).toMatchObject({
      status: 404,
    });
    expect((await relist(id)).body).toMatchObject({ status: 'published', sold_at: null });
    expect(await findPlaces()).toEqual(places);
  });

  test('has a page without contact details for 90 days', async () => {
    const { id, slug } = await post({ contactPhone: '(213) 555-0100' });
    expect((await readPage(slug)).body).toMatchObject({
      status: 'published',
      contact_email: 'seller@usc.edu',
    });
    await markSold(id);
    expect(await readPage(slug)).toMatchObject({
      status: 200,
      body: { status: 'sold', contact_email: null, contact_phone: null },
    });
    await ageSale(id, soldListingPageDays * dayInSeconds - 1);
    expect((await readPage(slug)).status).toBe(200);
    expect((await send(undefined, 'GET', `/rest/v1/listings/${slug}/similar`)).status).toBe(200);
    await ageSale(id, 1);
    expect((await readPage(slug)).status).toBe(404);
    expect((await send(undefined, 'GET', `/rest/v1/listings/${slug}/similar`)).status).toBe(404);
    expect(await readOwn(id)).toMatchObject({ status: 'sold', contact_phone: '(213) 555-0100' });
  });

  test('cannot be edited, made a draft or published, but can be deleted and restored', async () => {
    const { id, slug } = await post();
    await markSold(id);
    expect((await submitListingForm(testApp, seller, { id })).body).toMatchObject({ code: 'listing_sold' });
    for (const status of ['draft', 'published'])
      expect(await send(seller, 'PATCH', `/rest/v1/me/listings/${id}`, { status })).toMatchObject({
        status: 409,
      });
    await send(seller, 'DELETE', `/rest/v1/me/listings/${id}`);
    expect((await readPage(slug)).status).toBe(404);
    await send(seller, 'POST', `/rest/v1/me/listings/${id}/restore`);
    expect((await readPage(slug)).body).toMatchObject({ status: 'sold' });
  });

  test('is hidden while it is taken down or its owner is suspended, and is still sold afterwards', async () => {
    const { id, slug } = await post();
    await markSold(id);
    for (const [hide, show] of [
      [() => takeDownListing(silentApp, id, 'Prohibited'), () => restoreListing(silentApp, id)],
      [
        () => hideListingsOf(silentApp, testApp.sql, seller.userId),
        () => showListingsOf(testApp.sql, seller.userId),
      ],
    ] as const) {
      await hide();
      expect((await readPage(slug)).status).toBe(404);
      await show();
      expect((await readPage(slug)).body).toMatchObject({ status: 'sold' });
    }
  });

  test('is shown in its conversations as sold, given away or rented, with a link to its page', async () => {
    for (const [form, outcome] of [
      [{}, 'sold'],
      [freeForm, 'given_away'],
      [rentalForm, 'rented'],
    ] as const) {
      const listing = await post(form);
      const readConversation = await writeAbout(listing);
      expect((await readConversation()).listing).toMatchObject({ available: true, outcome: null });
      await markSold(listing.id);
      expect((await readConversation()).listing).toMatchObject({
        available: false,
        outcome,
        is_sale_asked: false,
        slug: listing.slug,
      });
    }
  });

  test('keeps its latest title in its conversations when its page expires or it is taken down or deleted', async () => {
    const listing = await post({ title: 'Brass lamp, slightly bent' });
    const readConversation = await writeAbout(listing);
    const title = `Straightened brass lamp ${randomUUID()}`;
    await submitListingForm(testApp, seller, { id: listing.id, title });
    await markSold(listing.id);
    await ageSale(listing.id, (soldListingPageDays + 1) * dayInSeconds);
    expect((await readConversation()).listing).toMatchObject({ title, slug: null });
    await takeDownListing(silentApp, listing.id, 'Prohibited');
    expect((await readConversation()).listing).toMatchObject({ title, slug: null });
    await restoreListing(silentApp, listing.id);
    await send(seller, 'DELETE', `/rest/v1/me/listings/${listing.id}`);
    expect((await readConversation()).listing).toMatchObject({ title, slug: null });
  });
});

describe('marking as sold', () => {
  test('changes nothing about a draft or a listing of somebody else', async () => {
    const draft = await post({ status: 'draft' });
    expect((await markSold(draft.id)).body).toMatchObject({ code: 'listing_not_published' });
    expect(await relist(draft.id)).toMatchObject({ status: 200, body: { status: 'draft' } });
    const listing = await post();
    expect((await markSold(listing.id, {}, stranger)).body).toMatchObject({ code: 'listing_not_found' });
    expect(await readOwn(listing.id)).toMatchObject({ status: 'published' });
  });

  test('offers the people who wrote about the listing as buyers, and accepts nobody else', async () => {
    const listing = await post();
    await writeAbout(listing);
    const client = createConversationClient(testApp);
    await client.open(stranger, listing.id);
    const people = await send(seller, 'GET', `/rest/v1/me/listings/${listing.id}/people`);
    expect(people.body.items).toMatchObject([{ id: buyer.userId, name: 'Bea Buyer' }]);
    for (const to_user_id of [stranger.userId, seller.userId, randomUUID()])
      expect(await markSold(listing.id, { to_user_id })).toMatchObject({
        status: 400,
        body: { fields: { to_user_id: 'Choose somebody who wrote about this listing' } },
      });
  });

  test('asks the chosen buyer to confirm the sale, which is final once confirmed', async () => {
    const listing = await post();
    const readConversation = await writeAbout(listing);
    expect((await markSold(listing.id, { to_user_id: buyer.userId })).body).toMatchObject({
      sold_to: buyer.userId,
      sold_to_name: 'Bea Buyer',
      sale_confirmed_at: null,
    });
    expect((await readConversation()).listing.is_sale_asked).toBe(true);
    expect((await readConversation(seller)).listing.is_sale_asked).toBe(false);
    expect(await answerSale(listing.id, true, stranger)).toMatchObject({ status: 404 });
    for (const _ of [1, 2]) expect(await answerSale(listing.id, true)).toMatchObject({ status: 200 });
    expect(await readOwn(listing.id)).toMatchObject({ sale_confirmed_at: expect.any(String) });
    expect((await readConversation()).listing.is_sale_asked).toBe(false);
    for (const refused of [
      await relist(listing.id),
      await markSold(listing.id),
      await answerSale(listing.id, false),
    ])
      expect(refused).toMatchObject({ status: 409, body: { code: 'sale_confirmed' } });
  });

  test('asks the chosen buyer at once, and withdraws the question at once when the listing is relisted', async () => {
    const listing = await post();
    const readConversation = await writeAbout(listing);
    const { id } = await readConversation();
    const collectChanges = async (work: () => Promise<unknown>) => {
      announcements.length = 0;
      await work();
      return announcements.filter(({ kind }) => kind === 'read');
    };
    const changes = [{ kind: 'read', conversation_id: id, user_id: buyer.userId }];
    const to = { to_user_id: buyer.userId };
    expect(await collectChanges(() => markSold(listing.id, to))).toEqual(changes);
    expect(await collectChanges(() => relist(listing.id))).toEqual(changes);
    await markSold(listing.id, to);
    expect(await collectChanges(() => markSold(listing.id))).toEqual(changes);
    expect(await collectChanges(() => relist(listing.id))).toEqual([]);
  });

  describe('once the sale can no longer be undone', () => {
    const settleSale = async (id: string, ageSeconds = saleUndoWindowSeconds + 1) => {
      await ageSale(id, ageSeconds);
      await testApp.jobs.runAll();
    };
    let named: Person;
    beforeAll(async () => {
      named = await testApp.signIn();
    });
    const sell = async (form: ListingForm = {}) => {
      const listing = await post(form);
      const readConversation = await writeAbout(listing, named);
      await markSold(listing.id, { to_user_id: named.userId });
      return { listing, readConversation };
    };

    test.each([
      [{}, 'sold'],
      [freeForm, 'given'],
      [rentalForm, 'rented'],
    ])('an event line asks the buyer to confirm the sale of a listing with %o', async (form, verb) => {
      const { listing, readConversation } = await sell(form);
      await testApp.jobs.enqueue(testApp.sql, dealSettlingQueue, { listing_id: listing.id });
      await settleSale(listing.id);
      expect(await readConversation()).toMatchObject({
        unread_count: 1,
        last_message: {
          seq: 2,
          kind: 'deal',
          // Scripts of version 0.5 read the list of changes of every line that has no transition.
          data: { listing_changes: [] },
          message_text: `The seller marked this as ${verb} to the buyer, who can confirm it within 14 days.`,
        },
      });
      // The seller has not read the buyer's message.
      expect((await readConversation(seller)).unread_count).toBe(1);
    });

    test('an event line asks the buyer once, even if the queued job was lost or ran too early', async () => {
      const { listing, readConversation } = await sell();
      const repeatLater = async (seconds: number) => {
        testApp.clock.advance(seconds);
        for (const _ of [1, 2]) await testApp.jobs.repeatNow('settle-missed-deals');
        return (await readConversation()).last_message;
      };
      expect(await repeatLater(saleUndoWindowSeconds)).toMatchObject({ seq: 1 });
      expect(await repeatLater(61)).toMatchObject({ seq: 2, data: { sale_outcome: 'sold' } });
      await relist(listing.id);
      await markSold(listing.id, { to_user_id: named.userId });
      expect(await repeatLater(saleUndoWindowSeconds + 61)).toMatchObject({ seq: 3 });
    });

    test.each<[string, (listing: OwnListing) => Promise<unknown>]>([
      ['undone', ({ id }) => relist(id)],
      ['sold to somebody else', ({ id }) => markSold(id)],
      ['denied by the buyer', ({ id }) => answerSale(id, false, named)],
      ['sold so recently that this can be undone', ({ id }) => ageSale(id, -saleUndoWindowSeconds)],
      ['deleted', ({ id }) => send(seller, 'DELETE', `/rest/v1/me/listings/${id}`)],
      [
        'of a seller whom the buyer has blocked',
        () => {
          const url = `/rest/v1/me/blocks/${seller.userId}`;
          onTestFinished(async () => void (await send(named, 'DELETE', url)));
          return send(named, 'PUT', url);
        },
      ],
    ])('nobody is asked about a listing that was %s', async (_, change) => {
      const { listing, readConversation } = await sell();
      await change(listing);
      await settleSale(listing.id);
      expect(await readConversation()).toMatchObject({ last_message: { seq: 1 } });
    });
  });

  test('a denial, or no answer within 14 days, leaves the listing sold without a confirmed buyer', async () => {
    const [denied, ignored] = [await post(), await post()];
    const readConversation = await writeAbout(ignored);
    await writeAbout(denied);
    for (const { id } of [denied, ignored]) await markSold(id, { to_user_id: buyer.userId });
    expect((await answerSale(denied.id, false)).status).toBe(200);
    expect(await readOwn(denied.id)).toMatchObject({ status: 'sold', sold_to: null });
    expect((await answerSale(denied.id, true)).status).toBe(404);
    await ageSale(ignored.id, 14 * dayInSeconds);
    expect((await answerSale(ignored.id, true)).body).toMatchObject({ code: 'sale_answer_late' });
    expect((await readConversation()).listing).toMatchObject({ outcome: 'sold', is_sale_asked: false });
    expect((await relist(ignored.id)).body).toMatchObject({ status: 'published', sold_to: null });
  });

  test('a listing rented until a given day stays published and is available again afterwards', async () => {
    const { id, slug } = await post(rentalForm);
    const isListed = async (query: string) =>
      JSON.stringify(
        (await send(undefined, 'GET', `/rest/v1/listings?category=rentals&limit=100${query}`)).body,
      ).includes(id);
    for (const [until, message] of [
      [toDay(-1), 'The last day must be today or later'],
      [toDay(400), 'The last day can be at most 365 days ahead'],
      ['0000-01-01', 'Choose the last day of the rental'],
    ])
      expect((await markSold(id, { until })).body.fields).toEqual({ until: message });
    expect((await markSold((await post()).id, { until: toDay(2) })).body.fields).toEqual({
      until: 'Only rentals come back',
    });
    expect((await markSold(id, { until: toDay(2) })).body).toMatchObject({
      status: 'published',
      rented_until: toDay(2),
    });
    expect((await readPage(slug)).body).toMatchObject({ status: 'published', rented_until: toDay(2) });
    expect([await isListed(''), await isListed('&available=true')]).toEqual([true, false]);
    await ageSale(id, 3 * dayInSeconds);
    expect(await isListed('&available=true')).toBe(true);
    expect((await relist(id)).body).toMatchObject({ rented_until: null, sold_at: null });
  });

  test('moving a rented listing to another category ends the rental', async () => {
    const { id, title } = await post(rentalForm);
    const until = testApp.clock.now().toISOString().slice(0, 10);
    await writeAbout(await readOwn(id));
    expect((await markSold(id, { until, to_user_id: buyer.userId })).body.rented_until).toBe(until);
    await submitListingForm(testApp, seller, { id, title, ...rentalForm });
    expect(await readOwn(id)).toMatchObject({ rented_until: until });
    await submitListingForm(testApp, seller, { id, title });
    expect(await readOwn(id)).toMatchObject({
      ...{ category: 'furniture', status: 'published', rented_until: null, sold_at: null, sold_to: null },
    });
    expect((await answerSale(id, true)).status).toBe(404);
  });
});

test('a listing rented by a deal counts as rented from handover to return, even when overdue', async () => {
  const client = createDealClient(testApp);
  const { id, slug } = await post({ ...rentalForm, rentalPeriod: 'day' });
  const readState = async () => {
    const { body } = await send(
      undefined,
      'GET',
      '/rest/v1/listings?category=rentals&limit=100&available=true',
    );
    const today = toDay(0);
    const [listing, own] = [(await readPage(slug)).body, await readOwn(id)];
    const { counts }: OwnListingPage = (await send(seller, 'GET', '/rest/v1/me/listings?limit=1')).body;
    return {
      lastDay: findLastRentedDay(listing, today),
      tab: getOwnListingTab(own, today),
      isListed: JSON.stringify(body).includes(id),
      rented: counts.rented,
    };
  };
  const { rented } = await readState();
  const free = { lastDay: undefined, tab: 'active', isListed: true, rented };
  const { body: offer } = await client.start(buyer, id, { first_day: toDay(1), last_day: toDay(3) });
  const { body: held } = await client.take(seller, offer, 'accept');
  expect((await readPage(slug)).body.rental).toEqual({
    first_day: toDay(1),
    last_day: toDay(3),
    is_out: false,
  });
  expect(await readState()).toEqual(free);
  const { body: out } = await client.take(buyer, held, 'received');
  const taken = { lastDay: toDay(3), tab: 'rented', isListed: false, rented: rented + 1 };
  expect(await readState()).toEqual(taken);
  await testApp.sql`UPDATE deals SET first_day = ${toDay(-5)}, last_day = ${toDay(-2)} WHERE id = ${out.id}`;
  expect(await readState()).toEqual({ ...taken, lastDay: undefined });
  await client.take(seller, out, 'returned');
  expect(await readState()).toEqual(free);
});

test('a rental names the renter who has the item, not an earlier one who never came', async () => {
  const { id, slug } = await post(rentalForm);
  const client = createDealClient(testApp);
  const [absent, renter] = [await testApp.signIn(), await testApp.signIn()];
  const hold = async (person: Person, days: { first_day: string; last_day: string }) =>
    (await client.take(seller, (await client.start(person, id, days)).body, 'accept')).body;
  const missed = await hold(absent, { first_day: toDay(0), last_day: toDay(0) });
  const held = await hold(renter, { first_day: toDay(1), last_day: toDay(3) });
  await testApp.sql`UPDATE deals SET first_day = ${toDay(-1)}, last_day = ${toDay(-1)} WHERE id = ${missed.id}`;
  await client.take(renter, held, 'received');
  const rental = { first_day: toDay(1), last_day: toDay(3), is_out: true };
  expect((await readPage(slug)).body.rental).toEqual(rental);
  expect((await send(seller, 'GET', `/rest/v1/me/listings/${id}`)).body.rental).toEqual(rental);
});

test('the count of each tab matches the number of listings in it', async () => {
  const person = await testApp.signIn();
  const [sold, free, rented, away, held] = await Promise.all(
    [{}, freeForm, rentalForm, rentalForm, {}].map((form) => post(form, person)),
  );
  await post({ status: 'draft' }, person);
  await post({}, person);
  const today = testApp.clock.now().toISOString().slice(0, 10);
  for (const listing of [sold, free, rented]) await markSold(listing?.id ?? '', {}, person);
  await markSold(away?.id ?? '', { until: today }, person);
  await testApp.sql`UPDATE listings SET is_on_hold = true WHERE id = ${held?.id ?? ''}`;
  const { items, counts }: OwnListingPage = (await send(person, 'GET', '/rest/v1/me/listings')).body;
  expect(counts).toEqual({ active: 1, on_hold: 1, sold: 2, rented: 2, drafts: 1 });
  for (const [tab, count] of Object.entries(counts))
    expect(items.filter((item) => getOwnListingTab(item, today) === tab)).toHaveLength(count);
});

describe('a sold listing that a moderator sent back for changes', () => {
  // Listings are held for review only if there is a moderator.
  beforeAll(() => signInToConsole(testApp, 'moderator'));
  const sendBack = async (id: string) => {
    await runInTransaction(testApp.sql, (tx) =>
      requestListingChangesWithin(silentApp, tx, id, 'Please show the real item'),
    );
    expect((await readOwn(id)).status).toBe('draft');
  };
  const publish = (id: string) =>
    send(seller, 'PATCH', `/rest/v1/me/listings/${id}`, { status: 'published' });
  const heldTitle = 'A bottle of vodka from a party';
  const submit = (form: ListingForm) => submitListingForm(testApp, seller, form);

  test('stays sold when its buyer has confirmed the sale', async () => {
    const listing = await post();
    await writeAbout(listing);
    await markSold(listing.id, { to_user_id: buyer.userId });
    await sendBack(listing.id);
    expect((await answerSale(listing.id, true)).status).toBe(200);
    expect((await publish(listing.id)).body.code).toBe('sale_confirmed');
    for (const title of [listing.title, heldTitle])
      expect((await submit({ id: listing.id, title })).status).toBe(409);
  });

  test('is for sale again once it is published', async () => {
    const { id } = await post();
    await markSold(id);
    await sendBack(id);
    expect((await publish(id)).body).toMatchObject({ status: 'published', sold_at: null, sold_to: null });
  });

  test('is no longer sold once an edit or its publication is held for review', async () => {
    for (const holdForReview of [
      (id: string) => submit({ id, title: heldTitle }),
      async (id: string) => {
        await submit({ id, title: heldTitle, status: 'draft' });
        await publish(id);
      },
    ]) {
      const listing = await post();
      await writeAbout(listing);
      await markSold(listing.id, { to_user_id: buyer.userId });
      await sendBack(listing.id);
      await holdForReview(listing.id);
      expect(await readOwn(listing.id)).toMatchObject({ status: 'in_review', sold_at: null, sold_to: null });
      expect((await answerSale(listing.id, true)).status).toBe(404);
    }
  });
});

describe('how a listing is sold', () => {
  test('has defaults, and ignores options that do not apply to the category', async () => {
    const choice = { holdHours: 24, isPriceFirm: true, rentalPeriod: 'day', giftMode: 'draw', drawHours: 3 };
    expect(await post()).toMatchObject({
      hold_hours: 48,
      is_price_firm: false,
      rental_period: 'flexible',
      gift_mode: 'first_come',
      draw_closes_at: null,
    });
    const none = {
      is_price_firm: false,
      rental_period: 'flexible',
      gift_mode: 'first_come',
      draw_closes_at: null,
    };
    expect(await post(choice)).toMatchObject({ ...none, hold_hours: 24, is_price_firm: true });
    expect(await post({ ...rentalForm, ...choice })).toMatchObject({ ...none, rental_period: 'day' });
    const closing = new Date(testApp.clock.now().getTime() + 3 * 3600 * 1000).toISOString();
    const gift = await post({ ...freeForm, ...choice });
    expect(gift).toMatchObject({ ...none, gift_mode: 'draw', draw_closes_at: closing });
    expect((await readPage(gift.slug)).body).toMatchObject({ gift_mode: 'draw', draw_closes_at: closing });
    testApp.clock.advance(60);
    const edited = await post({ ...freeForm, ...choice, id: gift.id, location: 'Elsewhere' });
    expect(edited.draw_closes_at).toBe(closing);
    const shortened = await post({ ...freeForm, ...choice, drawHours: 1, id: gift.id });
    expect(shortened.draw_closes_at).toBe(
      new Date(testApp.clock.now().getTime() + 3600 * 1000).toISOString(),
    );
  });

  test.each([
    [{ holdHours: 36 }, 'holdHours', 'Please choose 24 or 48 hours'],
    [{ rentalPeriod: 'year' }, 'rentalPeriod', 'Please select a rental period'],
    [{ giftMode: 'auction' }, 'giftMode', 'Please choose how somebody gets the item'],
    [{ drawHours: 49 }, 'drawHours', 'A draw can close 1 to 48 hours after it is posted'],
    [{ drawHours: 0 }, 'drawHours', 'A draw can close 1 to 48 hours after it is posted'],
    [{ isPriceFirm: 'yes' }, 'isPriceFirm', 'Please say whether the price is firm'],
  ])('%o is refused', async (choice, field, message) => {
    const { status, body } = await submitListingForm(testApp, seller, choice as ListingForm);
    expect([status, body.fields]).toEqual([400, { [field]: message }]);
  });
});
