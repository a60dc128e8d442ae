import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import type { OwnListing } from '#contract/listings.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { liftSuspensionOf } from '#server/features/moderation/public.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { validListingForm } from '#server/testing/listings.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());

const game = { title: 'Two seats for the derby', category: 'game-day', price: 40 };
/** Posts a listing as a new person, because sessions do not last as long as these tests. */
const post = async (gameDate: string): Promise<string> => {
  seller = await testApp.signIn();
  return client.list(seller, { ...game, gameDate });
};
const getOwn = async (id: string): Promise<OwnListing> =>
  (await client.request(seller, 'GET', `/rest/v1/me/listings/${id}`)).body;
const getPage = async (slug: string) => {
  const response = await testApp.server.inject({ url: `/rest/v1/listings/${slug}` });
  return { status: response.statusCode, body: response.json() };
};
const listSlugs = async (): Promise<string[]> =>
  (await testApp.server.inject({ url: '/rest/v1/listings?category=game-day&limit=100' }))
    .json()
    .items.map(({ slug }: { slug: string }) => slug);
const runJobs = async () => {
  await testApp.jobs.repeatNow('end-passed-games');
  await testApp.jobs.repeatNow('settle-missed-deals');
};

test.each([
  { gameDate: '2026-03-08', midnight: '2026-03-09T07:00:00Z', name: 'when daylight saving time begins' },
  { gameDate: '2026-04-02', midnight: '2026-04-03T07:00:00Z', name: 'on another day' },
  { gameDate: '2026-11-01', midnight: '2026-11-02T08:00:00Z', name: 'when daylight saving time ends' },
])('a game leaves the lists at midnight on the campus $name', async ({ gameDate, midnight }) => {
  testApp.clock.set(new Date(Date.parse(midnight) - 3600_000));
  const id = await post(gameDate);
  const { slug } = await getOwn(id);
  testApp.clock.set(new Date(Date.parse(midnight) - 1000));
  expect(await listSlugs()).toContain(slug);
  expect((await getPage(slug)).body).toMatchObject({ unavailable: null });
  testApp.clock.set(new Date(midnight));
  expect(await listSlugs()).not.toContain(slug);
  const { body } = await getPage(slug);
  expect(body).toMatchObject({ unavailable: 'passed', contact_email: null, contact_phone: null });
  const before = await getOwn(id);
  expect(before).toMatchObject({ status: 'draft', ended_at: new Date(midnight).toISOString() });
  await runJobs();
  expect(await getOwn(id)).toEqual({ ...before, updated_at: expect.any(String) });
  expect((await getPage(slug)).body).toEqual({ ...body, updated_at: expect.any(String) });
});

