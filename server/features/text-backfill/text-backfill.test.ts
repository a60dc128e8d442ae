import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { normalizeLine, normalizeParagraph } from '#contract/text.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { toAssignments } from '#server/platform/postgres/sql-fragments.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, getMessageTexts } from '#server/testing/conversations.ts';
import { submitListingForm, validListingForm } from '#server/testing/listings.ts';

// The tests write texts with SQL, in the form in which earlier versions of the server stored them.
let testApp: TestApp;
let seller: Person;
let buyer: Person;
let conversationClient: ReturnType<typeof createConversationClient>;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  conversationClient = createConversationClient(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
  await testApp.sql`DELETE FROM private.checked_texts`;
});

const runTextBackfill = () => testApp.jobs.repeatNow('check-stored-texts');
const fetchPath = async (url: string, person?: Person) => {
  const response = await testApp.server.inject({ url, headers: person?.headers ?? {} });
  return { status: response.statusCode, body: response.body };
};
const addInvisibleCharacters = (text: string): string =>
  `\u202E${text.slice(0, 3)}\u200B\u{E0041}${text.slice(3)}\u2066`;
const invisibleText = '\u200B\u2060\u3164';

/**
 * Publishes a listing, then overwrites the given columns with SQL, as an earlier version of the server
 * would have stored them.
 */
const storeListing = async (columns: Record<string, string | null>) => {
  // Each listing gets a different location, because saving the same content twice within seconds
  // creates only one listing.
  const { body } = await submitListingForm(testApp, seller, { location: crypto.randomUUID() });
  const { id, slug } = body.listing;
  await testApp.sql`UPDATE listings SET ${toAssignments(columns)} WHERE id = ${id}`;
  const find = async () => JSON.parse((await fetchPath(`/rest/v1/me/listings/${id}`, seller)).body);
  return { id, slug, find };
};
const storeProfile = async (person: Person, columns: Record<string, string | boolean | null>) => {
  await testApp.sql`UPDATE users SET ${toAssignments(columns)} WHERE id = ${person.userId}`;
};
const fetchPublicName = async (person: Person): Promise<string> =>
  JSON.parse((await fetchPath(`/rest/v1/users/${person.userId}`)).body).name;
const fetchOwnName = async (person: Person) =>
  JSON.parse((await fetchPath('/rest/v1/me', person)).body).full_name;

test('promise 54: invisible characters are removed from a stored listing and its pages', async () => {
  const { title, description } = validListingForm;
  const phone = '(213) 555-0100';
  const listing = await storeListing({
    title: addInvisibleCharacters(title),
    description: addInvisibleCharacters(description),
    location: addInvisibleCharacters('Parkside'),
    contact_phone: addInvisibleCharacters(phone),
  });
  expect((await fetchPath(`/product/${listing.slug}`)).body).toContain('\u202E');
  await runTextBackfill();
  expect(await listing.find()).toMatchObject({
    title,
    description,
    location: 'Parkside',
    contact_phone: phone,
    status: 'published',
  });
  expect((await fetchPath(`/product/${listing.slug}`)).body).not.toMatch(/[\u202E\u200B\u2066]/u);
});

test('stored texts of all kinds get the composed form and at most six combining marks on a letter', async () => {
  const stack = '\u0301'.repeat(50);
  const listing = await storeListing({
    title: `POA\u0308NG chair in white${stack}`,
    description: `Cafe\u0301 au lait, ${'comfortable. '.repeat(5)}${stack}`,
    location: 'Cafe\u0301',
  });
  await storeProfile(seller, { full_name: 'Jose\u0301', bio: 'Cafe\u0301' });
  const { id } = await conversationClient.begin(buyer, seller);
  await conversationClient.send(buyer, id, 'first');
  await testApp.sql`UPDATE messages SET message_text = ${`Cafe\u0301${stack}`} WHERE conversation_id = ${id}`;
  await testApp.sql`
    INSERT INTO reviews (author_party, author_id, author_key, subject_id, rating, tags, review_text, public_at, created_at, updated_at)
    SELECT 'buyer', ${buyer.userId}, gen_random_uuid(), ${seller.userId}, 5, '{}', ${`Cafe\u0301${stack}`}, now, now, now
    FROM (SELECT ${testApp.clock.now()}::timestamptz AS now) moment`;
  await runTextBackfill();
  const { title, description, location } = await listing.find();
  expect(title).toMatch(/^POÄNG chair in whité\p{M}{5}$/u);
  expect(description).toMatch(/^Café au lait, (comfortable\. ){4}comfortable\.\s?\p{M}{6}$/u);
  expect(location).toBe('Café');
  expect(await fetchOwnName(seller)).toBe('José');
  const messages = JSON.parse((await fetchPath(conversationClient.at(id, '/messages'), seller)).body).items;
  expect(getMessageTexts(messages)).toEqual([expect.stringMatching(/^Café\p{M}{5}$/u)]);
  const reviews = JSON.parse((await fetchPath(`/rest/v1/users/${seller.userId}/reviews`)).body);
  expect(reviews.items).toMatchObject([{ text: expect.stringMatching(/^Café\p{M}{5}$/u) }]);
});

