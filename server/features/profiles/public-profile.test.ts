import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicProfileSchema } from '#contract/profiles.ts';
import { createDealEventLine } from '#contract/testing.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';

const minutes = 60;
const hours = 60 * minutes;
const days = 24 * hours;

let testApp: TestApp;
let seller: Person;
let conversations: ReturnType<typeof createConversationClient>;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  conversations = createConversationClient(testApp);
  seller = await testApp.signIn({ fullName: 'Sue Seller' });
});
afterAll(() => testApp.close());

const fetchProfile = async (id: string) => {
  const { statusCode, body } = await testApp.server.inject({ url: `/rest/v1/users/${id}` });
  return { status: statusCode, body: JSON.parse(body) };
};
const fetchPage = (id: string) => testApp.server.inject({ url: `/users/${id}` });
const changeProfile = (person: Person, payload: object) =>
  expectOk(testApp.server.inject({ method: 'PATCH', url: '/rest/v1/me', headers: person.headers, payload }));

test('the profile shows name, picture, badge, role, bio and sign-up date, but no email address', async () => {
  await changeProfile(seller, { role: 'Alumni', bio: 'Moving out in May.' });
  const { body } = await fetchProfile(seller.userId);
  expect(publicProfileSchema.strict().parse(body)).toEqual({
    id: seller.userId,
    name: 'Sue Seller',
    avatar_url: null,
    usc_verified: true,
    role: 'Alumni',
    bio: 'Moving out in May.',
    member_since: expect.stringContaining('T'),
    response_time: null,
    rating: null,
    review_count: 0,
    completed_trades: 0,
    deals_kept: null,
  });
  for (const id of ['00000000-0000-4000-8000-000000000000', 'me', '1; DROP TABLE users']) {
    expect(await fetchProfile(encodeURIComponent(id))).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
    expect((await fetchPage(encodeURIComponent(id))).statusCode).toBe(404);
  }
});

test('the role of a person without the verified badge is hidden', async () => {
  const stranger = await testApp.signIn({ email: 'someone@home.example' });
  await changeProfile(stranger, { role: 'Staff' });
  expect((await fetchProfile(stranger.userId)).body).toMatchObject({ role: null, usc_verified: false });
});

test('a bio from before bios were public is shown after its author saves it again', async () => {
  const person = await testApp.signIn();
  await testApp.sql`UPDATE users SET bio = 'For my eyes only' WHERE id = ${person.userId}`;
  expect((await fetchProfile(person.userId)).body.bio).toBeNull();
  expect((await fetchPage(person.userId)).body).not.toContain('For my eyes only');
  expect(await changeProfile(person, { role: 'Student' })).toMatchObject({ is_bio_public: false });
  expect((await fetchProfile(person.userId)).body.bio).toBeNull();
  expect(await changeProfile(person, { bio: 'For everyone' })).toMatchObject({ is_bio_public: true });
  expect((await fetchProfile(person.userId)).body.bio).toBe('For everyone');
  expect((await fetchPage(person.userId)).body).toContain('For everyone');
});

test('an unconfirmed or suspended person has no public profile; lifting the suspension restores it', async () => {
  const email = 'not-confirmed@usc.edu';
  const payload = { email, password: 'cardinal-and-gold-1', fullName: 'Nina Newcomer' };
  await expectOk(testApp.server.inject({ method: 'POST', url: '/functions/v1/signup', payload }));
  const [newcomer] = await testApp.sql<{ id: string }[]>`SELECT id FROM users WHERE email = ${email}`;
  expect((await fetchProfile(newcomer?.id ?? '')).status).toBe(404);

  const person = await testApp.signIn({ fullName: 'Sid Suspended' });
  expect((await fetchPage(person.userId)).body).toContain('Sid Suspended');
  const setSuspended = async (at: Date | null) => {
    await testApp.sql`UPDATE private.credentials SET suspended_at = ${at} WHERE user_id = ${person.userId}`;
    testApp.clock.advance(61);
  };
  await setSuspended(testApp.clock.now());
  expect((await fetchProfile(person.userId)).status).toBe(404);
  const page = await fetchPage(person.userId);
  expect([page.statusCode, page.body.includes('Sid Suspended')]).toEqual([404, false]);
  await setSuspended(null);
  expect((await fetchProfile(person.userId)).status).toBe(200);
});

