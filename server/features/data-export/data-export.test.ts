import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personalDataExportSchema } from '#contract/data-export.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { getListeningPort } from '#server/testing/raw-socket.ts';
import { exportPersonalData } from './export.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let accountClient: ReturnType<typeof createAccountClient>;
let friend: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  accountClient = createAccountClient(testApp);
  friend = await testApp.signIn({ email: 'fay.friend@usc.edu', fullName: 'Fay Friend-Hidden' });
  await testApp.sql`UPDATE users SET show_full_name = false WHERE id = ${friend.userId}`;
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => testApp.close());

const downloadExport = async (person: Person) => {
  const response = await accountClient.download(person);
  expect(response.statusCode).toBe(200);
  return {
    headers: response.headers,
    text: response.body,
    data: personalDataExportSchema.strict().parse(response.json()),
  };
};

/** Inserts messages directly into the database, without announcing them. */
const insertMessages = async (id: string, from: Person, count: number, text: string): Promise<void> => {
  await testApp.sql`
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, last_seq + n, ${from.userId}, gen_random_uuid(), ${text}, ${testApp.clock.now()}
    FROM conversations, generate_series(1, ${count}::int) AS n WHERE id = ${id}`;
  await testApp.sql`UPDATE conversations SET last_seq = last_seq + ${count} WHERE id = ${id}`;
};

test('contains all data stored about a person, with absolute URLs', async () => {
  const person = await testApp.signIn({ fullName: 'Dora Data' });
  const photo = await accountClient.upload(person);
  const avatar = await accountClient.upload(person, 'avatars');
  await testApp.server.inject({
    method: 'PATCH',
    url: '/rest/v1/me',
    headers: person.headers,
    payload: {
      role: 'Student',
      bio: 'Line one\nand "two"',
      avatar_url: avatar.publicUrl,
      email_messages: false,
    },
  });
  const published = await submitListingForm(testApp, person, { photos: [photo.publicUrl] });
  testApp.clock.advance(60);
  await submitListingForm(testApp, person, { title: 'A draft of mine', status: 'draft', price: null });
  const asked = (await conversationClient.open(friend, published.body.listing.id)).body;
  await conversationClient.send(friend, asked.id, 'Is it there? 🪑');
  await conversationClient.send(person, asked.id, 'It is.');
  testApp.clock.advance(60);
  const opened = await conversationClient.begin(person, friend);
  await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/forms/report',
    headers: person.headers,
    payload: { subject: 'Noise', details: 'At night', item_link: '' },
  });

  const { data, headers } = await downloadExport(person);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="quad-data-2026-03-02.json"',
    'cache-control': 'no-store',
  });
  expect(data).toMatchObject({
    site: 'http://quad.test',
    currency: 'USD',
    timezone: 'America/Los_Angeles',
    exported_at: testApp.clock.now().toISOString(),
    profile: {
      id: person.userId,
      email: person.email,
      full_name: 'Dora Data',
      role: 'Student',
      bio: 'Line one\nand "two"',
      avatar_url: `http://quad.test${avatar.publicUrl}`,
    },
    settings: { email_messages: false, show_full_name: true },
    sessions: [{ method: 'otp' }],
    listings: [
      { title: 'A draft of mine', status: 'draft', price: null, photos: [], published_at: null },
      { id: published.body.listing.id, status: 'published', photos: [`http://quad.test${photo.publicUrl}`] },
    ],
    forms: [{ kind: 'report', content: { subject: 'Noise', details: 'At night' } }],
    conversations: [
      {
        id: asked.id,
        listing: published.body.listing.title,
        you_are: 'seller',
        with: 'fay.friend',
        messages: [
          { from: 'other', text: 'Is it there? 🪑' },
          { from: 'you', text: 'It is.' },
        ],
      },
      { id: opened.id, you_are: 'buyer', messages: [] },
    ],
  });
  expect(data.photos.map(({ url }) => url).sort()).toEqual(
    [photo, avatar].map(({ publicUrl }) => `http://quad.test${publicUrl}`).sort(),
  );
});

