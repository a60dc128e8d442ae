import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CaseAction, ModerationCase } from '#contract/moderation.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { insertPhoto, type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

const vodka = { title: 'A bottle of vodka from a party' };
let server: TestApp;
let moderator: Person;
let seller: Person;
let reporter: Person;
let listing: { id: string; slug: string };
let caseId: string;

const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(server, person, method, url, payload);
const getCase = async (id = caseId): Promise<ModerationCase> =>
  (await ask(moderator, 'GET', `/rest/v1/moderation/cases/${id}`)).body;
const choose = (action: CaseAction, form: object = {}) =>
  ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/actions`, {
    action,
    reason: 'Counterfeit',
    ...form,
  });
const takeEffect = () => applyModerationActions(server);
const decide = async (action: CaseAction): Promise<string> => {
  const { status, body } = await choose(action);
  expect([status, body.code]).toEqual([200, undefined]);
  await takeEffect();
  return body.id;
};
const save = async (form: ListingForm) => {
  const answer = await submitListingForm(server, seller, { id: listing.id, ...form });
  expect(answer.status).toBe(200);
};
const readOwn = async () => (await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body;
const isApproved = async () => {
  const [row] = await server.sql`SELECT wording_approved_at FROM listings WHERE id = ${listing.id}`;
  return row?.wording_approved_at !== null;
};
const getNewestNotice = async () => (await ask(seller, 'GET', '/rest/v1/notifications')).body.items[0];
const findOpenCase = async (): Promise<string | undefined> => {
  const [row] = await server.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases
    WHERE subject_id = ${listing.id} AND resolved_at IS NULL AND reopened_at IS NULL`;
  return row?.id;
};

beforeAll(async () => {
  server = await startTestApp({ environment: { RATE_LIMITS: 'off' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.sql`UPDATE private.credentials SET console_role = NULL`;
  moderator = await signInToConsole(server, 'moderator');
  seller = await server.signIn({ fullName: 'Sally Seller' });
  reporter = await server.signIn({ fullName: 'Rita Reporter' });
  listing = (await submitListingForm(server, seller)).body.listing;
  const payload = { subject: 'listing', subject_id: listing.id, reason: 'scam' };
  expect((await ask(reporter, 'POST', '/rest/v1/reports', payload)).status).toBe(200);
  caseId = (await findOpenCase()) ?? '';
});

test('a moderator sees the content of a listing only while it is not a draft', async () => {
  const readCase = async () =>
    (await ask(moderator, 'GET', `/rest/v1/moderation/cases/${caseId}`)).body.listing;
  expect(await readCase()).toMatchObject({ status: 'published', title: expect.any(String) });
  await save({ title: 'Notes to myself about this chair', status: 'draft' });
  expect(await readCase()).toMatchObject({ status: 'draft', title: null, description: null, photos: [] });
});

describe('restoring a listing', () => {
  test('publishes what the moderators saw, without approving its wording', async () => {
    await decide('unpublish');
    await decide('restore');
    expect((await readOwn()).status).toBe('published');
    expect(await isApproved()).toBe(false);
    expect((await getNewestNotice()).text).toBe('Reason: Counterfeit');
  });

  test.each(['unpublish', 'request_changes'] as const)(
    'leaves a listing that was changed after %s as a draft, and notifies the owner',
    async (action) => {
      const id = await decide(action);
      await save({ title: 'Something nobody has seen', status: 'draft' });
      await ask(seller, 'POST', '/rest/v1/appeals', { action_id: id, text: 'It is genuine' });
      await decide('restore');
      expect(await readOwn()).toMatchObject({
        status: 'draft',
        hidden_reason: null,
        requested_changes: null,
      });
      expect(await isApproved()).toBe(false);
      expect(await getNewestNotice()).toMatchObject({
        title: 'Your appeal was successful',
        text: 'Reason: Counterfeit The listing is a draft. You can publish it in My Listings.',
      });
    },
  );

  test('leaves a listing whose photos were changed as a draft', async () => {
    await decide('unpublish');
    await save({ photos: [await insertPhoto(server, seller, 'unseen.jpg')], status: 'draft' });
    await decide('restore');
    expect((await readOwn()).status).toBe('draft');
  });

  test('leaves a listing as a draft if its owner had made it a draft before the decision', async () => {
    await ask(seller, 'PATCH', `/rest/v1/me/listings/${listing.id}`, { status: 'draft' });
    await decide('request_changes');
    await decide('restore');
    expect(await readOwn()).toMatchObject({ status: 'draft', requested_changes: null });
  });

  test('promise 89: holds it again when no moderator has approved its wording', async () => {
    await save(vodka);
    await decide('unpublish');
    expect(await findOpenCase()).toBeUndefined();
    await decide('restore');
    expect((await readOwn()).status).toBe('in_review');
    expect((await getNewestNotice()).text).toContain('We check the listing before it is published again.');
    caseId = (await findOpenCase()) ?? '';
    expect(await getCase()).toMatchObject({ risk: 3, signals: ['prohibited_wording'] });
    await decide('dismiss');
    expect((await readOwn()).status).toBe('published');
    expect(await isApproved()).toBe(true);
  });
});

describe('promise 89: approving a listing held for review', () => {
  beforeEach(() => save(vodka));

  test('is refused when the owner changed it after the moderator opened the case', async () => {
    const { listing: seen } = await getCase();
    expect(seen).toMatchObject({ title: vodka.title, status: 'in_review', photos: [] });
    await save({ ...vodka, photos: [await insertPhoto(server, seller, 'later.jpg')] });
    const stale = await choose('dismiss', { listing_version: seen?.version });
    expect([stale.status, stale.body.code]).toEqual([409, 'listing_changed']);
    const { listing: now } = await getCase();
    expect(now?.photos).toHaveLength(1);
    expect((await choose('dismiss', { listing_version: now?.version })).status).toBe(200);
    await takeEffect();
    expect((await readOwn()).status).toBe('published');
  });

  test.each([
    ['title', async () => ({ title: 'Two bottles of vodka and more' })],
    ['photos', async () => ({ ...vodka, photos: [await insertPhoto(server, seller, 'second.jpg')] })],
  ] as const)('is withdrawn when the owner changes its %s meanwhile', async (_field, getForm) => {
    expect((await choose('dismiss')).status).toBe(200);
    server.clock.advance(1);
    await save(await getForm());
    await takeEffect();
    expect((await readOwn()).status).toBe('in_review');
    const found = await getCase();
    expect(found.state).not.toBe('resolved');
    expect(found.actions[0]?.failure).toMatch(/^The owner changed this listing/);
    await decide('dismiss');
    expect((await readOwn()).status).toBe('published');
  });
});