describe('the page of a profile', () => {
  test('is not listed by search engines and shows the active listings of this person only', async () => {
    const { body } = await submitListingForm(testApp, seller, { title: 'A desk of dark walnut' });
    await submitListingForm(testApp, seller, { title: 'A draft of something', status: 'draft' });
    const other = await testApp.signIn();
    await submitListingForm(testApp, other, { title: 'A chair of somebody else' });
    const page = (await fetchPage(seller.userId)).body;
    expect(page).toContain('<meta name="robots" content="noindex"');
    expect(page).toContain('A desk of dark walnut');
    expect(page).not.toContain('A draft of something');
    expect(page).not.toContain('A chair of somebody else');
    expect((await testApp.server.inject({ url: `/listing/${body.listing.slug}` })).body).toContain(
      `href="/users/${seller.userId}"`,
    );
    const list = await testApp.server.inject({ url: `/rest/v1/listings?seller=${seller.userId}` });
    expect(list.json()).toMatchObject({ total: 1, items: [{ title: 'A desk of dark walnut' }] });
  });

  test('is updated at once with the profile and the listings, and disappears with the account', async () => {
    const person = await testApp.signIn({ fullName: 'Before Change' });
    expect((await fetchPage(person.userId)).body).toContain('Before Change');
    await changeProfile(person, { full_name: 'After Change' });
    expect((await fetchPage(person.userId)).body).toContain('After Change');
    await submitListingForm(testApp, person, { title: 'A lamp that has just been posted' });
    expect((await fetchPage(person.userId)).body).toContain('A lamp that has just been posted');
    const buyer = await testApp.signIn({ fullName: 'Without Listings' });
    for (const { headers, userId } of [person, buyer]) {
      expect((await fetchPage(userId)).statusCode).toBe(200);
      const payload = { confirmation: 'DELETE' };
      await expectOk(testApp.server.inject({ method: 'DELETE', url: '/rest/v1/me', headers, payload }));
      expect((await fetchPage(userId)).statusCode).toBe(404);
    }
  });
});

describe('the response time', () => {
  const buyers: Person[] = [];
  const getBuyer = async (index: number): Promise<Person> => (buyers[index] ??= await testApp.signIn());

  /** Lets one buyer after the other write to a new seller, who replies after the given times (null: never). */
  const createSellerWithReplies = async (delays: readonly (number | null)[]): Promise<Person> => {
    const person = await testApp.signIn();
    const { body } = await submitListingForm(testApp, person);
    for (const [index, delay] of delays.entries()) {
      const buyer = await getBuyer(index);
      const { id } = (await conversations.open(buyer, body.listing.id)).body;
      const send = (sender: Person) =>
        expectOk(
          testApp.server.inject({
            method: 'POST',
            url: conversations.at(id, '/messages'),
            headers: sender.headers,
            payload: { client_id: crypto.randomUUID(), message_text: 'Hello' },
          }),
        );
      await send(buyer);
      await testApp.sql`UPDATE messages SET created_at = ${addSeconds(testApp.clock.now(), -(delay ?? 0))}
        WHERE conversation_id = ${id}`;
      if (delay !== null) await send(person);
    }
    return person;
  };
  const findResponseTime = async ({ userId }: Person) => (await fetchProfile(userId)).body.response_time;

  test('is the median time to the first reply, given at least five conversations', async () => {
    const person = await createSellerWithReplies([10 * minutes, 20 * minutes, 1 * hours, 3 * days]);
    expect(await findResponseTime(person)).toBeNull();
    expect(
      await findResponseTime(await createSellerWithReplies([60, 120, 1 * hours, 2 * hours, 3 * days])),
    ).toBe('hour');
    expect(
      await findResponseTime(await createSellerWithReplies([60, 120, 2 * hours, 3 * hours, 3 * days])),
    ).toBe('day');
    expect(
      await findResponseTime(await createSellerWithReplies([60, 120, 2 * days, 2 * days, 3 * days])),
    ).toBeNull();
  });

  test('counts only messages, not event lines of deals', async () => {
    const person = await createSellerWithReplies([60, 60, 60, 60, 60]);
    await testApp.sql`UPDATE messages SET created_at = created_at - interval '25 hours' WHERE conversation_id IN (
      SELECT id FROM conversations WHERE seller_id = ${person.userId})`;
    expect(await findResponseTime(person)).toBe('hour');
    await testApp.sql`UPDATE messages SET kind = 'deal', data = ${json(createDealEventLine())}
      WHERE sender_id = ${person.userId}`;
    expect(await findResponseTime(person)).toBeNull();
  });

  test('includes unanswered messages that are a day old, and ignores conversations older than 90 days', async () => {
    const person = await createSellerWithReplies([60, 60, 60, null, null, null]);
    expect(await findResponseTime(person)).toBeNull();
    const prompt = await createSellerWithReplies([60, 60, 60, 60, 60, null, null, null, null, null, null]);
    expect(await findResponseTime(prompt)).toBe('hour');
    const answeredAll = await createSellerWithReplies([60, 60, 60, 60, 60]);
    testApp.clock.advance(1 * days + 1);
    expect(await findResponseTime(prompt)).toBeNull();
    expect(await findResponseTime(answeredAll)).toBe('hour');
    testApp.clock.advance(89 * days);
    expect(await findResponseTime(answeredAll)).toBeNull();
  });
});