test('promise 18: contains no secrets, and about other people only what the person can see', async () => {
  const person = await testApp.signIn();
  const { id } = await conversationClient.begin(person, friend);
  await conversationClient.send(person, id, 'Hello');
  const deletedPerson = await testApp.signIn({ fullName: 'Gerry Gone' });
  testApp.clock.advance(60);
  const abandoned = await conversationClient.begin(deletedPerson, person);
  await conversationClient.send(deletedPerson, abandoned.id, 'I am leaving');
  await accountClient.deleteAccount(deletedPerson);

  const { text, data } = await downloadExport(person);
  expect(data.conversations.map((conversation) => conversation.with)).toEqual(['fay.friend', null]);
  for (const hidden of [friend.email, 'Friend-Hidden', 'Gerry', deletedPerson.email, person.refreshToken]) {
    expect(text).not.toContain(hidden);
  }
  expect(text).not.toMatch(/hash|token|client_id|salt/);
  expect(text).not.toContain(friend.userId);
});

test('contains the reason why a listing was hidden', async () => {
  const person = await testApp.signIn();
  const { body } = await submitListingForm(testApp, person);
  await testApp.sql`
    UPDATE listings SET status = 'draft', hidden_at = ${testApp.clock.now()}, hidden_with = 'listing',
      hidden_reason = 'Sold twice' WHERE id = ${body.listing.id}`;
  const { data } = await downloadExport(person);
  expect(data.listings).toMatchObject([
    { id: body.listing.id, status: 'draft', hidden_reason: 'Sold twice' },
  ]);
});

test('does not contain the storage key of a file', async () => {
  const person = await testApp.signIn();
  const resume = { key: 'forms/1/resume.pdf', name: 'cv.pdf', bytes: 5 };
  await testApp.sql`
    INSERT INTO private.forms (id, kind, user_id, content, created_at)
    VALUES (${randomUUID()}, 'application', ${person.userId}, ${json({ name: 'Ann', resume })},
      ${testApp.clock.now()})`;
  const { data } = await downloadExport(person);
  expect(data.forms[0]?.content).toEqual({ name: 'Ann', resume: { name: 'cv.pdf', bytes: 5 } });
});

test('returns 401 to visitors and ended sessions', async () => {
  const visitor = await testApp.server.inject({ url: '/rest/v1/me/data' });
  expect([visitor.statusCode, visitor.json().code]).toEqual([401, 'not_authenticated']);
  const person = await testApp.signIn();
  await accountClient.deleteAccount(person);
  expect((await accountClient.download(person)).statusCode).toBe(401);
});

test('allows five downloads an hour', async () => {
  const sql = openDatabase(testApp.databaseUrl, { max: 2 });
  const limits = createRateLimits(sql);
  const caller = { address: '10.1.1.1', userId: randomUUID() };
  for (let downloads = 0; downloads < 5; downloads += 1) await limits.consume('download', caller);
  await expect(limits.consume('download', caller)).rejects.toMatchObject({ code: 'rate_limited' });
  await sql.end();
});

/** Starts a download over a real connection without reading it. */
const startDownload = (person: Person) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const port = getListeningPort(testApp.server.server);
    const download = request({ port, path: '/rest/v1/me/data', headers: person.headers }, resolve);
    download.on('error', reject);
    download.end();
  });

test('reads ten thousand messages in pages and only as fast as they are consumed', async () => {
  const person = await testApp.signIn();
  const { id } = await conversationClient.begin(person, friend);
  await insertMessages(id, person, 10_000, 'ü'.repeat(2000));
  let reads = 0;
  const pieces = await exportPersonalData(testApp.app, person.userId, async () => {
    reads += 1;
  });
  const beforeMessages = 3;
  const pageOfMessages = 500;
  let messages = 0;
  for await (const piece of pieces) {
    if (!piece.startsWith('{"from":"you","kind":"text","text":"ü')) continue;
    messages += 1;
    expect(reads).toBeLessThanOrEqual(beforeMessages + Math.ceil(messages / pageOfMessages));
  }
  expect(messages).toBe(10_000);
});

test('promise 12: a slow download ends with its session', async () => {
  const person = await testApp.signIn();
  const { id } = await conversationClient.begin(person, friend);
  await insertMessages(id, friend, 10_000, 'x'.repeat(2000));
  const response = await startDownload(person);
  await new Promise<void>((done) => response.once('readable', done));
  await testApp.server.inject({
    method: 'POST',
    url: '/auth/v1/logout?scope=global',
    headers: person.headers,
  });
  let size = 0;
  const reading = (async () => {
    for await (const chunk of response) size += chunk.length;
  })();
  await expect(reading).rejects.toThrow('aborted');
  expect(size).toBeLessThan(20_000_000);
});
