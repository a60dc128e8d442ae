import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { formatDay } from '#contract/deal-event-lines.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';

const tickets = {
  title: 'Two tickets for the derby',
  category: 'game-day',
  gameDate: '2026-03-14',
  price: 50,
  faceValue: 50,
};
const tooHigh = { fields: { price: 'At most $50: tickets are resold at face value here' } };
const noFaceValue = {
  fields: { faceValue: 'Enter the face value: it limits the price of tickets here' },
};

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_TICKET_PRICE_CAP: 'face' } });
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  testApp.app.config.campus.ticketPriceCap = 100;
  seller = await testApp.signIn();
});

const save = (form: ListingForm) => submitListingForm(testApp, seller, { ...tickets, ...form });
const post = async (form: ListingForm = {}): Promise<string> => {
  const { status, body } = await save(form);
  expect([status, body]).toEqual([200, body]);
  return body.listing.id;
};
const change = (id: string, path: string, payload: object) =>
  client.request(seller, 'POST', `/rest/v1/me/listings/${id}/${path}`, payload);
const publish = (id: string) =>
  client.request(seller, 'PATCH', `/rest/v1/me/listings/${id}`, { status: 'published' });
const setPrice = (id: string, price: number) =>
  client.request(seller, 'PUT', `/rest/v1/me/listings/${id}/price`, { price });
const readPrice = async (id: string) =>
  (await testApp.sql`SELECT price, status, face_value FROM listings WHERE id = ${id}`)[0];

describe('promise 117: no call publishes tickets at a price above the cap', () => {
  /** Stores tickets with a price above the cap, as when there was none yet. */
  const postBeforeCap = async (form: ListingForm = {}): Promise<string> => {
    testApp.app.config.campus.ticketPriceCap = undefined;
    const id = await post({ price: 80, ...form });
    testApp.app.config.campus.ticketPriceCap = 100;
    return id;
  };

  test('posting and editing', async () => {
    expect(await save({ price: 50.01 })).toMatchObject({ status: 400, body: tooHigh });
    const id = await post();
    expect(await save({ id, price: 50.01 })).toMatchObject({ status: 400, body: tooHigh });
    expect(await save({ id, faceValue: 49 })).toMatchObject({
      status: 400,
      body: { fields: { price: 'At most $49: tickets are resold at face value here' } },
    });
    expect(await readPrice(id)).toEqual({ price: 50, status: 'published', face_value: 50 });
  });

  test('posting without a face value, also with the form of an earlier version', async () => {
    expect(await save({ faceValue: '' })).toMatchObject({ status: 400, body: noFaceValue });
    expect(await save({ faceValue: undefined })).toMatchObject({ status: 400, body: noFaceValue });
    expect(await save({ title: 'Section 12, two seats', faceValue: null, ticketCount: 2 })).toMatchObject({
      status: 400,
      body: noFaceValue,
    });
    const seats = { title: 'Derby against the Bears', section: '112', seatRow: 'B', seats: '7-8' };
    expect(await save({ ...seats, faceValue: null, price: 900 })).toMatchObject({
      status: 400,
      body: noFaceValue,
    });
    // The earlier form does not know the face value that is stored already.
    const id = await post({ title: 'Section 12, two seats' });
    expect(await save({ id, title: 'Section 12, two seats', faceValue: undefined, price: 60 })).toMatchObject(
      {
        status: 400,
        body: tooHigh,
      },
    );
    await post({ id, title: 'Section 12, two seats', faceValue: undefined, price: 45 });
    expect(await readPrice(id)).toMatchObject({ price: 45, face_value: 50 });
  });

  test('publishing a draft, a copy, a paused or a sold listing', async () => {
    const draft = await post({ status: 'draft', price: 80 });
    expect(await publish(draft)).toMatchObject({ status: 400, body: tooHigh });
    const sold = await postBeforeCap();
    expect((await change(sold, 'sold', {})).status).toBe(200);
    expect(await change(sold, 'relist', {})).toMatchObject({ status: 400, body: tooHigh });
    const { body: copy } = await change(sold, 'copy', {});
    expect(await publish(copy.id)).toMatchObject({
      status: 400,
      body: tooHigh,
    });
    const paused = await postBeforeCap();
    await testApp.sql`
      UPDATE listings SET status = 'draft', paused_at = now(), asked_at = now() WHERE id = ${paused}`;
    expect(await change(paused, 'availability', { answer: 'yes' })).toMatchObject({
      status: 400,
      body: tooHigh,
    });
  });

  test('changing the price', async () => {
    const id = await post();
    expect(await setPrice(id, 50.01)).toMatchObject({ status: 400, body: tooHigh });
    expect(await setPrice(id, 40)).toMatchObject({ status: 200, body: { price: 40 } });
  });

  test('also not when the price and the face value are changed at the same time', async () => {
    const id = await post({ price: 30 });
    for (let round = 0; round < 10; round++) {
      await Promise.all([save({ id, price: 30, faceValue: 30 }), setPrice(id, 50)]);
      const { price, face_value: faceValue } = (await readPrice(id)) as { price: number; face_value: number };
      expect(price).toBeLessThanOrEqual(faceValue);
      await post({ id, price: 30 });
    }
  });
});

test('a listing above a new cap stays public, and things that are no tickets may have any price', async () => {
  await post({ title: 'Folding chairs for the tailgate', faceValue: null, price: 900 });
  await post({ title: 'Parking pass for lot 9', faceValue: null, price: 900 });
  testApp.app.config.campus.ticketPriceCap = undefined;
  const id = await post({ faceValue: null, price: 900 });
  testApp.app.config.campus.ticketPriceCap = 100;
  expect(await readPrice(id)).toMatchObject({ status: 'published' });
  expect((await client.start(await testApp.signIn(), id)).body).toMatchObject({
    fields: { price: 'The seller has to add the face value of the tickets first' },
  });
});

