import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimits } from '#server/http/rate-limits.ts';
import { createDeletableAccounts } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTalk, insertDesk, texts } from '#server/testing/conversations.ts';
import { goodListing, saveListing } from '#server/testing/listings.ts';

let server: TestApp;
let talk: ReturnType<typeof createTalk>;
let leavers: ReturnType<typeof createDeletableAccounts>;
let friend: Person;

beforeAll(async () => {
  server = await startTestApp();
  talk = createTalk(server);
  leavers = createDeletableAccounts(server);
  friend = await server.signIn({ fullName: 'Fay Friend' });
});
afterAll(() => server.close());

const filesOf = async (person: Person): Promise<string[]> => {
  const answer = await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return answer
    .filter((entry) => entry.isFile() && entry.parentPath.includes(person.userId))
    .map(({ name }) => name);
};
const get = (url: string, person?: Person) =>
  server.app.inject({ url, ...(person ? { headers: person.headers } : {}) });

test('nothing of one’s own is left, neither in any table nor among the files', async () => {
  const leaver = await server.signIn({ fullName: 'Lea Leaver' });
  const [photo, unused] = [await leavers.upload(leaver), await leavers.upload(leaver)];
  const avatar = await leavers.upload(leaver, 'avatars');
  expect([photo.status, unused.status, avatar.status]).toEqual([200, 200, 200]);
  await server.app.inject({
    method: 'PATCH',
    url: '/rest/v1/me',
    headers: leaver.headers,
    payload: { avatar_url: avatar.publicUrl, bio: 'Moving out' },
  });
  const contact = { contactEmail: leaver.email };
  const published = await saveListing(server, leaver, { ...contact, photos: [photo.publicUrl] });
  await saveListing(server, leaver, { ...contact, title: 'A draft of mine', status: 'draft' });
  const { body: asked } = await talk.open(friend, published.body.listing.id);
  await talk.send(friend, asked.id, 'Is it still there?');
  await talk.send(leaver, asked.id, 'It is');
  await server.app.inject({
    method: 'POST',
    url: '/rest/v1/forms/report',
    headers: leaver.headers,
    payload: { subject: 'Noise', details: 'At night', item_link: '' },
  });
  for (const url of ['/functions/v1/send-otp', '/functions/v1/forgot-password']) {
    server.clock.advance(60);
    await server.app.inject({ method: 'POST', url, payload: { email: leaver.email } });
  }
  await server.sql`
    INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
    VALUES (${leaver.email}, 'Your code', '123456', '123456', ${server.clock.now()})`;
  const limits = createRateLimits(server.sql);
  const caller = { address: '10.0.0.1', userId: leaver.userId, about: leaver.email };
  for (const limit of ['write', 'guess', 'wrong_password'] as const) await limits.consume(limit, caller);
  const counted = () => server.sql`SELECT key FROM private.rate_limits WHERE key NOT LIKE '%:s:%'`;
  expect(await counted()).toHaveLength(3);
  expect((await filesOf(leaver)).length).toBeGreaterThan(30);
  expect((await leavers.tracesOf(leaver.userId, leaver.email)).length).toBeGreaterThan(8);

  expect(await leavers.leave(leaver)).toEqual({ status: 200, body: { success: true } });

  expect(await leavers.tracesOf(leaver.userId, leaver.email)).toEqual([]);
  expect(await counted()).toHaveLength(0);
  await server.jobs.runAll();
  expect(await filesOf(leaver)).toEqual([]);
  expect((await get(`/rest/v1/users/${leaver.userId}`)).statusCode).toBe(404);
  expect((await get(`/rest/v1/listings/${published.body.listing.slug}`)).statusCode).toBe(404);
});

