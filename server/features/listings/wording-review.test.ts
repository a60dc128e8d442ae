import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { approveListing, approveListingWithin, requestListingChanges } from './wording-review.ts';

let testApp: TestApp;
let moderator: Person;
let owner: Person;
const vodka = { title: 'A bottle of vodka from a party' };

beforeAll(async () => {
  testApp = await startTestApp();
  owner = await testApp.signIn({ fullName: 'Olga Owner' });
  moderator = await signInToConsole(testApp, 'moderator');
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`DELETE FROM private.moderation_cases`;
  // Advance the clock, because saving the same listing again within ten seconds counts as a double click.
  testApp.clock.advance(60);
});

const save = (form: ListingForm) => submitListingForm(testApp, owner, form);
const hold = async (form: ListingForm = vodka): Promise<string> => (await save(form)).body.listing.id;
const change = (method: 'GET' | 'PATCH' | 'POST' | 'DELETE', path: string, payload?: object) =>
  sendRequest(testApp, owner, method, `/rest/v1/me/listings/${path}`, payload);
const readOwn = async (id: string) => (await change('GET', id)).body;
const readPublic = async (id: string) => {
  const { slug } = await readOwn(id);
  return (await sendRequest(testApp, moderator, 'GET', `/rest/v1/listings/${slug}`)).status;
};
const listCases = () =>
  testApp.sql<
    { subject_id: string; title: string; risk: number; kind: string; detail: string; count: number }[]
  >`
    SELECT c.subject_id, c.title, c.risk, s.kind, s.detail, s.count
    FROM private.moderation_cases c JOIN private.moderation_signals s ON s.case_id = c.id`;
const listNotices = async (): Promise<{ title: string; text: string }[]> => {
  await testApp.jobs.runAll();
  return (await sendRequest(testApp, owner, 'GET', '/rest/v1/notifications')).body.items;
};

describe('promise 89: a listing with the wording of a prohibited item', () => {
  test('is held for review instead of published, and becomes an urgent case', async () => {
    const { status, body } = await save(vodka);
    expect([status, body.listing.status]).toEqual([200, 'in_review']);
    expect(body.listing.published_at).toBeNull();
    expect(await readPublic(body.listing.id)).toBe(404);
    expect(await listCases()).toEqual([
      {
        subject_id: body.listing.id,
        title: vodka.title,
        risk: 3,
        kind: 'prohibited_wording',
        detail: 'Held for review: the title suggests “Alcohol, tobacco, vapes and controlled substances”.',
        count: 1,
      },
    ]);
  });

  test.each([
    ['location', { location: 'Parkside, and a bottle of vodka' }],
    ['contact email', { contactEmail: 'selling.weed@example.com' }],
  ])('is held as well if the wording is in the %s', async (name, form) => {
    const { body } = await save(form);
    expect(body.listing.status).toBe('in_review');
    expect(await listCases()).toMatchObject([
      {
        detail: `Held for review: the ${name} suggests “Alcohol, tobacco, vapes and controlled substances”.`,
      },
    ]);
  });

  test('is in no list, search or profile, and counts as a draft of its owner', async () => {
    const before = (await sendRequest(testApp, owner, 'GET', '/rest/v1/me/listings')).body.counts.drafts;
    const id = await hold({ title: 'Case of beer, quite unusual zzyzx' });
    for (const url of ['/rest/v1/listings?q=zzyzx', `/rest/v1/listings?seller=${owner.userId}&q=zzyzx`])
      expect((await sendRequest(testApp, moderator, 'GET', url)).body.items).toEqual([]);
    const own = (await sendRequest(testApp, owner, 'GET', '/rest/v1/me/listings')).body;
    expect(own.counts.drafts).toBe(before + 1);
    expect(own.items[0]).toMatchObject({ id, status: 'in_review' });
    const message = await sendRequest(testApp, moderator, 'POST', '/rest/v1/conversations', {
      listing_id: id,
    });
    expect(message.body.code).toBe('listing_not_found');
  });

  test('can be saved as a draft, and is checked when the draft is published', async () => {
    const { body } = await save({ ...vodka, status: 'draft' });
    expect(body.listing.status).toBe('draft');
    expect(await listCases()).toEqual([]);
    expect((await change('PATCH', body.listing.id, { status: 'published' })).body.status).toBe('in_review');
    expect(await listCases()).toHaveLength(1);
    expect((await change('PATCH', body.listing.id, { status: 'published' })).body.status).toBe('in_review');
    expect(await listCases()).toMatchObject([{ count: 1 }]);
  });

  test('is not held for a word in its description that also has harmless uses', async () => {
    const { body } = await save({
      description: 'It stood next to my vodka shelf. No scratches at all, very sturdy.',
    });
    expect(body.listing.status).toBe('published');
    expect(await listCases()).toEqual([]);
  });

  test('is judged by its category, also when only that is edited', async () => {
    const { listing } = (await save({ title: 'The Rum Diary', category: 'textbooks' })).body;
    expect(listing.status).toBe('published');
    const vodka = { title: 'Vodka and its peasants, volume two', category: 'textbooks' };
    const { id, status } = (await save(vodka)).body.listing;
    expect(status).toBe('published');
    expect((await save({ id, ...vodka, category: 'kitchen' })).body.listing.status).toBe('in_review');
  });

  test('edits are checked too; an edit that removes the wording publishes it', async () => {
    const { id } = (await save({})).body.listing;
    expect((await save({ id, ...vodka })).body.listing.status).toBe('in_review');
    expect(await readPublic(id)).toBe(404);
    expect((await save({ id, ...vodka, price: 20 })).body.listing.status).toBe('in_review');
    expect(await listCases()).toMatchObject([{ count: 1 }]);
    expect((await save({ id, title: 'A bottle opener of steel' })).body.listing.status).toBe('published');
    expect(await readPublic(id)).toBe(200);
  });

  test('a sold listing from before the rules is checked when it is listed again', async () => {
    const { id } = (await save({})).body.listing;
    await testApp.sql`UPDATE listings SET title = ${vodka.title} WHERE id = ${id}`;
    await change('POST', `${id}/sold`, {});
    expect((await change('POST', `${id}/relist`)).body.status).toBe('in_review');
    expect(await readPublic(id)).toBe(404);
    expect(await listCases()).toHaveLength(1);
  });

  test('relisting a rented listing that is held for review does not publish it', async () => {
    const { id } = (await save({ category: 'rentals' })).body.listing;
    const until = toCampusDay(defaultCampus, addSeconds(testApp.clock.now(), 24 * 3600));
    await change('POST', `${id}/sold`, { until });
    expect((await save({ id, ...vodka, category: 'rentals' })).body.listing.status).toBe('in_review');
    expect((await change('POST', `${id}/relist`)).body.status).toBe('in_review');
    expect(await readPublic(id)).toBe(404);
  });

  test('saving it twice under one client id creates one listing and one signal', async () => {
    const clientId = crypto.randomUUID();
    const first = await save({ ...vodka, clientId });
    expect((await save({ ...vodka, clientId })).body.listing.id).toBe(first.body.listing.id);
    expect(await listCases()).toMatchObject([{ count: 1 }]);
  });
});