describe('promise 118: of one seat and date at most one listing is undisputed', () => {
  const seat = { section: '112', seatRow: 'B', seats: '12-14' };
  const listDisputed = async (): Promise<string[]> =>
    (
      await testApp.sql<{ subject_id: string }[]>`
        SELECT c.subject_id FROM private.moderation_cases c JOIN private.moderation_signals s ON s.case_id = c.id
        WHERE s.kind = 'same_seat'`
    ).map(({ subject_id: id }) => id);
  const countUndisputed = async (ids: readonly string[]): Promise<number> => {
    const disputed = await listDisputed();
    return ids.filter((id) => !disputed.includes(id)).length;
  };
  /** Other tests use other days, so that their seats do not meet. */
  let day = 1;
  let gameDate: string;
  beforeEach(() => {
    day += 1;
    gameDate = `2026-04-${String(day).padStart(2, '0')}`;
  });

  test('the later of two listings gets a case, which names the earlier one', async () => {
    const first = await post({ ...seat, gameDate });
    const second = await post({ section: 'sec 112', seatRow: 'row b', seats: '14, 15', gameDate });
    expect(await listDisputed()).toContain(second);
    expect(await listDisputed()).not.toContain(first);
    const [signal] = await testApp.sql<{ detail: string }[]>`
      SELECT detail FROM private.moderation_signals s JOIN private.moderation_cases c ON c.id = s.case_id
      WHERE c.subject_id = ${second}`;
    expect(signal?.detail).toContain(
      `on ${formatDay(gameDate, defaultCampus)} are also offered by the listing`,
    );
  });

  test('the case names ten of many seats, and how many more there are', async () => {
    const many = { ...seat, seats: '1-400, 501-900, 1001-1400', gameDate };
    await post(many);
    const id = await post({ ...many, title: 'Very many tickets for the derby' });
    const [signal] = await testApp.sql<{ detail: string }[]>`
      SELECT detail FROM private.moderation_signals s JOIN private.moderation_cases c ON c.id = s.case_id
      WHERE c.subject_id = ${id}`;
    expect(signal?.detail).toContain('Seats 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1190 more (section');
  });

  test('whatever publishes it: posting, an edit, a draft, a relisting or an undone deletion', async () => {
    const ids = [await post({ ...seat, gameDate })];
    const edited = await post({ ...seat, seats: '20', gameDate, title: 'Two more tickets for the derby' });
    await post({ id: edited, ...seat, gameDate, title: 'Two more tickets for the derby' });
    const draft = await post({
      ...seat,
      gameDate,
      status: 'draft',
      title: 'A draft of tickets for the derby',
    });
    await publish(draft);
    const sold = await post({ ...seat, seats: '30', gameDate, title: 'Sold tickets for the derby' });
    await change(sold, 'sold', {});
    await testApp.sql`UPDATE listings SET seats = '12' WHERE id = ${sold}`;
    expect((await change(sold, 'relist', {})).status).toBe(200);
    const deleted = await post({ ...seat, seats: '40', gameDate, title: 'Deleted tickets for the derby' });
    await client.request(seller, 'DELETE', `/rest/v1/me/listings/${deleted}`);
    await testApp.sql`UPDATE listings SET seats = '12' WHERE id = ${deleted}`;
    expect((await change(deleted, 'restore', {})).status).toBe(200);
    ids.push(edited, draft, sold, deleted);
    expect(await countUndisputed(ids)).toBe(1);
  });

  test('a case that moderators closed stays closed until the seat or the date changes', async () => {
    await post({ ...seat, seats: '12, 50', gameDate });
    const id = await post({ ...seat, gameDate, title: 'Other tickets for the derby' });
    const countOpen = async (): Promise<number> =>
      (
        await testApp.sql`
          SELECT FROM private.moderation_cases WHERE subject_id = ${id} AND resolved_at IS NULL`
      ).length;
    const edit = (form: ListingForm) =>
      post({ id, ...seat, gameDate, title: 'Other tickets for the derby', ...form });
    await testApp.sql`UPDATE private.moderation_cases SET resolved_at = opened_at WHERE subject_id = ${id}`;
    await edit({ price: 45 });
    expect((await setPrice(id, 40)).status).toBe(200);
    expect(await countOpen()).toBe(0);
    await edit({ seats: '50' });
    expect(await countOpen()).toBe(1);
  });

  test('also when both are published at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const others = await Promise.all(Array.from({ length: 3 }, () => testApp.signIn()));
      const responses = await Promise.all(
        others.map((person) =>
          submitListingForm(testApp, person, { ...tickets, ...seat, seats: `${round}1-${round}3`, gameDate }),
        ),
      );
      expect(await countUndisputed(responses.map(({ body }) => body.listing.id))).toBe(1);
    }
  });

  test('a sold listing, another date, another seat and general admission do not count', async () => {
    const sold = await post({ ...seat, gameDate });
    await change(sold, 'sold', {});
    const ids = [
      await post({ ...seat, gameDate, title: 'Other tickets for the derby' }),
      await post({ ...seat, gameDate: '2026-04-29', title: 'Tickets for another day' }),
      await post({ ...seat, seats: '15', gameDate, title: 'Tickets for another seat' }),
      await post({ ...seat, seats: 'General admission', gameDate, title: 'Tickets for no seat' }),
      await post({ ...seat, seats: 'general admission', gameDate, title: 'More tickets for no seat' }),
    ];
    expect(await countUndisputed(ids)).toBe(5);
  });
});