test('a text that becomes longer in the composed form keeps its length', async () => {
  // NFC splits this Hebrew letter into three characters.
  const listing = await storeListing({ title: '\uFB2C'.repeat(80) });
  await runTextBackfill();
  expect((await listing.find()).title).toHaveLength(80);
});

test('texts that an earlier version has checked are checked by the current rules, too', async () => {
  const listing = await storeListing({ title: 'POA\u0308NG chair in white' });
  await testApp.sql`
    INSERT INTO private.checked_texts (table_name) VALUES ('users'), ('listings'), ('conversations'), ('messages')`;
  await runTextBackfill();
  expect((await listing.find()).title).toBe('POÄNG chair in white');
});

test.each([
  ['title', { title: `desk${'\u200B'.repeat(9)}` }, { title: 'desk' }],
  ['description', { description: invisibleText.repeat(20) }, { description: null }],
  ['location', { location: invisibleText }, { location: null }],
])(
  'promise 54: a listing whose %s consisted mostly of invisible characters becomes a draft',
  async (_what, stored, left) => {
    const listing = await storeListing(stored);
    await runTextBackfill();
    expect(await listing.find()).toMatchObject({ ...left, status: 'draft' });
  },
);

test('promise 54: check marks are removed from a published title, but a draft keeps its emoji', async () => {
  const published = await storeListing({ title: '✓ Verified seller of desks' });
  const draft = await storeListing({ title: '🪑 A chair', status: 'draft' });
  await runTextBackfill();
  expect((await published.find()).title).toBe('Verified seller of desks');
  expect((await draft.find()).title).toBe('🪑 A chair');
});

test('promise 54: messages and the titles of conversations lose invisible characters', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  await conversationClient.send(buyer, id, 'first');
  await conversationClient.send(buyer, id, 'second');
  await testApp.sql`
    UPDATE messages SET message_text = CASE seq WHEN 1 THEN ${addInvisibleCharacters('Still there?\nمی‌خواهم 👩‍🚀')} ELSE ${invisibleText} END
    WHERE conversation_id = ${id}`;
  await testApp.sql`
    UPDATE conversations SET listing_title = ${addInvisibleCharacters('Oak desk')}, listing_id = NULL WHERE id = ${id}`;
  await runTextBackfill();
  const messages = JSON.parse((await fetchPath(conversationClient.at(id, '/messages'), seller)).body).items;
  expect(getMessageTexts(messages)).toEqual(['Still there?\nمی‌خواهم 👩‍🚀', '(empty message)']);
  const inbox = JSON.parse((await fetchPath('/rest/v1/conversations', seller)).body);
  expect(inbox.items[0].listing.title).toBe('Oak desk');
});

test('promise 54: the conversation about a listing that becomes an untitled draft has a placeholder title', async () => {
  const listing = await storeListing({ title: validListingForm.title });
  const { body } = await conversationClient.open(buyer, listing.id);
  await conversationClient.send(buyer, body.id, 'Hello');
  await testApp.sql`UPDATE listings SET title = ${'\u200B'.repeat(12)} WHERE id = ${listing.id}`;
  await runTextBackfill();
  const inbox = JSON.parse((await fetchPath('/rest/v1/conversations', buyer)).body);
  expect(inbox.items[0].listing.title).toBe('Untitled listing');
});