describe('the decision of a moderator', () => {
  test('approving publishes it and notifies the owner; later edits of other fields are not held again', async () => {
    const id = await hold();
    testApp.clock.advance(60);
    expect(await approveListing(testApp.app, id, testApp.clock.now())).toBe(true);
    expect(await readOwn(id)).toMatchObject({
      status: 'published',
      published_at: testApp.clock.now().toISOString(),
      created_at: testApp.clock.now().toISOString(),
    });
    expect(await readPublic(id)).toBe(200);
    expect(await listNotices()).toMatchObject([
      { title: `“${vodka.title}” was checked`, text: 'A moderator approved it.' },
    ]);
    expect((await save({ id, ...vodka, price: 12 })).body.listing.status).toBe('published');
    const elsewhere = { id, ...vodka, location: 'Village' };
    expect((await save(elsewhere)).body.listing.status).toBe('in_review');
    expect(await approveListing(testApp.app, id, testApp.clock.now())).toBe(true);
    expect((await save(elsewhere)).body.listing.status).toBe('published');
    expect((await save({ id, title: 'A bottle of tequila, too' })).body.listing.status).toBe('in_review');
    expect(await approveListing(testApp.app, id, addSeconds(testApp.clock.now(), -1))).toBe(false);
    expect((await readOwn(id)).status).toBe('in_review');
  });

  test('approving a held listing that is still marked as sold puts it up for sale again', async () => {
    const id = await hold();
    await testApp.sql`UPDATE listings SET sold_at = ${testApp.clock.now()} WHERE id = ${id}`;
    expect(await approveListing(testApp.app, id, testApp.clock.now())).toBe(true);
    expect(await readOwn(id)).toMatchObject({ status: 'published', sold_at: null });
  });

  test('approving within a transaction has no effect when the transaction fails', async () => {
    const id = await hold();
    const approveWithin = (fails: boolean) =>
      runInTransaction(testApp.sql, async (tx) => {
        await approveListingWithin(testApp.app, tx, id, {
          decidedAt: testApp.clock.now(),
          isSeen: () => true,
        });
        if (fails) throw new Error('The action could not be stored');
      });
    await expect(approveWithin(true)).rejects.toThrow('could not be stored');
    expect((await readOwn(id)).status).toBe('in_review');
    await approveWithin(false);
    expect((await readOwn(id)).status).toBe('published');
  });

  test('approving does nothing to a listing that is not in review', async () => {
    const draft = (await save({ status: 'draft' })).body.listing.id;
    expect(await approveListing(testApp.app, draft, testApp.clock.now())).toBe(false);
    const deleted = await hold();
    await change('DELETE', deleted);
    expect(await approveListing(testApp.app, deleted, testApp.clock.now())).toBe(false);
    expect(await approveListing(testApp.app, crypto.randomUUID(), testApp.clock.now())).toBe(false);
  });

  test('an approved listing of a suspended owner stays hidden until the suspension is lifted', async () => {
    const id = await hold();
    await testApp.sql`UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${owner.userId}`;
    expect(await approveListing(testApp.app, id, testApp.clock.now())).toBe(true);
    const [row] = await testApp.sql`SELECT status, hidden_with FROM listings WHERE id = ${id}`;
    await testApp.sql`UPDATE private.credentials SET suspended_at = NULL WHERE user_id = ${owner.userId}`;
    expect(row).toEqual({ status: 'draft', hidden_with: 'account' });
  });

  test('requesting changes turns the listing into a draft that shows the reason until it is published again', async () => {
    const id = await hold();
    const reason = 'Please say that the bottle is empty.';
    expect(await requestListingChanges(testApp.app, id, reason)).toBe(true);
    expect(await readOwn(id)).toMatchObject({
      status: 'draft',
      requested_changes: reason,
      hidden_reason: null,
    });
    expect(await listNotices()).toContainEqual(
      expect.objectContaining({
        title: `Please change “${vodka.title}”`,
        text: `A moderator wrote: ${reason}`,
      }),
    );
    const { body } = await save({ id, title: 'An empty bottle of vodka' });
    expect(body.listing).toMatchObject({ status: 'published', requested_changes: null });
    expect(await requestListingChanges(testApp.app, id, reason)).toBe(true);
    expect(await requestListingChanges(testApp.app, id, reason)).toBe(false);
  });

  test('changes to a held listing whose sale is confirmed cannot be requested', async () => {
    const id = await hold();
    const now = testApp.clock.now();
    await testApp.sql`UPDATE listings SET sold_at = ${now}, sale_confirmed_at = ${now} WHERE id = ${id}`;
    expect(await requestListingChanges(testApp.app, id, 'Please say that the bottle is empty.')).toBe(false);
    expect((await readOwn(id)).status).toBe('in_review');
  });

  test('deleting and restoring a held listing keeps it held', async () => {
    const id = await hold();
    await change('DELETE', id);
    expect((await change('POST', `${id}/restore`)).body.status).toBe('in_review');
  });
});

