import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  createConversationClient,
  getMessageTexts,
  insertDeskListing,
} from '#server/testing/conversations.ts';
import { submitListingForm, validListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let accountClient: ReturnType<typeof createAccountClient>;
let friend: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  accountClient = createAccountClient(testApp);
  friend = await testApp.signIn({ fullName: 'Fay Friend' });
});
afterAll(() => testApp.close());

const listStoredFiles = async (person: Person): Promise<string[]> => {
  const entries = await readdir(join(testApp.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.parentPath.includes(person.userId))
    .map(({ name }) => name);
};
const fetchPath = (url: string, person?: Person) =>
  testApp.server.inject({ url, ...(person ? { headers: person.headers } : {}) });

test('deletes all data of the account from all tables and all its files', async () => {
  const deletedPerson = await testApp.signIn({ fullName: 'Lea Leaver' });
  const [photo, unused] = [
    await accountClient.upload(deletedPerson),
    await accountClient.upload(deletedPerson),
  ];
  const avatar = await accountClient.upload(deletedPerson, 'avatars');
  expect([photo.status, unused.status, avatar.status]).toEqual([200, 200, 200]);
  await testApp.server.inject({
    method: 'PATCH',
    url: '/rest/v1/me',
    headers: deletedPerson.headers,
    payload: { avatar_url: avatar.publicUrl, bio: 'Moving out' },
  });
  const contact = { contactEmail: deletedPerson.email };
  const published = await submitListingForm(testApp, deletedPerson, {
    ...contact,
    photos: [photo.publicUrl],
  });
  await submitListingForm(testApp, deletedPerson, { ...contact, title: 'A draft of mine', status: 'draft' });
  const { body: asked } = await conversationClient.open(friend, published.body.listing.id);
  await conversationClient.send(friend, asked.id, 'Is it still there?');
  await conversationClient.send(deletedPerson, asked.id, 'It is');
  await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/report',
    headers: deletedPerson.headers,
    payload: { subject: 'Noise', details: 'At night', item_link: '' },
  });
  for (const url of ['/functions/v1/send-otp', '/functions/v1/forgot-password']) {
    testApp.clock.advance(60);
    await testApp.server.inject({ method: 'POST', url, payload: { email: deletedPerson.email } });
  }
  await testApp.sql`
    INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
    VALUES (${deletedPerson.email}, 'Your code', '123456', '123456', ${testApp.clock.now()})`;
  const limits = createRateLimits(testApp.sql);
  const caller = { address: '10.0.0.1', userId: deletedPerson.userId, about: deletedPerson.email };
  for (const limit of ['write', 'guess', 'wrong_password'] as const) await limits.consume(limit, caller);
  const counted = () => testApp.sql`SELECT key FROM private.rate_limits WHERE key NOT LIKE '%:s:%'`;
  expect(await counted()).toHaveLength(3);
  expect((await listStoredFiles(deletedPerson)).length).toBeGreaterThan(30);
  expect((await accountClient.findTraces(deletedPerson.userId, deletedPerson.email)).length).toBeGreaterThan(
    8,
  );

  expect(await accountClient.deleteAccount(deletedPerson)).toEqual({ status: 200, body: { success: true } });

  expect(await accountClient.findTraces(deletedPerson.userId, deletedPerson.email)).toEqual([]);
  expect(await counted()).toHaveLength(0);
  await testApp.jobs.runAll();
  expect(await listStoredFiles(deletedPerson)).toEqual([]);
  expect((await fetchPath(`/rest/v1/users/${deletedPerson.userId}`)).statusCode).toBe(404);
  expect((await fetchPath(`/rest/v1/listings/${published.body.listing.slug}`)).statusCode).toBe(404);
});

