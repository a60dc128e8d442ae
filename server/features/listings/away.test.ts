import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxAwayDays } from '#contract/away.ts';
import { toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import type { Listing, OwnListing } from '#contract/listings.ts';
import type { BusMessage } from '#contract/realtime.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let seller: Person;
let buyer: Person;
const announcements: BusMessage[] = [];
beforeAll(async () => {
  testApp = await startTestApp();
  testApp.bus.subscribe((message) => announcements.push(message));
});
beforeEach(async () => {
  [seller, buyer] = [await testApp.signIn({ fullName: 'Sam Seller' }), await testApp.signIn()];
});
afterAll(() => testApp.close());

const send = (person: Person | undefined, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const getToday = () => toCampusDay(testApp.app.config.campus, testApp.clock.now());
const leave = (days: number, person = seller) =>
  send(person, 'PUT', '/rest/v1/me/away', { until: addDays(getToday(), days) });
const comeBack = () => send(seller, 'DELETE', '/rest/v1/me/away');
const readAwayDay = async () => (await send(seller, 'GET', '/rest/v1/me')).body.away_until;
const post = async (form: ListingForm = {}): Promise<OwnListing> =>
  (await submitListingForm(testApp, seller, form)).body.listing;
const readPage = async (slug: string): Promise<Listing> =>
  (await send(undefined, 'GET', `/rest/v1/listings/${slug}`)).body;
const listTitles = async (query: string): Promise<string[]> =>
  (await send(undefined, 'GET', `/rest/v1/listings?limit=100&${query}`)).body.items.map(
    (item: Listing) => item.title,
  );

describe('the day', () => {
  test('is after today and at most 120 days ahead', async () => {
    expect((await leave(0)).body.fields).toEqual({ until: 'Choose a day after today' });
    expect((await leave(-1)).body.fields).toEqual({ until: 'Choose a day after today' });
    expect((await leave(maxAwayDays + 1)).body.fields).toEqual({
      until: 'You can be away for at most 120 days',
    });
    for (const until of ['', 'soon', '2026-02-30', null, undefined])
      expect((await send(seller, 'PUT', '/rest/v1/me/away', { until })).body.fields).toEqual({
        until: 'Choose the day when you are back',
      });
    expect(await readAwayDay()).toBeNull();
    for (const days of [1, maxAwayDays]) {
      const day = addDays(getToday(), days);
      expect(await leave(days)).toEqual({ status: 200, body: { away_until: day } });
      expect(await readAwayDay()).toBe(day);
    }
    expect(await comeBack()).toEqual({ status: 200, body: { away_until: null } });
    expect(await comeBack()).toEqual({ status: 200, body: { away_until: null } });
    expect(await readAwayDay()).toBeNull();
  });
});

describe('promise 91: the listings of a person who is away', () => {
  test('are in no list, and their pages say until when', async () => {
    const { slug, title } = await post({ title: 'Vermilion reading chair' });
    const neighbor = await submitListingForm(testApp, buyer, { title: 'A neighbor of the chair' });
    const places = [
      '/rest/v1/listings?limit=100',
      '/rest/v1/listings?category=furniture&limit=100',
      '/rest/v1/listings?q=vermilion',
      `/rest/v1/listings?seller=${seller.userId}`,
      '/rest/v1/listings/similar-matches?q=vermilions',
      '/rest/v1/listings/suggestions?q=vermil',
      `/rest/v1/listings/${neighbor.body.listing.slug}/similar`,
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
    expect(await readPage(slug)).toMatchObject({ unavailable: null });

    await leave(9);
    expect(await findPlaces()).toEqual([]);
    expect(await readPage(slug)).toMatchObject({
      status: 'published',
      unavailable: 'away',
      away_until: addDays(getToday(), 9),
      contact_email: 'seller@usc.edu',
    });

    await comeBack();
    expect(await findPlaces()).toEqual(places);
    expect(await readPage(slug)).toMatchObject({ unavailable: null, away_until: null });
  });

  test('are in lists again on the day of return, without a job', async () => {
    const { slug, title } = await post({ title: 'Ochre bicycle basket' });
    await leave(3);
    await testApp.sql`UPDATE users SET away_until = away_until - 2 WHERE id = ${seller.userId}`;
    await testApp.sql`UPDATE listings SET away_until = away_until - 2 WHERE user_id = ${seller.userId}`;
    expect(await listTitles('q=ochre')).toEqual([]);
    await testApp.sql`UPDATE users SET away_until = away_until - 1 WHERE id = ${seller.userId}`;
    await testApp.sql`UPDATE listings SET away_until = away_until - 1 WHERE user_id = ${seller.userId}`;
    expect(await listTitles('q=ochre')).toEqual([title]);
    expect(await readPage(slug)).toMatchObject({ unavailable: null, away_until: null });
    expect(await readAwayDay()).toBeNull();
  });

  test('include those that are posted, published or copied meanwhile', async () => {
    const draft = await post({ title: 'Umber desk organizer', status: 'draft' });
    await leave(9);
    await post({ title: 'Umber standing lamp' });
    await send(seller, 'PATCH', `/rest/v1/me/listings/${draft.id}`, { status: 'published' });
    expect(await listTitles('q=umber')).toEqual([]);
    await comeBack();
    expect(await listTitles('q=umber')).toHaveLength(2);
  });

  test('do not concern other people', async () => {
    await submitListingForm(testApp, buyer, { title: 'Sepia picture frame' });
    await leave(9);
    expect(await listTitles('q=sepia')).toEqual(['Sepia picture frame']);
  });

  test('take their cached pages with them, in every process', async () => {
    announcements.length = 0;
    await leave(9);
    await leave(9);
    expect(announcements).toEqual([
      expect.objectContaining({ kind: 'pages_changed', user_ids: [seller.userId] }),
    ]);
  });
});

describe('conversations', () => {
  const writeAbout = async ({ id }: OwnListing, text = 'Is it still there?') => {
    const client = createConversationClient(testApp);
    const { body } = await client.open(buyer, id);
    const sent = await client.send(buyer, body.id, text);
    return {
      status: sent.status,
      read: async (person = buyer) => (await client.ask(person, 'GET', client.at(body.id))).body,
    };
  };

  test('go on, and show the buyer until when the seller is away', async () => {
    const listing = await post();
    await leave(9);
    const { status, read } = await writeAbout(listing);
    expect(status).toBeLessThan(300);
    expect(await read()).toMatchObject({
      listing: { available: true, unavailable: 'away', away_until: addDays(getToday(), 9) },
      may_write: true,
    });
    await comeBack();
    expect(await read()).toMatchObject({ listing: { unavailable: null, away_until: null } });
  });

  test('do not show that a buyer is away', async () => {
    const { read } = await writeAbout(await post());
    await leave(9, buyer);
    expect(await read(seller)).toMatchObject({ listing: { unavailable: null, away_until: null } });
  });

  test('are announced to buyers who have them open', async () => {
    const { read } = await writeAbout(await post());
    announcements.length = 0;
    await leave(9);
    const { id } = await read();
    expect(announcements).toContainEqual({ kind: 'read', conversation_id: id, user_id: buyer.userId });
  });
});

describe('deals', () => {
  const startDeal = (listingId: string) =>
    send(buyer, 'POST', '/rest/v1/deals', {
      listing_id: listingId,
      client_id: crypto.randomUUID(),
      price: 80,
    });

  test('cannot be started with a seller who is away', async () => {
    const { id } = await post();
    await leave(9);
    expect(await startDeal(id)).toMatchObject({
      status: 409,
      body: { code: 'seller_away', error: 'The seller is away until March 11. You can send a message.' },
    });
    await comeBack();
    expect((await startDeal(id)).status).toBe(200);
  });

  test('that were started before stay as they are', async () => {
    const { id } = await post();
    const { body: deal } = await startDeal(id);
    await leave(9);
    await testApp.jobs.runAll();
    expect((await send(buyer, 'GET', `/rest/v1/deals/${deal.id}`)).body).toMatchObject({ state: 'offered' });
    const accepted = await send(seller, 'POST', `/rest/v1/deals/${deal.id}/transitions`, {
      transition: 'accept',
      client_id: crypto.randomUUID(),
    });
    expect(accepted.body).toMatchObject({ state: 'held' });
  });
});

describe('response times', () => {
  const readResponseTime = async () =>
    (await send(undefined, 'GET', `/rest/v1/users/${seller.userId}`)).body.response_time;
  /** Inserts a conversation whose first message came some hours ago, and was answered after some hours or never. */
  const insertConversation = async (hoursAgo: number, repliedAfterHours?: number): Promise<void> => {
    const [listing, { userId }] = [await post(), await testApp.signIn()];
    const at = new Date(testApp.clock.now().getTime() - hoursAgo * 3_600_000);
    const [row] = await testApp.sql<{ id: string }[]>`
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      VALUES (${listing.id}, 'Desk', ${userId}, ${seller.userId}, ${at}, ${at}, 2) RETURNING id`;
    const insert = (seq: number, sender: string, time: Date) => testApp.sql`
      INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
      VALUES (${row?.id ?? ''}, ${seq}, ${sender}, gen_random_uuid(), 'Hello', ${time})`;
    await insert(1, userId, at);
    if (repliedAfterHours !== undefined)
      await insert(2, seller.userId, new Date(at.getTime() + repliedAfterHours * 3_600_000));
  };
  const insertAwayPeriod = (fromHoursAgo: number, toHoursAgo: number) => testApp.sql`
    INSERT INTO away_periods (user_id, began_at, ends_at)
    SELECT ${seller.userId}, now - make_interval(hours => ${fromHoursAgo}), now - make_interval(hours => ${toHoursAgo})
    FROM (SELECT ${testApp.clock.now()}::timestamptz AS now) AS t`;

  test('leave out first messages that came while the seller was away', async () => {
    for (let index = 0; index < 5; index += 1) await insertConversation(500, 0.5);
    for (let index = 0; index < 8; index += 1) await insertConversation(200);
    expect(await readResponseTime()).toBeNull();
    await insertAwayPeriod(240, 150);
    expect(await readResponseTime()).toBe('hour');
  });

  test('leave out what came on the day before, unless it was answered, but nothing earlier', async () => {
    for (let index = 0; index < 5; index += 1) await insertConversation(210, 0.5);
    for (let index = 0; index < 8; index += 1) await insertConversation(210);
    await insertAwayPeriod(200, 150);
    expect(await readResponseTime()).toBe('hour');
    await testApp.sql`UPDATE away_periods SET began_at = began_at + interval '30 hours' WHERE user_id = ${seller.userId}`;
    expect(await readResponseTime()).toBeNull();
  });

  test('count again from an early return, and a longer absence is one period', async () => {
    const listPeriods = () =>
      testApp.sql`SELECT began_at, ends_at FROM away_periods WHERE user_id = ${seller.userId} ORDER BY began_at`;
    const began_at = testApp.clock.now();
    await leave(2);
    testApp.clock.advance(60);
    await leave(5);
    expect(await listPeriods()).toEqual([{ began_at, ends_at: new Date('2026-03-07T08:00:00Z') }]);
    testApp.clock.advance(60);
    await comeBack();
    expect(await listPeriods()).toEqual([{ began_at, ends_at: testApp.clock.now() }]);
    await leave(2);
    expect(await listPeriods()).toHaveLength(2);
  });
});