describe('promise 54: a stored name', () => {
  test.each([
    ['loses invisible characters', addInvisibleCharacters('Sam Student'), 'Sam Student'],
    ['loses emoji and check marks', 'Sam ✨ Student ✔', 'Sam Student'],
    ['that is allowed stays unchanged', "José O'Neill-Ø", "José O'Neill-Ø"],
  ])('%s', async (_what, stored, expected) => {
    await storeProfile(seller, { full_name: stored });
    await runTextBackfill();
    expect(await fetchPublicName(seller)).toBe(expected);
  });

  test.each(['Quad Support', 'USC Admin', 'Аdmіn', '✓', invisibleText])(
    'that imitates staff, or would be empty after cleaning, is removed: %s',
    async (name) => {
      await storeProfile(seller, { full_name: name });
      await runTextBackfill();
      expect(await fetchPublicName(seller)).toBe(seller.email.split('@')[0]);
      expect(await fetchOwnName(seller)).toBeNull();
      const events = await testApp.sql`
        SELECT actor, reason FROM private.security_events WHERE event = 'name_replaced' AND user_id = ${seller.userId}`;
      expect(events).toEqual([{ actor: 'system', reason: 'the name is not allowed' }]);
    },
  );

  test('falls back to "User" when the email address also imitates staff, even if the full name is hidden', async () => {
    const shown = await testApp.signIn({ email: 'quad.support@usc.edu' });
    const hiding = await testApp.signIn({ email: 'usc.admin@usc.edu' });
    await storeProfile(shown, { full_name: 'USC Admin' });
    await storeProfile(hiding, { full_name: 'Sue Porter', show_full_name: false });
    await runTextBackfill();
    expect([await fetchPublicName(shown), await fetchPublicName(hiding)]).toEqual(['User', 'User']);
  });

  test('is replaced on cached pages', async () => {
    const { body } = await submitListingForm(testApp, seller, { location: seller.userId });
    await storeProfile(seller, { full_name: 'Quad Support' });
    const url = `/product/${body.listing.slug}`;
    expect((await fetchPath(url)).body).toContain('Quad Support');
    await runTextBackfill();
    expect((await fetchPath(url)).body).not.toContain('Quad Support');
  });
});

test('promise 54: the backfill stores special characters exactly as saving the text would', async () => {
  const codePoints = [
    ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x17b5, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028, 0x202e, 0x2066],
    ...[0x2800, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfffc, 0x1d159, 0xe0041, 0x0085, 0x0080],
    ...[0x00e9, 0x4e2d, 0x1f600, 0x1f1fa, 0x20e3, 0x0939, 0x06cc],
  ];
  const stored = codePoints.map((it) => `a ${String.fromCodePoint(it)} 5${String.fromCodePoint(it)} b`);
  const { id } = await conversationClient.begin(buyer, seller);
  for (const _ of stored) await conversationClient.send(buyer, id, 'Hello');
  for (const [index, text] of stored.entries())
    await testApp.sql`
      UPDATE messages SET message_text = ${text} WHERE conversation_id = ${id} AND seq = ${index + 1}`;
  const listings = await Promise.all(stored.map((text) => storeListing({ location: text })));
  await runTextBackfill();
  const { items } = JSON.parse((await fetchPath(conversationClient.at(id, '/messages'), seller)).body);
  expect(getMessageTexts(items)).toEqual(stored.map(normalizeParagraph));
  const locations = await Promise.all(listings.map(async ({ find }) => (await find()).location));
  expect(locations).toEqual(stored.map(normalizeLine));
});

test('promise 54: rows beyond the first batch are checked, too, and every row only once', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  await testApp.sql`
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT ${id}, n, ${buyer.userId}, gen_random_uuid(), ${'\u202Enumber '} || n, ${testApp.clock.now()}
    FROM generate_series(1, 2500) AS n`;
  await Promise.all([runTextBackfill(), runTextBackfill()]);
  expect(await testApp.sql`SELECT 1 FROM messages WHERE message_text LIKE ${'%\u202E%'}`).toHaveLength(0);
  expect(await testApp.sql`SELECT 1 FROM private.checked_texts WHERE checked_to IS NULL`).toHaveLength(7);
  await testApp.sql`UPDATE messages SET message_text = ${'\u202Elater'} WHERE conversation_id = ${id} AND seq = 1`;
  await runTextBackfill();
  expect(await testApp.sql`SELECT 1 FROM messages WHERE message_text = ${'\u202Elater'}`).toHaveLength(1);
});
