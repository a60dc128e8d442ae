import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { categories } from '#contract/categories.ts';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { seedDemoCampus } from '#server/demo/seed.ts';
import { readSigningKeys } from '#server/features/accounts/signing-keys.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { generateSecrets, type Secrets } from '#server/platform/secrets.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createActors, createAuthorizationFixtures } from '#server/testing/authorization-fixtures.ts';
import { getListeningPort, openRawSocket } from '#server/testing/raw-socket.ts';
import { passThroughImageProcessor } from '#server/testing/unprocessed-images.ts';

let testApp: TestApp;
let secrets: Secrets;
let people: Person[];
/** Headers and body of every public response, by URL. */
const responses = new Map<string, string>();

const fetchAndRecord = async (url: string): Promise<string> => {
  const { headers, body } = await testApp.server.inject({ url });
  const text = `${JSON.stringify(headers)}\n${body}`;
  responses.set(url, text);
  return body;
};

const crawlListings = async (): Promise<{ slug: string; user_id: string }[]> => {
  const found = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const page = JSON.parse(await fetchAndRecord(`/rest/v1/listings?limit=40${next}`));
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return found;
};

const screenPaths = [
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password/guessed',
  '/auth/callback',
  ...privateScreenPaths,
  '/safety',
  '/guidelines',
  '/how-it-works',
  '/contact',
  '/about',
  '/careers',
  '/terms',
  '/privacy',
  '/no-such-page',
];

const crawlPublicUrls = async (): Promise<void> => {
  const listings = await crawlListings();
  for (const { slug, user_id } of listings) {
    await fetchAndRecord(`/rest/v1/listings/${slug}`);
    await fetchAndRecord(`/rest/v1/listings/${slug}/similar`);
    await fetchAndRecord(`/rest/v1/users/${user_id}`);
    await fetchAndRecord(`/users/${user_id}`);
    await fetchAndRecord(`/users/${user_id}.data`);
    for (const path of ['listing', 'product']) {
      await fetchAndRecord(`/${path}/${slug}`);
      await fetchAndRecord(`/${path}/${slug}.data`);
    }
  }
  const lists = ['/search?q=e', '/search.data?q=e', '/', '/_root.data'];
  for (const category of categories) lists.push(`/category/${category}`, `/category/${category}.data`);
  const others = ['/sitemap.xml', '/robots.txt', '/docs/json', '/healthz', '/readyz', '/metrics'];
  for (const url of [...lists, ...screenPaths, ...others, '/auth/v1/.well-known/jwks.json'])
    await fetchAndRecord(url);
  // Search the listings for people's email addresses. No response may reveal to whom an address belongs.
  for (const { email } of people) await fetchAndRecord(`/rest/v1/listings?q=${encodeURIComponent(email)}`);
  for (const email of 'aeiou') await fetchAndRecord(`/rest/v1/listings/suggestions?q=${email}`);
};

/** Records all frames that an unauthenticated socket receives. */
const recordSocketFrames = async (topics: string[]): Promise<void> => {
  const socket = await openRawSocket(getListeningPort(testApp.server.server));
  for (const topic of topics) await socket.join(topic, { access_token: 'none' });
  // Record only the events and payloads of frames. Topics would cause false alarms, because an error reply
  // repeats the topic that the client requested.
  responses.set('a socket', JSON.stringify(socket.frames.map(([, , , event, payload]) => [event, payload])));
  socket.webSocket.terminate();
};

beforeAll(async () => {
  secrets = generateSecrets();
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild(), secrets } });
  const { sql, clock } = testApp;
  await seedDemoCampus({
    sql,
    files: createDiskFileStore({ root: join(testApp.dataDir, 'files') }),
    images: [passThroughImageProcessor],
    uploads: join(testApp.dataDir, 'uploads'),
    clock,
    campus: defaultCampus,
    passwordHash: async () => `$argon2id$${randomBytes(16).toString('hex')}`,
    grantsRoles: true,
  });
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  const actors = await createActors(testApp);
  people = Object.values(actors);
  await createAuthorizationFixtures(testApp, actors);
  const post = (url: string, payload: object) => testApp.server.inject({ method: 'POST', url, payload });
  // Create secrets that must not leak: a log-in code, a reset link, a report, and the one-time credential
  // that a successful password check returns.
  clock.advance(60);
  await post('/functions/v1/send-otp', { email: actors.owner.email });
  await post('/functions/v1/forgot-password', { email: actors.owner.email });
  await post('/functions/v1/login-password', { email: actors.owner.email, password: 'cardinal-and-gold-1' });
  await post('/rest/v1/forms/report', { subject: 'Between us only', details: 'The details of a report.' });
  const conversations = await sql<{ id: string }[]>`SELECT id FROM conversations`;
  const users = await sql<{ id: string }[]>`SELECT id FROM users`;
  await crawlPublicUrls();
  await recordSocketFrames([
    ...conversations.slice(0, 40).map(({ id }) => `conversation:${id}`),
    ...users.map(({ id }) => `user:${id}`),
  ]);
}, 120_000);
afterAll(() => testApp.close());