describe('the other party', () => {
  test('can still read the messages and the listing’s title, but not reply', async () => {
    const deletedPerson = await testApp.signIn({ fullName: 'Lou Leaver' });
    const listing = (await submitListingForm(testApp, deletedPerson)).body.listing;
    const { body: about } = await conversationClient.open(friend, listing.id);
    await conversationClient.send(friend, about.id, 'Hello');
    await conversationClient.send(deletedPerson, about.id, 'Good bye');
    const own = await conversationClient.begin(deletedPerson, friend);
    await conversationClient.send(deletedPerson, own.id, 'How much?');
    await accountClient.deleteAccount(deletedPerson);

    const afterDeletion = (await conversationClient.ask(friend, 'GET', conversationClient.at(about.id))).body;
    expect(afterDeletion).toMatchObject({
      other: null,
      seller_id: null,
      listing_id: null,
      listing: { title: validListingForm.title, available: false, slug: null, price: null, cover: null },
      last_message: { message_text: 'Good bye', sender_id: null },
    });
    const { items } = (
      await conversationClient.ask(friend, 'GET', conversationClient.at(about.id, '/messages'))
    ).body;
    expect(getMessageTexts(items)).toEqual(['Hello', 'Good bye']);
    expect((await conversationClient.ask(friend, 'GET', conversationClient.at(own.id))).body).toMatchObject({
      other: null,
      buyer_id: null,
      listing: { available: true },
    });
    for (const id of [about.id, own.id]) {
      expect(await conversationClient.send(friend, id, 'Are you there?')).toEqual({
        status: 409,
        body: {
          code: 'recipient_gone',
          error: 'This account was deleted. You can still read the conversation.',
        },
      });
    }
    const inbox = (await conversationClient.ask(friend, 'GET', '/rest/v1/conversations')).body;
    expect(JSON.stringify(inbox)).not.toContain('Lou Leaver');
    expect(JSON.stringify(inbox)).not.toContain(deletedPerson.email);
  });

  test('no longer sees conversations without messages', async () => {
    const deletedPerson = await testApp.signIn();
    const opened = await conversationClient.begin(deletedPerson, friend);
    const asked = await conversationClient.begin(friend, deletedPerson);
    await accountClient.deleteAccount(deletedPerson);
    for (const { id } of [opened, asked]) {
      expect((await conversationClient.ask(friend, 'GET', conversationClient.at(id))).status).toBe(404);
    }
  });

  test('nothing of a conversation remains once both accounts are deleted', async () => {
    const [one, other] = [await testApp.signIn(), await testApp.signIn()];
    const { id } = await conversationClient.begin(one, other);
    await conversationClient.send(one, id, 'Hello');
    await accountClient.deleteAccount(one);
    await accountClient.deleteAccount(other);
    expect(await testApp.sql`SELECT 1 FROM messages WHERE conversation_id = ${id}`).toHaveLength(0);
    expect(await testApp.sql`SELECT 1 FROM conversations WHERE id = ${id}`).toHaveLength(0);
  });
});

test('the same address can sign up again as a new account without access to the old data', async () => {
  const before = await testApp.signIn({ fullName: 'Ann First' });
  await submitListingForm(testApp, before);
  const { id } = await conversationClient.begin(before, friend);
  await conversationClient.send(before, id, 'From the first Ann');
  await accountClient.deleteAccount(before);

  const after = await testApp.signIn({ email: before.email, fullName: 'Ann Second' });
  expect(after.userId).not.toBe(before.userId);
  expect((await fetchPath('/rest/v1/conversations', after)).json()).toEqual({ items: [], next_cursor: null });
  expect((await fetchPath('/rest/v1/me/listings', after)).json().items).toEqual([]);
  expect((await fetchPath('/rest/v1/me', after)).json()).toMatchObject({
    full_name: 'Ann Second',
    bio: null,
  });
  expect((await conversationClient.ask(after, 'GET', conversationClient.at(id))).status).toBe(404);
  expect((await conversationClient.ask(friend, 'GET', conversationClient.at(id))).body.other).toBeNull();
});

describe('authorization', () => {
  test.each([
    ['no body', undefined],
    ['no confirmation', {}],
    ['another word', { confirmation: 'REMOVE' }],
    ['the word in small letters', { confirmation: 'delete' }],
    ['a confirmation that is not text', { confirmation: true }],
  ])('%s is refused with the field’s message, and nothing is deleted', async (_what, payload) => {
    const { status, body } = await accountClient.deleteAccount(friend, payload ?? {});
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'validation_failed',
      fields: { confirmation: 'Type DELETE to confirm' },
    });
    expect((await fetchPath('/rest/v1/me', friend)).statusCode).toBe(200);
  });

  test('promise 16: ids in the body are ignored; callers delete only their own account', async () => {
    const stranger = await testApp.signIn();
    const named = { confirmation: 'DELETE', id: friend.userId, user_id: friend.userId, email: friend.email };
    expect((await accountClient.deleteAccount(stranger, named)).status).toBe(200);
    expect((await fetchPath('/rest/v1/me', friend)).json().id).toBe(friend.userId);
  });

  test('refuses visitors and deleted accounts with 401', async () => {
    const visitor = await testApp.server.inject({
      method: 'DELETE',
      url: '/rest/v1/me',
      payload: { confirmation: 'DELETE' },
    });
    expect([visitor.statusCode, visitor.json().code]).toEqual([401, 'not_authenticated']);
    const deletedPerson = await testApp.signIn();
    await accountClient.deleteAccount(deletedPerson);
    expect(await accountClient.deleteAccount(deletedPerson)).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    });
    const refreshed = await testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: deletedPerson.refreshToken },
    });
    expect(refreshed.statusCode).toBe(400);
  });

  test('does not delete another person’s listing', async () => {
    const deletedPerson = await testApp.signIn();
    const desk = await insertDeskListing(testApp, friend);
    await accountClient.deleteAccount(deletedPerson);
    expect(await testApp.sql`SELECT 1 FROM listings WHERE id = ${desk}`).toHaveLength(1);
  });
});
