import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { restoreListing, takeDownListing } from './moderation.ts';

let testApp: TestApp;
let owner: Person;
const announcements: unknown[] = [];

beforeAll(async () => {
  const bus = createInProcessBus();
  bus.subscribe((announcement) => announcements.push(announcement));
  testApp = await startTestApp({ replace: { bus } });
  owner = await testApp.signIn();
});
afterAll(() => testApp.close());

const moderationReason = 'It offers what may not be sold here.';
const setListingStatus = (id: string, status: string) =>
  testApp.server.inject({
    method: 'PATCH',
    url: `/rest/v1/me/listings/${id}`,
    headers: owner.headers,
    payload: { status },
  });
const isListingPublic = async (slug: string) =>
  (await testApp.server.inject({ url: `/rest/v1/listings/${slug}` })).statusCode === 200;

test('a removed listing is visible only to its owner, who sees the reason and cannot publish it', async () => {
  const { id, slug } = (await submitListingForm(testApp, owner)).body.listing;
  announcements.length = 0;
  await takeDownListing(testApp.app, slug, moderationReason);
  expect(announcements).toMatchObject([
    { kind: 'pages_changed', listing_ids: [id], categories: ['furniture'] },
  ]);
  expect(await isListingPublic(slug)).toBe(false);
  const mine = await testApp.server.inject({ url: `/rest/v1/me/listings/${id}`, headers: owner.headers });
  expect(mine.json()).toMatchObject({ status: 'draft', hidden_reason: moderationReason });

  const refusal = { code: 'listing_taken_down', error: `This listing was taken down: ${moderationReason}` };
  const tried = await setListingStatus(id, 'published');
  expect([tried.statusCode, tried.json()]).toEqual([409, refusal]);
  expect(await submitListingForm(testApp, owner, { id, title: 'Another title for the desk' })).toEqual({
    status: 409,
    body: refusal,
  });
  expect(await isListingPublic(slug)).toBe(false);

  expect(await restoreListing(testApp.app, id)).toMatchObject({ status: 'published', hidden_at: null });
  expect(await isListingPublic(slug)).toBe(true);
});

test('a listing that became incomplete while it was taken down is restored as a draft', async () => {
  const { id, slug } = (await submitListingForm(testApp, owner, { title: 'A sturdy lamp for the desk' })).body
    .listing;
  await takeDownListing(testApp.app, id, moderationReason);
  expect((await submitListingForm(testApp, owner, { id, title: '', status: 'draft' })).status).toBe(200);
  expect(await restoreListing(testApp.app, id)).toMatchObject({ status: 'draft', hidden_at: null });
  expect(await isListingPublic(slug)).toBe(false);
});

test('a listing that its owner changed while it was taken down is restored as a draft, without approval', async () => {
  const { id, slug } = (await submitListingForm(testApp, owner, { title: 'A sturdy chair for the desk' }))
    .body.listing;
  await takeDownListing(testApp.app, id, moderationReason);
  testApp.clock.advance(1);
  const edited = { id, title: 'Something nobody has seen', status: 'draft' as const };
  expect((await submitListingForm(testApp, owner, edited)).status).toBe(200);
  expect(await restoreListing(testApp.app, id)).toMatchObject({
    status: 'draft',
    hidden_at: null,
    wording_approved_at: null,
  });
  expect(await isListingPublic(slug)).toBe(false);
});

test('restoring a listing that was never removed changes nothing', async () => {
  const { id } = (await submitListingForm(testApp, owner, { title: 'A draft of a bicycle', status: 'draft' }))
    .body.listing;
  expect(await restoreListing(testApp.app, id)).toMatchObject({ status: 'draft', hidden_at: null });
  await expect(takeDownListing(testApp.app, 'no-such-listing', moderationReason)).rejects.toMatchObject({
    code: 'listing_not_found',
  });
});