describe('if no moderator exists, a listing with the wording of a prohibited item', () => {
  const setRole = (role: string | null) =>
    testApp.sql`UPDATE private.credentials SET console_role = ${role} WHERE user_id = ${moderator.userId}`;
  const sentence =
    'Alcohol, tobacco, vapes and controlled substances can’t be offered here. Please change the wording if this is about something else.';

  test('is refused with the reason by the form and My Listings, and nothing changes', async () => {
    const draft = (await save({ ...vodka, status: 'draft' })).body.listing.id;
    const { id } = (await save({})).body.listing;
    await setRole(null);
    const published = await save(vodka);
    expect([published.status, published.body.fields]).toEqual([400, { title: sentence }]);
    const edited = await save({
      id,
      description: 'Nice and sturdy. Also selling weed and edibles to friends.',
    });
    expect([edited.status, edited.body.fields]).toEqual([400, { description: sentence }]);
    const byEmail = await save({ id, contactEmail: 'selling.weed@example.com' });
    expect([byEmail.status, byEmail.body.fields]).toEqual([400, { contactEmail: sentence }]);
    const fromMyListings = await change('PATCH', draft, { status: 'published' });
    expect([fromMyListings.status, fromMyListings.body.fields]).toEqual([400, { title: sentence }]);
    expect((await readOwn(id)).status).toBe('published');
    expect((await save({ ...vodka, status: 'draft' })).status).toBe(200);
    expect(await listCases()).toEqual([]);
    await setRole('moderator');
  });

  test.each([
    ['an unconfirmed address', 'credentials', 'confirmed_at'],
    ['an unfinished second factor', 'second_factors', 'verified_at'],
  ])('is refused even if there is a moderator with %s', async (_what, table, column) => {
    const set = (at: Date | null) => testApp.sql`
      UPDATE ${identifier(`private.${table}`)} SET ${identifier(column)} = ${at} WHERE user_id = ${moderator.userId}`;
    await set(null);
    expect((await save(vodka)).status).toBe(400);
    await set(testApp.clock.now());
    expect((await save(vodka)).body.listing.status).toBe('in_review');
  });

  test('is refused if its owner is the only moderator, who must not decide about it', async () => {
    const { status, body } = await submitListingForm(testApp, moderator, vodka);
    expect([status, body.fields]).toEqual([400, { title: sentence }]);
  });

  test('is refused even if there is a suspended moderator', async () => {
    const setSuspended = (at: Date | null) =>
      testApp.sql`UPDATE private.credentials SET suspended_at = ${at} WHERE user_id = ${moderator.userId}`;
    await setSuspended(testApp.clock.now());
    expect((await save(vodka)).status).toBe(400);
    await setSuspended(null);
  });
});
