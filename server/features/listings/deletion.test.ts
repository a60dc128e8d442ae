import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import {
  insertPhoto,
  type ListingForm,
  removeDeletedListings,
  submitListingForm,
} from '#server/testing/listings.ts';
import * as moderation from './moderation.ts';

let testApp: TestApp;
let seller: Person;
let stranger: Person;
const announcements: unknown[] = [];

beforeAll(async () => {
  const bus = createInProcessBus();
  bus.subscribe((announcement) => announcements.push(announcement));
  testApp = await startTestApp({ replace: { bus } });
  seller = await testApp.signIn();
  stranger = await testApp.signIn();
});
afterAll(() => testApp.close());

const saveTestListing = async (form: ListingForm = {}, person = seller) => {
  const { status, body } = await submitListingForm(testApp, person, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.listing;
};
const sendRequest = async (
  method: 'GET' | 'DELETE' | 'POST',
  url: string,
  person: Person | undefined = seller,
) => {
  const response = await testApp.server.inject({
    method,
    url,
    ...(person ? { headers: person.headers } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};
const deleteListing = (id: string) => sendRequest('DELETE', `/rest/v1/me/listings/${id}`);
const restoreListing = (id: string, person = seller) =>
  sendRequest('POST', `/rest/v1/me/listings/${id}/restore`, person);
const runRemovalJobs = async () => {
  await testApp.jobs.repeatNow('remove-missed-deleted-listings');
  await testApp.jobs.runAll();
};
const isListingPublic = async (slug: string) =>
  (await sendRequest('GET', `/rest/v1/listings/${slug}`)).status === 200;
const countRows = async (id: string) => (await testApp.sql`SELECT FROM listings WHERE id = ${id}`).length;
const tooLateResponse = {
  status: 404,
  body: {
    code: 'listing_not_found',
    error: 'It is too late to undo: the listing is deleted for good.',
  },
};

describe('promise 60: a deleted listing', () => {
  test('disappears from every list, search and suggestion, even for its owner', async () => {
    const { id, slug } = await saveTestListing({ title: 'Cobalt teapot of stoneware' });
    const places = [
      '/rest/v1/listings',
      '/rest/v1/listings?category=furniture',
      '/rest/v1/listings?q=cobalt',
      '/rest/v1/listings/similar-matches?q=cobaltt',
      '/rest/v1/listings/suggestions?q=cobal',
      '/rest/v1/me/listings',
    ];
    const findPlaces = async () => {
      const found = await Promise.all(
        places.map(async (url) => ({ url, body: JSON.stringify((await sendRequest('GET', url)).body) })),
      );
      return found.filter(({ body }) => body.includes(slug)).map(({ url }) => url);
    };
    expect(await findPlaces()).toEqual(places);
    const before = (await sendRequest('GET', '/rest/v1/me/listings')).body.counts;

    expect(await deleteListing(id)).toEqual({ status: 200, body: { success: true } });
    expect(await findPlaces()).toEqual([]);
    expect(await isListingPublic(slug)).toBe(false);
    expect((await sendRequest('GET', `/rest/v1/me/listings/${id}`)).status).toBe(404);
    expect((await sendRequest('GET', '/rest/v1/me/listings')).body.counts).toEqual({
      ...before,
      active: before.active - 1,
    });
  });

  test('can be restored unchanged within 10 seconds, and deletion and restoration both invalidate its pages', async () => {
    const photo = await insertPhoto(testApp, seller, 'restored.jpg');
    const published = await saveTestListing({ title: 'Restored as it was before', photos: [photo] });
    const draft = await saveTestListing({ title: 'A draft restored as a draft', status: 'draft' });
    const changes = [{ kind: 'pages_changed', listing_ids: [published.id], categories: ['furniture'] }];
    announcements.length = 0;
    await deleteListing(published.id);
    expect(announcements).toMatchObject(changes);
    await deleteListing(draft.id);
    expect(announcements).toHaveLength(1);
    testApp.clock.advance(10);
    await runRemovalJobs();

    announcements.length = 0;
    expect(await restoreListing(published.id)).toEqual({ status: 200, body: published });
    expect(announcements).toMatchObject(changes);
    expect(await isListingPublic(published.slug)).toBe(true);
    expect(await restoreListing(draft.id)).toEqual({ status: 200, body: draft });
    expect(announcements).toHaveLength(1);
    testApp.clock.advance(60);
    await runRemovalJobs();
    expect((await sendRequest('GET', `/rest/v1/me/listings/${published.id}`)).body).toEqual(published);
    expect(await testApp.sql`SELECT FROM private.objects WHERE url = ${photo}`).toHaveLength(1);
  });

  test('is restored once, however often the request is repeated', async () => {
    const listing = await saveTestListing({ title: 'Restored by several requests at once' });
    await deleteListing(listing.id);
    const replies = await Promise.all([1, 2, 3].map(() => restoreListing(listing.id)));
    replies.push(await restoreListing(listing.id));
    expect(replies).toEqual(Array(4).fill({ status: 200, body: listing }));
  });

  test('is not affected by a repeated deletion, and the time to restore it is not extended', async () => {
    const { id } = await saveTestListing({ title: 'Deleted by several requests at once' });
    const deleted = { status: 200, body: { success: true } };
    expect(await Promise.all([1, 2, 3].map(() => deleteListing(id)))).toEqual(Array(3).fill(deleted));
    testApp.clock.advance(15);
    announcements.length = 0;
    expect(await deleteListing(id)).toEqual(deleted);
    expect(announcements).toEqual([]);
    expect((await sendRequest('DELETE', `/rest/v1/me/listings/${id}`, stranger)).status).toBe(404);
    testApp.clock.advance(6);
    expect(await restoreListing(id)).toEqual(tooLateResponse);
    await runRemovalJobs();
    expect((await deleteListing(id)).status).toBe(404);
  });

  test('can be restored for 10 seconds longer than Undo is offered, because a response can be late', async () => {
    const listing = await saveTestListing({ title: 'Undone on a slow connection' });
    await deleteListing(listing.id);
    testApp.clock.advance(19);
    await runRemovalJobs();
    expect(await restoreListing(listing.id)).toEqual({ status: 200, body: listing });
  });

  test('is removed with its files and can no longer be restored when the time to undo is over', async () => {
    const photo = await insertPhoto(testApp, seller, 'removed.jpg');
    const { id } = await saveTestListing({ title: 'Gone for good with its photo', photos: [photo] });
    await deleteListing(id);
    testApp.clock.advance(21);
    expect(await restoreListing(id)).toEqual(tooLateResponse);
    await runRemovalJobs();
    expect(await countRows(id)).toBe(0);
    expect(await testApp.sql`SELECT FROM private.objects WHERE url = ${photo}`).toHaveLength(0);
    expect(await restoreListing(id)).toEqual(tooLateResponse);
  });

  test('can be restored by its owner only', async () => {
    const { id, slug } = await saveTestListing({ title: 'Nothing for a stranger to restore' });
    expect(await restoreListing(id, stranger)).toEqual(tooLateResponse);
    await deleteListing(id);
    expect(await restoreListing(id, stranger)).toEqual(tooLateResponse);
    expect(await isListingPublic(slug)).toBe(false);
    expect((await restoreListing(id)).status).toBe(200);
  });

  test('does not keep the seller from posting the same again', async () => {
    const clientId = crypto.randomUUID();
    for (const status of ['published', 'draft']) {
      const form = { title: 'Deleted and posted once more', status, clientId };
      const first = await saveTestListing(form);
      await deleteListing(first.id);
      const second = await saveTestListing(form);
      expect(second.id).not.toBe(first.id);
      expect((await restoreListing(first.id)).status).toBe(200);
      await deleteListing(second.id);
    }
  });

  test('keeps its photos from being deleted until it is removed', async () => {
    const photo = await insertPhoto(testApp, seller, 'kept.jpg');
    const { id } = await saveTestListing({ title: 'A photo that undo still needs', photos: [photo] });
    await deleteListing(id);
    expect((await sendRequest('DELETE', photo.replace('/public', ''))).status).toBe(409);
    testApp.clock.advance(8);
    expect((await restoreListing(id)).body.photos).toEqual([photo]);
  });
});

describe('conversations about a deleted listing', () => {
  const findListing = async (person: Person, id: string) => {
    const { body } = await sendRequest('GET', '/rest/v1/conversations', person);
    const found = body.items.find((item: { id: string }) => item.id === id);
    return { listing_id: found.listing_id, ...found.listing };
  };

  test('show it as unavailable at once, can be continued, and show it again when it is restored', async () => {
    const talk = createConversationClient(testApp);
    const listing = await saveTestListing({ title: 'Talked about and then deleted' });
    const { body: conversation } = await talk.open(stranger, listing.id);
    await talk.send(stranger, conversation.id, 'Is it still there?');
    const before = await findListing(stranger, conversation.id);
    expect(before).toMatchObject({ listing_id: listing.id, available: true });

    await deleteListing(listing.id);
    const gone = { listing_id: null, title: listing.title, available: false, slug: null, price: null };
    for (const person of [seller, stranger])
      expect(await findListing(person, conversation.id)).toMatchObject(gone);
    expect((await talk.send(stranger, conversation.id, 'Hello?')).status).toBe(200);
    expect((await talk.open(stranger, listing.id)).status).toBe(404);
    expect((await sendRequest('GET', `/rest/v1/conversations/about/${listing.id}`, stranger)).status).toBe(
      404,
    );

    await restoreListing(listing.id);
    expect(await findListing(stranger, conversation.id)).toEqual(before);
    expect((await talk.open(stranger, listing.id)).body.id).toBe(conversation.id);

    await deleteListing(listing.id);
    await removeDeletedListings(testApp);
    expect(await findListing(stranger, conversation.id)).toMatchObject(gone);
    const messages = await sendRequest('GET', `/rest/v1/conversations/${conversation.id}/messages`, stranger);
    expect(messages.body.items).toHaveLength(2);
  });
});

describe('restoring does not publish a listing if', () => {
  test('it was taken down in the meantime', async () => {
    const { id, slug } = await saveTestListing({ title: 'Taken down while it was deleted' });
    await deleteListing(id);
    await moderation.takeDownListing(testApp.app, id, 'Not allowed here');
    expect(await restoreListing(id)).toMatchObject({
      status: 200,
      body: { status: 'draft', hidden_reason: 'Not allowed here' },
    });
    expect(await isListingPublic(slug)).toBe(false);
    expect(await moderation.restoreListing(testApp.app, id)).toMatchObject({ status: 'published' });
  });

  test('its owner was suspended in the meantime, until the suspension is lifted', async () => {
    const { id, slug } = await saveTestListing({ title: 'Restored by a suspended seller' });
    await deleteListing(id);
    const { sql, clock } = testApp;
    const setSuspended = (at: Date | null) =>
      sql`UPDATE private.credentials SET suspended_at = ${at} WHERE user_id = ${seller.userId}`;
    await setSuspended(clock.now());
    await moderation.hideListingsOf(testApp.app, sql, seller.userId);
    // The suspension above leaves the seller's session valid, so this request behaves like one that
    // passed the session check just before a suspension.
    expect(await restoreListing(id)).toMatchObject({ status: 200, body: { status: 'draft' } });
    expect(await isListingPublic(slug)).toBe(false);
    await setSuspended(null);
    await moderation.showListingsOf(sql, seller.userId);
    expect(await isListingPublic(slug)).toBe(true);
  });

  test('an administrator reverses its take-down after its owner deleted it', async () => {
    const { id, slug } = await saveTestListing({ title: 'Restored by an administrator' });
    await moderation.takeDownListing(testApp.app, id, 'By mistake');
    await deleteListing(id);
    await moderation.restoreListing(testApp.app, id);
    expect(await isListingPublic(slug)).toBe(false);
    await removeDeletedListings(testApp);
    expect(await countRows(id)).toBe(0);
  });
});

test('deleting an account removes its deleted listings and their files', async () => {
  const accounts = createAccountClient(testApp);
  const person = await testApp.signIn();
  const { publicUrl } = await accounts.upload(person);
  const { id } = await saveTestListing(
    { title: 'Deleted just before its seller', photos: [publicUrl] },
    person,
  );
  await sendRequest('DELETE', `/rest/v1/me/listings/${id}`, person);
  await accounts.deleteAccount(person);
  await removeDeletedListings(testApp);
  expect(await accounts.findTraces(person.userId)).toEqual([]);
  expect((await testApp.server.inject({ url: publicUrl })).statusCode).toBe(404);
});