describe('a passed game', () => {
  let id: string;
  let slug: string;
  const begin = async (hasJobRun: boolean) => {
    testApp.clock.set(new Date('2026-12-01T20:00:00Z'));
    id = await post('2026-12-01');
    ({ slug } = await getOwn(id));
    testApp.clock.set(new Date('2026-12-02T20:00:00Z'));
    if (hasJobRun) await runJobs();
  };
  const setStatus = (status: string) =>
    client.request(seller, 'PATCH', `/rest/v1/me/listings/${id}`, { status });
  const save = (form: object) =>
    client.request(seller, 'POST', '/functions/v1/create-listing', {
      ...validListingForm,
      ...game,
      id,
      ...form,
    });

  test.each([true, false])('keeps its page for 90 days (job has run: %s)', async (hasJobRun) => {
    await begin(hasJobRun);
    testApp.clock.set(new Date('2027-03-01T20:00:00Z'));
    expect((await getPage(slug)).status).toBe(200);
    testApp.clock.set(new Date('2027-03-02T20:00:00Z'));
    expect((await getPage(slug)).status).toBe(404);
  });

  test.each([true, false])('is among the drafts of its owner (job has run: %s)', async (hasJobRun) => {
    await begin(hasJobRun);
    const list = async (query: string) =>
      (await client.request(seller, 'GET', `/rest/v1/me/listings?limit=50&${query}`)).body;
    const { items, counts } = await list('status=draft');
    expect(items.map((it: OwnListing) => it.id)).toContain(id);
    expect(counts.drafts).toBe(items.length);
    expect((await list('status=published')).items.map((it: OwnListing) => it.id)).not.toContain(id);
  });

  test.each([true, false])('is published again only with a new date (job has run: %s)', async (hasJobRun) => {
    await begin(hasJobRun);
    const sentence = 'Game date must be today or in the future';
    expect(await setStatus('published')).toMatchObject({
      status: 400,
      body: { fields: { gameDate: sentence } },
    });
    expect((await save({ gameDate: '2026-12-01' })).body).toMatchObject({ fields: { gameDate: sentence } });
    expect((await save({ gameDate: '2026-12-09' })).body.listing).toMatchObject({
      status: 'published',
      ended_at: null,
      slug,
    });
    expect(await listSlugs()).toContain(slug);
    expect((await getPage(slug)).body).toMatchObject({ unavailable: null });
  });

  test('loses its page when its owner makes it a plain draft', async () => {
    await begin(true);
    expect((await save({ gameDate: null, status: 'draft' })).body.listing).toMatchObject({ ended_at: null });
    expect((await getPage(slug)).status).toBe(404);
  });

  test.each([true, false])('can be marked as sold, also undone (job has run: %s)', async (hasJobRun) => {
    await begin(hasJobRun);
    const path = `/rest/v1/me/listings/${id}`;
    expect((await client.request(seller, 'POST', `${path}/sold`, {})).body).toMatchObject({
      status: 'sold',
      ended_at: null,
    });
    expect((await getPage(slug)).body).toMatchObject({ status: 'sold', unavailable: null });
    expect((await client.request(seller, 'POST', `${path}/relist`, {})).body).toMatchObject({
      status: 'draft',
      ended_at: '2026-12-02T08:00:00.000Z',
    });
    expect(await listSlugs()).not.toContain(slug);
  });

  test.each([true, false])('starts no conversation and no deal (job has run: %s)', async (hasJobRun) => {
    await begin(hasJobRun);
    const buyer = await testApp.signIn();
    expect((await client.start(buyer, id, { price: 30 })).status).toBe(404);
    const opened = await client.request(buyer, 'POST', '/rest/v1/conversations', { listing_id: id });
    expect(opened.status).toBe(404);
  });

  test('has no page while its owner is suspended', async () => {
    await begin(true);
    await suspendByCommand(testApp.app, seller.email);
    expect((await getPage(slug)).status).toBe(404);
    await liftSuspensionOf(testApp.app, seller.email);
    expect((await getPage(slug)).body).toMatchObject({ unavailable: 'passed' });
  });
});

describe('the deals about a passed game', () => {
  let buyer: Person;
  let id: string;
  const begin = async () => {
    testApp.clock.set(new Date('2027-01-05T20:00:00Z'));
    buyer = await testApp.signIn();
    id = await post('2027-01-05');
  };

  test('end with an event line if they are offers, and allow no other step before that', async () => {
    await begin();
    const offer: Deal = (await client.start(buyer, id, { price: 30 })).body;
    testApp.clock.set(new Date('2027-01-06T08:00:00Z'));
    expect((await client.get(seller, offer)).transitions).toEqual(['decline']);
    expect((await client.take(seller, offer, 'accept')).status).toBe(409);
    await runJobs();
    expect((await client.get(seller, offer)).state).toBe('closed');
    expect((await client.listLines(buyer, offer)).at(-1)?.message_text).toContain('the game has passed.');
    const [lines] = [await client.listLines(buyer, offer)];
    await runJobs();
    expect(await client.listLines(buyer, offer)).toEqual(lines);
  });

  test('live on if they are holds, while other offers end, until people have met', async () => {
    await begin();
    const held: Deal = (await client.start(buyer, id, { price: 30 })).body;
    const other = await testApp.signIn();
    const waiting: Deal = (await client.start(other, id, { price: 35 })).body;
    await client.take(seller, held, 'accept');
    testApp.clock.set(new Date('2027-01-06T08:00:00Z'));
    await runJobs();
    expect((await client.get(buyer, held)).state).toBe('held');
    expect((await client.get(other, waiting)).state).toBe('closed');
    const { slug, status } = await getOwn(id);
    expect(status).toBe('published');
    expect(await listSlugs()).not.toContain(slug);
    expect((await client.take(seller, held, 'handed_over')).status).toBe(200);
    expect((await client.take(buyer, held, 'received')).status).toBe(200);
    expect((await client.get(buyer, held)).state).toBe('completed');
    expect(await getOwn(id)).toMatchObject({ status: 'sold' });
  });

  test('end the listing when their hold ends', async () => {
    await begin();
    const held: Deal = (await client.start(buyer, id, { price: 30 })).body;
    await client.take(seller, held, 'accept');
    testApp.clock.set(new Date('2027-01-06T08:00:00Z'));
    await runJobs();
    await client.take(buyer, held, 'cancel', { reason: 'I could not come.' });
    expect(await getOwn(id)).toMatchObject({ status: 'draft', ended_at: '2027-01-06T08:00:00.000Z' });
    await runJobs();
    expect(await getOwn(id)).toMatchObject({ status: 'draft', ended_at: '2027-01-06T08:00:00.000Z' });
  });
});