describe('those who stay', () => {
  test('read on: the messages are there, the listing is unavailable under its title, nobody can be answered', async () => {
    const leaver = await server.signIn({ fullName: 'Lou Leaver' });
    const listing = (await saveListing(server, leaver)).body.listing;
    const { body: about } = await talk.open(friend, listing.id);
    await talk.send(friend, about.id, 'Hello');
    await talk.send(leaver, about.id, 'Good bye');
    const mine = await talk.begin(leaver, friend);
    await talk.send(leaver, mine.id, 'How much?');
    await leavers.leave(leaver);

    const gone = (await talk.ask(friend, 'GET', talk.at(about.id))).body;
    expect(gone).toMatchObject({
      other: null,
      seller_id: null,
      listing_id: null,
      listing: { title: goodListing.title, available: false, slug: null, price: null, photo: null },
      last_message: { message_text: 'Good bye', sender_id: null },
    });
    const { items } = (await talk.ask(friend, 'GET', talk.at(about.id, '/messages'))).body;
    expect(texts(items)).toEqual(['Hello', 'Good bye']);
    expect((await talk.ask(friend, 'GET', talk.at(mine.id))).body).toMatchObject({
      other: null,
      buyer_id: null,
      listing: { available: true },
    });
    for (const id of [about.id, mine.id]) {
      expect(await talk.send(friend, id, 'Are you there?')).toEqual({
        status: 409,
        body: {
          code: 'recipient_gone',
          error: 'This account was deleted. You can still read the conversation.',
        },
      });
    }
    const inbox = (await talk.ask(friend, 'GET', '/rest/v1/conversations')).body;
    expect(JSON.stringify(inbox)).not.toContain('Lou Leaver');
    expect(JSON.stringify(inbox)).not.toContain(leaver.email);
  });

  test('lose what was never said: a conversation nobody wrote in vanishes', async () => {
    const leaver = await server.signIn();
    const opened = await talk.begin(leaver, friend);
    const asked = await talk.begin(friend, leaver);
    await leavers.leave(leaver);
    for (const { id } of [opened, asked]) {
      expect((await talk.ask(friend, 'GET', talk.at(id))).status).toBe(404);
    }
  });

  test('and once both are gone, nothing of the conversation stays', async () => {
    const [one, other] = [await server.signIn(), await server.signIn()];
    const { id } = await talk.begin(one, other);
    await talk.send(one, id, 'Hello');
    await leavers.leave(one);
    await leavers.leave(other);
    expect(await server.sql`SELECT 1 FROM messages WHERE conversation_id = ${id}`).toHaveLength(0);
    expect(await server.sql`SELECT 1 FROM conversations WHERE id = ${id}`).toHaveLength(0);
  });
});

test('the same address may sign up again, as somebody new who sees nothing of the old', async () => {
  const before = await server.signIn({ fullName: 'Ann First' });
  await saveListing(server, before);
  const { id } = await talk.begin(before, friend);
  await talk.send(before, id, 'From the first Ann');
  await leavers.leave(before);

  const after = await server.signIn({ email: before.email, fullName: 'Ann Second' });
  expect(after.userId).not.toBe(before.userId);
  expect((await get('/rest/v1/conversations', after)).json()).toEqual({ items: [], unread_total: 0 });
  expect((await get('/rest/v1/me/listings', after)).json().items).toEqual([]);
  expect((await get('/rest/v1/me', after)).json()).toMatchObject({ full_name: 'Ann Second', bio: null });
  expect((await talk.ask(after, 'GET', talk.at(id))).status).toBe(404);
  expect((await talk.ask(friend, 'GET', talk.at(id))).body.other).toBeNull();
});

describe('who may', () => {
  test.each([
    ['no body', undefined],
    ['no word', {}],
    ['another word', { confirmation: 'REMOVE' }],
    ['the word in small letters', { confirmation: 'delete' }],
    ['something that is no word', { confirmation: true }],
  ])('%s is refused with the sentence of the field, and nothing is deleted', async (_what, payload) => {
    const { status, body } = await leavers.leave(friend, payload ?? {});
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'validation_failed',
      fields: { confirmation: 'Type DELETE to confirm' },
    });
    expect((await get('/rest/v1/me', friend)).statusCode).toBe(200);
  });

  test('promise 16: whom the body names does not matter; one deletes oneself only', async () => {
    const stranger = await server.signIn();
    const named = { confirmation: 'DELETE', id: friend.userId, user_id: friend.userId, email: friend.email };
    expect((await leavers.leave(stranger, named)).status).toBe(200);
    expect((await get('/rest/v1/me', friend)).json().id).toBe(friend.userId);
  });

  test('visitors and those already gone are asked to sign in', async () => {
    const visitor = await server.app.inject({
      method: 'DELETE',
      url: '/rest/v1/me',
      payload: { confirmation: 'DELETE' },
    });
    expect([visitor.statusCode, visitor.json().code]).toEqual([401, 'not_authenticated']);
    const leaver = await server.signIn();
    await leavers.leave(leaver);
    expect(await leavers.leave(leaver)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    const refreshed = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: leaver.refreshToken },
    });
    expect(refreshed.statusCode).toBe(400);
  });

  test('somebody else’s desk stays where it is', async () => {
    const leaver = await server.signIn();
    const desk = await insertDesk(server, friend);
    await leavers.leave(leaver);
    expect(await server.sql`SELECT 1 FROM listings WHERE id = ${desk}`).toHaveLength(1);
  });
});
