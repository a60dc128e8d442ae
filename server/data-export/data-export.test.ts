import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDataSchema } from '#contract/own-data.ts';
import { createRateLimits } from '#server/http/rate-limits.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createDeletableAccounts } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTalk } from '#server/testing/conversations.ts';
import { saveListing } from '#server/testing/listings.ts';
import { portOf } from '#server/testing/raw-socket.ts';
import { createDataExport } from './service.ts';

let server: TestApp;
let talk: ReturnType<typeof createTalk>;
let leavers: ReturnType<typeof createDeletableAccounts>;
let friend: Person;

beforeAll(async () => {
  server = await startTestApp();
  talk = createTalk(server);
  leavers = createDeletableAccounts(server);
  friend = await server.signIn({ email: 'fay.friend@usc.edu', fullName: 'Fay Friend-Hidden' });
  await server.sql`UPDATE users SET show_full_name = false WHERE id = ${friend.userId}`;
  await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

const kept = async (person: Person) => {
  const answer = await leavers.download(person);
  expect(answer.statusCode).toBe(200);
  return { headers: answer.headers, text: answer.body, data: ownDataSchema.strict().parse(answer.json()) };
};

/** Writes messages past everything that announces them. */
const write = async (id: string, from: Person, count: number, text: string): Promise<void> => {
  await server.sql`
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, last_seq + n, ${from.userId}, gen_random_uuid(), ${text}, ${server.clock.now()}
    FROM conversations, generate_series(1, ${count}::int) AS n WHERE id = ${id}`;
  await server.sql`UPDATE conversations SET last_seq = last_seq + ${count} WHERE id = ${id}`;
};

test('everything kept about a person is in the file, with whole addresses', async () => {
  const person = await server.signIn({ fullName: 'Dora Data' });
  const photo = await leavers.upload(person);
  const avatar = await leavers.upload(person, 'avatars');
  await server.app.inject({
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
  const published = await saveListing(server, person, { photos: [photo.publicUrl] });
  server.clock.advance(60);
  await saveListing(server, person, { title: 'A draft of mine', status: 'draft', price: null });
  const asked = (await talk.open(friend, published.body.listing.id)).body;
  await talk.send(friend, asked.id, 'Is it there? 🪑');
  await talk.send(person, asked.id, 'It is.');
  server.clock.advance(60);
  const opened = await talk.begin(person, friend);
  await server.app.inject({
    method: 'POST',
    url: '/rest/v1/forms/report',
    headers: person.headers,
    payload: { subject: 'Noise', details: 'At night', item_link: '' },
  });

  const { data, headers } = await kept(person);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="quad-data-2026-03-02.json"',
    'cache-control': 'no-store',
  });
  expect(data).toMatchObject({
    site: 'http://quad.test',
    exported_at: server.clock.now().toISOString(),
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

test('promise 18: of others it holds what one sees on the site, and no secret of anyone', async () => {
  const person = await server.signIn();
  const { id } = await talk.begin(person, friend);
  await talk.send(person, id, 'Hello');
  const gone = await server.signIn({ fullName: 'Gerry Gone' });
  server.clock.advance(60);
  const left = await talk.begin(gone, person);
  await talk.send(gone, left.id, 'I am leaving');
  await leavers.leave(gone);

  const { text, data } = await kept(person);
  expect(data.conversations.map((talked) => talked.with)).toEqual(['fay.friend', null]);
  for (const hidden of [friend.email, 'Friend-Hidden', 'Gerry', gone.email, person.refreshToken]) {
    expect(text).not.toContain(hidden);
  }
  expect(text).not.toMatch(/hash|token|client_id|salt/);
  expect(text).not.toContain(friend.userId);
});

test('why a listing was taken down is in the file', async () => {
  const person = await server.signIn();
  const { body } = await saveListing(server, person);
  await server.sql`
    UPDATE listings SET status = 'draft', hidden_at = ${server.clock.now()}, hidden_with = 'listing',
      hidden_reason = 'Sold twice' WHERE id = ${body.listing.id}`;
  const { data } = await kept(person);
  expect(data.listings).toMatchObject([
    { id: body.listing.id, status: 'draft', hidden_reason: 'Sold twice' },
  ]);
});

test('a stored file’s place is kept from it', async () => {
  const person = await server.signIn();
  const resume = { key: 'forms/1/resume.pdf', name: 'cv.pdf', bytes: 5 };
  await server.sql`
    INSERT INTO private.forms (id, kind, user_id, content, created_at)
    VALUES (${randomUUID()}, 'application', ${person.userId}, ${server.sql.json({ name: 'Ann', resume })},
      ${server.clock.now()})`;
  const { data } = await kept(person);
  expect(data.forms[0]?.content).toEqual({ name: 'Ann', resume: { name: 'cv.pdf', bytes: 5 } });
});

test('visitors get none, and a dead session neither', async () => {
  const visitor = await server.app.inject({ url: '/rest/v1/me/data' });
  expect([visitor.statusCode, visitor.json().code]).toEqual([401, 'not_authenticated']);
  const person = await server.signIn();
  await leavers.leave(person);
  expect((await leavers.download(person)).statusCode).toBe(401);
});

test('five downloads an hour, and no more', async () => {
  const sql = openDatabase(server.databaseUrl, { max: 2 });
  const limits = createRateLimits(sql);
  const who = { address: '10.1.1.1', userId: randomUUID() };
  for (let asked = 0; asked < 5; asked += 1) await limits.consume('download', who);
  await expect(limits.consume('download', who)).rejects.toMatchObject({ code: 'rate_limited' });
  await sql.end();
});

/** Asks over a real connection and reads only when told to. */
const begin = (person: Person) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const port = portOf(server.app.server);
    const asked = request({ port, path: '/rest/v1/me/data', headers: person.headers }, resolve);
    asked.on('error', reject);
    asked.end();
  });

test('ten thousand messages are read a page at a time, and only as fast as they are taken', async () => {
  const person = await server.signIn();
  const { id } = await talk.begin(person, friend);
  await write(id, person, 10_000, 'ü'.repeat(2000));
  let reads = 0;
  const { read } = createDataExport({ sql: server.sql, clock: server.clock, publicUrl: 'http://quad.test' });
  const pieces = await read(person.userId, async () => {
    reads += 1;
  });
  const beforeMessages = 3;
  const pageOfMessages = 500;
  let messages = 0;
  for await (const piece of pieces) {
    if (!piece.startsWith('{"from":"you","text":"ü')) continue;
    messages += 1;
    expect(reads).toBeLessThanOrEqual(beforeMessages + Math.ceil(messages / pageOfMessages));
  }
  expect(messages).toBe(10_000);
});

test('promise 12: a reader who takes their time loses access with the session', async () => {
  const person = await server.signIn();
  const { id } = await talk.begin(person, friend);
  await write(id, friend, 10_000, 'x'.repeat(2000));
  const answer = await begin(person);
  await new Promise<void>((done) => answer.once('readable', done));
  await server.app.inject({
    method: 'POST',
    url: '/auth/v1/logout?scope=global',
    headers: person.headers,
  });
  let size = 0;
  const taken = (async () => {
    for await (const chunk of answer) size += chunk.length;
  })();
  await expect(taken).rejects.toThrow('aborted');
  expect(size).toBeLessThan(20_000_000);
});