const expectInNoResponse = (what: string, values: readonly string[]): void => {
  expect(values.length, `the fixtures contain no ${what}`).toBeGreaterThan(0);
  for (const [url, text] of responses) {
    for (const value of values) {
      expect(text.includes(value), `${what} ${value.slice(0, 12)}… is in the response of ${url}`).toBe(false);
    }
  }
};

/** Returns a binary secret in every encoding in which a response could contain it. */
const listBinaryEncodings = (bytes: Buffer): string[] => [
  bytes.toString('hex'),
  bytes.toString('base64').replace(/=+$/, ''),
  bytes.toString('base64url'),
  JSON.stringify(bytes).slice(0, 60),
];

describe('promise 18: public responses contain only public data', () => {
  test('the crawl reached every kind of response', () => {
    const kinds = ['/', '/rest/v1/listings?limit=40', '/sitemap.xml', '/category/furniture.data', 'a socket'];
    for (const url of kinds) expect(responses.has(url), url).toBe(true);
    expect(responses.size).toBeGreaterThan(300);
    expect([...responses].filter(([url]) => url.endsWith('.data')).length).toBeGreaterThan(100);
  });

  test('they contain no hash, token or session id', async () => {
    const { sql } = testApp;
    const bytes = await sql<{ secret: Buffer }[]>`
      SELECT token_hash AS secret FROM private.refresh_tokens
      UNION ALL SELECT successor_salt FROM private.refresh_tokens
      UNION ALL SELECT token_hash FROM private.reset_tokens
      UNION ALL SELECT password_hash FROM private.auth_passwords
      UNION ALL SELECT code_hash FROM private.codes WHERE code_hash IS NOT NULL`;
    const texts = await sql<{ secret: string }[]>`
      SELECT password_hash AS secret FROM private.credentials WHERE password_hash IS NOT NULL
      UNION ALL SELECT id::text FROM private.sessions`;
    expectInNoResponse('hash', [
      ...bytes.flatMap(({ secret }) => listBinaryEncodings(secret)),
      ...texts.map(({ secret }) => secret),
    ]);
    expectInNoResponse('token', [
      ...people.flatMap(({ token, refreshToken }) => [token, refreshToken]),
      ...testApp.mails.flatMap((mail) => ('token' in mail ? [mail.token] : [])),
    ]);
    const signingKeys = await readSigningKeys(testApp.app);
    const keys = signingKeys.keys.map(({ jwk }) => String(jwk.d));
    expectInNoResponse('key of the server', [...keys, ...listBinaryEncodings(secrets.pepper)]);
  });

  test('they contain no text of a message, draft or form', async () => {
    const { sql } = testApp;
    const rows = await sql<{ text: string }[]>`
      SELECT message_text AS text FROM messages WHERE char_length(message_text) > 20
      UNION ALL SELECT description FROM listings WHERE status = 'draft' AND char_length(description) > 20
      UNION ALL SELECT id::text FROM listings WHERE status = 'draft'
      UNION ALL SELECT id::text FROM conversations
      UNION ALL SELECT coalesce(content ->> 'details', content ->> 'message') FROM private.forms
        WHERE content ?| ARRAY['details', 'message']`;
    expectInNoResponse(
      'private text',
      rows.map(({ text }) => text),
    );
  });

  test('they contain no account’s address unless its owner put it into a published listing', async () => {
    const accounts = await testApp.sql<{ email: string }[]>`SELECT email FROM users`;
    const published = await testApp.sql<{ slug: string; contact_email: string }[]>`
      SELECT slug, contact_email FROM listings WHERE status = 'published' AND contact_email IS NOT NULL`;
    const hidden = await testApp.sql<{ contact_email: string }[]>`
      SELECT contact_email FROM listings WHERE status = 'draft' AND contact_email IS NOT NULL`;
    const contactOf = new Map(published.map(({ slug, contact_email }) => [slug, contact_email]));
    const addresses = [
      ...accounts.map(({ email }) => email),
      ...hidden.map(({ contact_email }) => contact_email),
    ];
    for (const [url, text] of responses) {
      const [, slug = ''] =
        /^\/(?:rest\/v1\/listings|listing|product)\/([^/.?]+)(?:\.data)?$/.exec(url) ?? [];
      const decodedUrl = decodeURIComponent(url);
      for (const email of addresses) {
        if (contactOf.get(slug) === email || decodedUrl.includes(email)) continue;
        expect(text.includes(email), `${email} is in the response of ${url}`).toBe(false);
      }
    }
    const found = people.filter(({ email }) => {
      const response = responses.get(`/rest/v1/listings?q=${encodeURIComponent(email)}`) ?? '';
      return !response.includes('"total":0');
    });
    expect(found).toEqual([]);
  });
});
