import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '#server/audit/service.ts';
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import { createProcessBus } from '#server/platform/bus/bus.ts';
import { makeSecrets } from '#server/platform/secrets.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { saveListing } from '#server/testing/listings.ts';
import { createListingModeration, type ListingModeration } from './moderation-service.ts';

let quad: TestApp;
let owner: Person;
let moderation: ListingModeration;
const announcements: unknown[] = [];

beforeAll(async () => {
  const bus = createProcessBus();
  bus.subscribe((announcement) => announcements.push(announcement));
  quad = await startTestApp({ deps: { bus } });
  owner = await quad.signIn();
  const base = { sql: quad.sql, clock: quad.clock, invalidation: createPageInvalidation(bus) };
  const audit = createAudit({ ...base, pepper: makeSecrets().pepper });
  moderation = createListingModeration({ ...base, audit });
});
afterAll(() => quad.close());

const reason = 'It offers what may not be sold here.';
const setStatus = (id: string, status: string) =>
  quad.app.inject({
    method: 'PATCH',
    url: `/rest/v1/me/listings/${id}`,
    headers: owner.headers,
    payload: { status },
  });
const isPublic = async (slug: string) =>
  (await quad.app.inject({ url: `/rest/v1/listings/${slug}` })).statusCode === 200;

test('a removed listing is visible only to its owner, who sees the reason and cannot publish it', async () => {
  const { id, slug } = (await saveListing(quad, owner)).body.listing;
  announcements.length = 0;
  await moderation.takeDown(slug, reason);
  expect(announcements).toMatchObject([
    { kind: 'pages_changed', listing_ids: [id], categories: ['furniture'] },
  ]);
  expect(await isPublic(slug)).toBe(false);
  const mine = await quad.app.inject({ url: `/rest/v1/me/listings/${id}`, headers: owner.headers });
  expect(mine.json()).toMatchObject({ status: 'draft', hidden_reason: reason });

  const refusal = { code: 'listing_taken_down', error: `This listing was taken down: ${reason}` };
  const tried = await setStatus(id, 'published');
  expect([tried.statusCode, tried.json()]).toEqual([409, refusal]);
  expect(await saveListing(quad, owner, { id, title: 'Another title for the desk' })).toEqual({
    status: 409,
    body: refusal,
  });
  expect(await isPublic(slug)).toBe(false);

  expect(await moderation.restore(id)).toMatchObject({ status: 'published', hidden_at: null });
  expect(await isPublic(slug)).toBe(true);
});

test('a listing that became incomplete meanwhile is restored as a draft', async () => {
  const { id, slug } = (await saveListing(quad, owner, { title: 'A sturdy lamp for the desk' })).body.listing;
  await moderation.takeDown(id, reason);
  expect((await saveListing(quad, owner, { id, title: '', status: 'draft' })).status).toBe(200);
  expect(await moderation.restore(id)).toMatchObject({ status: 'draft', hidden_at: null });
  expect(await isPublic(slug)).toBe(false);
});

test('restoring a listing that was never removed changes nothing', async () => {
  const { id } = (await saveListing(quad, owner, { title: 'A draft of a bicycle', status: 'draft' })).body
    .listing;
  expect(await moderation.restore(id)).toMatchObject({ status: 'draft', hidden_at: null });
  await expect(moderation.takeDown('no-such-listing', reason)).rejects.toMatchObject({
    code: 'listing_not_found',
  });
});
