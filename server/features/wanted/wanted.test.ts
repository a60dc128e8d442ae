import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { newConversationLimits } from '#contract/limits.ts';
import { maxOpenWantedPosts } from '#contract/paging.ts';
import { maxWantedDays, wantedErrorMessages } from '#contract/wanted.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import type { RequestMethod } from '#server/testing/requests.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';

let testApp: TestApp;
let buyer: Person;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
});
beforeEach(async () => {
  await testApp.sql`DELETE FROM wanted_posts`;
  await testApp.sql`DELETE FROM listings`;
  buyer = await testApp.signIn({ fullName: 'Bea Buyer' });
  seller = await testApp.signIn({ fullName: 'Sam Seller' });
});
afterAll(() => testApp.close());

const getToday = () => toCampusDay(testApp.app.config.campus, testApp.clock.now());
const send = async (person: Person | undefined, method: RequestMethod, url: string, payload?: object) => {
  const response = await testApp.server.inject({
    method,
    url,
    ...(person ? { headers: person.headers } : {}),
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};
const buildForm = (form: object = {}) => ({
  clientId: randomUUID(),
  title: 'Mini fridge',
  category: 'electronics',
  maxPrice: 60,
  until: getToday(),
  ...form,
});
const want = async (form: object = {}, by = buyer) => {
  const { status, body } = await send(by, 'POST', '/rest/v1/me/wanted', buildForm(form));
  expect(status, JSON.stringify(body)).toBe(200);
  return calls.createWantedPost.output.parse(body);
};
const listTitles = async (query = '', viewer?: Person): Promise<string[]> => {
  const { body } = await send(viewer, 'GET', `/rest/v1/wanted?${query}`);
  return calls.listWantedPosts.output.parse(body).items.map(({ title }) => title);
};
const fridge = {
  title: 'Small mini-fridge, like new',
  category: 'electronics',
  price: 45,
  description: 'A fridge for a dorm room, one year old, quiet, and clean inside.',
};
const list = async (form: object = {}, by = seller): Promise<string> => {
  const { status, body } = await submitListingForm(testApp, by, { ...fridge, ...form });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.listing.id;
};
const tell = async (listing: string, by = seller): Promise<number> =>
  (
    await expectOk(
      testApp.server.inject({
        method: 'POST',
        url: `/rest/v1/me/listings/${listing}/wanted`,
        headers: by.headers,
      }),
    )
  ).people;
const listNotifications = async (person: Person) => {
  await testApp.jobs.runAll();
  const { body } = await send(person, 'GET', '/rest/v1/notifications');
  return body.items;
};

describe('wanted posts', () => {
  test('are shown to everybody, in their category and by the text of their titles', async () => {
    const post = await want();
    testApp.clock.advance(1);
    await want({ title: 'Calculus textbook', category: 'textbooks', maxPrice: '' });
    expect(await listTitles()).toEqual(['Calculus textbook', 'Mini fridge']);
    expect(await listTitles('category=electronics')).toEqual(['Mini fridge']);
    expect(await listTitles('q=FRIDGE')).toEqual(['Mini fridge']);
    expect(await listTitles('q=sofa')).toEqual([]);
    const { body } = await send(undefined, 'GET', '/rest/v1/wanted?q=fridge');
    expect(body.items).toEqual([
      expect.objectContaining({
        id: post.id,
        max_price: 60,
        user: expect.objectContaining({ id: buyer.userId, name: expect.any(String) }),
      }),
    ]);
  });

  test.each([
    [{ title: 'ab' }, { title: wantedErrorMessages.titleShort }],
    [{ title: 'x'.repeat(81) }, { title: wantedErrorMessages.titleLong }],
    [{ title: 'Fridge 🧊' }, { title: wantedErrorMessages.titleEmoji }],
    [{ title: '...' }, { title: wantedErrorMessages.titleShort }],
    [{ title: 'Cocaine' }, { title: expect.stringContaining('can’t be asked for here') }],
    [{ category: 'trojan-merch' }, { category: wantedErrorMessages.category }],
    [{ maxPrice: 'cheap' }, { maxPrice: 'Enter the price in digits, for example 25 or 25.50' }],
    [{ maxPrice: 100_001 }, { maxPrice: 'Price must be at most $100,000.00' }],
    [{ until: '2020-01-01' }, { until: wantedErrorMessages.until }],
    [{ until: '2031-01-01' }, { until: wantedErrorMessages.until }],
  ])('are refused with %j', async (form, fields) => {
    expect(await send(buyer, 'POST', '/rest/v1/me/wanted', buildForm(form))).toMatchObject({
      status: 400,
      body: { fields },
    });
  });

  test('end after their last day, can be changed, closed and renewed, and are removed 90 days later', async () => {
    const until = addDays(getToday(), maxWantedDays);
    const { id, state } = await want({ until });
    expect(state).toBe('open');
    const url = `/rest/v1/me/wanted/${id}`;
    expect((await send(buyer, 'DELETE', url)).body.state).toBe('ended');
    expect(await listTitles()).toEqual([]);
    const changed = buildForm({ title: 'Large fridge', until });
    expect((await send(buyer, 'PUT', url, changed)).body).toMatchObject({
      title: 'Large fridge',
      state: 'open',
    });
    expect(await listTitles()).toEqual(['Large fridge']);
    expect((await send(seller, 'PUT', url, changed)).status).toBe(404);
    expect((await send(seller, 'DELETE', url)).status).toBe(404);
    testApp.clock.advance((maxWantedDays + 1) * dayInSeconds);
    expect(await listTitles()).toEqual([]);
    const count = async () => (await testApp.sql`SELECT FROM wanted_posts`).length;
    testApp.clock.advance(88 * dayInSeconds);
    await testApp.jobs.repeatNow('remove-overdue');
    expect(await count()).toBe(1);
    testApp.clock.advance(2 * dayInSeconds);
    await testApp.jobs.repeatNow('remove-overdue');
    expect(await count()).toBe(0);
  });

  test('are at most five at a time, and the same request again creates no second one', async () => {
    const clientId = randomUUID();
    const first = await want({ clientId });
    expect((await want({ clientId })).id).toBe(first.id);
    for (let n = 1; n < maxOpenWantedPosts; n += 1) await want();
    const refused = { status: 409, body: { code: 'wanted_posts_full' } };
    expect(await send(buyer, 'POST', '/rest/v1/me/wanted', buildForm())).toMatchObject(refused);
    await send(buyer, 'DELETE', `/rest/v1/me/wanted/${first.id}`);
    await want();
    expect(await send(buyer, 'PUT', `/rest/v1/me/wanted/${first.id}`, buildForm())).toMatchObject(refused);
    const { body } = await send(buyer, 'GET', '/rest/v1/me/wanted');
    expect(body.items.map((it: { state: string }) => it.state)).toEqual([...Array(5).fill('open'), 'ended']);
  });

  test('can be reported, taken down by a moderator, and restored', async () => {
    const { id } = await want();
    const report = { subject: 'wanted', subject_id: id, reason: 'prohibited' };
    expect((await send(seller, 'POST', '/rest/v1/reports', report)).status).toBe(200);
    expect((await send(buyer, 'POST', '/rest/v1/reports', report)).body.code).toBe('own_report');
    const moderator = await signInToConsole(testApp, 'administrator');
    const { body: cases } = await send(moderator, 'GET', '/rest/v1/moderation/cases');
    const caseUrl = `/rest/v1/moderation/cases/${cases.items[0].id}`;
    const { body: about } = await send(moderator, 'GET', caseUrl);
    expect(about).toMatchObject({
      subject: 'wanted',
      title: 'Mini fridge',
      quotes: [
        { content: { subject: 'wanted', title: 'Mini fridge', category: 'electronics', max_price: 60 } },
      ],
      possible_actions: ['dismiss', 'warn', 'unpublish', 'suspend'],
    });
    const decide = async (action: string) => {
      const decision = { action, reason: 'Not allowed here' };
      expect((await send(moderator, 'POST', `${caseUrl}/actions`, decision)).status).toBe(200);
      await applyModerationActions(testApp);
    };
    await decide('unpublish');
    expect(await listTitles()).toEqual([]);
    const { body: own } = await send(buyer, 'GET', '/rest/v1/me/wanted');
    expect(own.items).toEqual([
      expect.objectContaining({ state: 'taken_down', hidden_reason: 'Not allowed here' }),
    ]);
    const change = await send(buyer, 'PUT', `/rest/v1/me/wanted/${id}`, buildForm());
    expect(change.body.code).toBe('wanted_post_taken_down');
    const { body: decisions } = await send(buyer, 'GET', '/rest/v1/me/decisions');
    expect(decisions.items).toEqual([expect.objectContaining({ subject: 'wanted', title: 'Mini fridge' })]);
    await decide('restore');
    expect(await listTitles()).toEqual(['Mini fridge']);
  });

  test('are hidden while their author is away or suspended, and from people who blocked the author', async () => {
    await want();
    await expectOk(
      testApp.server.inject({
        method: 'PUT',
        url: `/rest/v1/me/blocks/${buyer.userId}`,
        headers: seller.headers,
      }),
    );
    expect(await listTitles('', seller)).toEqual([]);
    expect(await listTitles()).toEqual(['Mini fridge']);
    const until = addDays(getToday(), 3);
    await expectOk(
      testApp.server.inject({
        method: 'PUT',
        url: '/rest/v1/me/away',
        headers: buyer.headers,
        payload: { until },
      }),
    );
    expect(await listTitles()).toEqual([]);
    await expectOk(
      testApp.server.inject({ method: 'DELETE', url: '/rest/v1/me/away', headers: buyer.headers }),
    );
    expect(await listTitles()).toEqual(['Mini fridge']);
    await suspendByCommand(testApp.app, buyer.email);
    expect(await listTitles()).toEqual([]);
  });
});

describe('where only members of the campus take part, one whose membership has ended', () => {
  beforeEach(async () => {
    testApp.app.config.campusOnly = true;
    await want();
    await testApp.sql`
      INSERT INTO private.memberships (user_id, ended_at) VALUES (${buyer.userId}, now())
      ON CONFLICT (user_id) DO UPDATE SET ended_at = excluded.ended_at`;
  });
  afterEach(() => {
    testApp.app.config.campusOnly = false;
  });

  test('posts and renews nothing, and is neither shown nor told until it returns', async () => {
    const refused = { status: 403, body: { code: 'membership_ended' } };
    expect(await send(buyer, 'POST', '/rest/v1/me/wanted', buildForm())).toMatchObject(refused);
    const { body } = await send(buyer, 'GET', '/rest/v1/me/wanted');
    const { clientId: _, ...form } = buildForm();
    expect(await send(buyer, 'PUT', `/rest/v1/me/wanted/${body.items[0].id}`, form)).toMatchObject(refused);
    expect(await listTitles()).toEqual([]);
    const listing = await list();
    expect(await tell(listing)).toBe(0);
    await testApp.sql`UPDATE private.memberships SET ended_at = NULL WHERE user_id = ${buyer.userId}`;
    expect(await listTitles()).toEqual(['Mini fridge']);
    expect(await tell(listing)).toBe(1);
  });

  test('is not written to', async () => {
    const [{ id }] = (await send(buyer, 'GET', '/rest/v1/me/wanted')).body.items;
    const answer = { listing_id: await list(), text: 'I have one', client_id: randomUUID() };
    expect((await send(seller, 'POST', `/rest/v1/wanted/${id}/answers`, answer)).status).toBe(404);
  });
});

test('promise 121: wanted posts are in no list of things for sale, nor in their counts', async () => {
  await list();
  const read = async () => {
    const urls = [
      '?q=fridge',
      '?category=electronics',
      '',
      '/similar-matches?q=fridge',
      '/suggestions?q=fri',
    ];
    return Promise.all(
      urls.map(async (url) => (await send(undefined, 'GET', `/rest/v1/listings${url}`)).body),
    );
  };
  const before = await read();
  await want({ title: 'Fridge, the same' });
  expect(await read()).toEqual(before);
});

// A small vocabulary, so that many listings match. It includes accents, quotes, wildcards and the mascot.
const words = [
  'desk',
  'Désk',
  'lamp',
  "student's",
  '50%',
  'c_b',
  'ß',
  '桌子',
  'XL',
  'trojan',
  'merch',
  'mini-fridge',
  'mini',
  'fridge',
  '42',
  '0131103628',
  '9780131103627',
];
const phrase = (maxLength: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength }).map((parts) => parts.join(' '));

test('promise 121: a wanted post matches the listings that searches for its words find, before and after they are posted', {
  timeout: 240_000,
}, async () => {
  let matches = 0;
  const categories = ['furniture', 'merchandise'] as const;
  const price = fc.integer({ min: 1, max: 4 }).map((step) => step * 10.5);
  const listing = fc.record({
    category: fc.constantFrom(...categories),
    title: phrase(4).map((title) => `${title} to sell`.padEnd(12, '.').slice(0, 80)),
    description: phrase(3).map((text) => text.padEnd(40, '.')),
    location: phrase(2),
    price,
  });
  const post = fc.record({
    category: fc.constantFrom(...categories),
    title: phrase(3).map((title) => `Looking for a ${title}`),
    maxPrice: fc.option(price),
  });
  const others = await Promise.all(Array.from({ length: 9 }, () => testApp.signIn()));
  const count = async (method: 'GET' | 'POST', url: string, draft?: object): Promise<number> =>
    (await send(seller, method, url, draft)).body.people;
  // Each run compares each listing with each post, so large runs compare more pairs per request than many small ones.
  await fc.assert(
    fc.asyncProperty(
      fc.array(listing, { minLength: 9, maxLength: 9 }),
      fc.array(post, { minLength: 9, maxLength: 9 }),
      async (listings, posts) => {
        await testApp.sql`DELETE FROM wanted_posts`;
        await testApp.sql`DELETE FROM listings`;
        for (const [index, it] of posts.entries()) await want(it, others[index]);
        const told: { id: string; before: number; after: number }[] = [];
        for (const it of listings) {
          const before = await count('POST', '/rest/v1/wanted/matches', it);
          const id = await list({ ...it, condition: 'good' });
          told.push({ id, before, after: await count('GET', `/rest/v1/me/listings/${id}/wanted`) });
        }
        const foundByQuery = new Map<string, ReadonlySet<string>>();
        const search = async (query: string): Promise<ReadonlySet<string>> => {
          const { body } = await send(undefined, 'GET', `/rest/v1/listings?${query}`);
          return new Set(body.items.map(({ id }: { id: string }) => id));
        };
        const expected = new Map(told.map(({ id }) => [id, 0]));
        for (const { title, category, maxPrice } of posts) {
          const parts = title
            .replace('Looking for a ', '')
            .split(/[^\p{L}\p{N}]+/u)
            .filter((part) => part !== '');
          const found: ReadonlySet<string>[] = [];
          for (const q of parts) {
            const params = new URLSearchParams({ q, category, limit: '100' });
            if (maxPrice !== null) params.set('max_price', String(maxPrice));
            const query = params.toString();
            if (!foundByQuery.has(query)) foundByQuery.set(query, await search(query));
            found.push(foundByQuery.get(query) ?? new Set());
          }
          for (const [id, people] of expected)
            if (found.every((ids) => ids.has(id))) expected.set(id, people + 1);
        }
        expect(told, JSON.stringify({ listings, posts })).toEqual(
          [...expected].map(([id, people]) => ({ id, before: people, after: people })),
        );
        for (const people of expected.values()) matches += people;
      },
    ),
    { numRuns: 14 },
  );
  expect(matches).toBeGreaterThan(40);
});

test.each([
  ['textbooks', { isbn: '9780262033848' }, '978-0-262-03384-8'],
  ['textbooks', { isbn: '9780262033848' }, 'Looking for ISBN-13: 978-0-262-03384-8'],
  ['textbooks', { isbn: '9780262033848' }, 'isbn 0262033844'],
  ['textbooks', { isbn: '9780262033848' }, 'ISBN9780262033848'],
  ['textbooks', { isbn: '9780262033848' }, 'Wanted: ISBN (13) 978-0262033848'],
  ['textbooks', { isbn: '9780262033848' }, 'ISBN‑13: 978–0–262–03384–8'],
  ['textbooks', { isbn: '9780262033848' }, '978 0 262 03384 8'],
  ['textbooks', { isbn: '9780262033848' }, 'ISBN－10 ０−２６２−０３３８４−４'],
  ['textbooks', { isbn: '9780262033848' }, '978­0262​0﻿33848'],
  ['textbooks', { course: 'CSCI 270' }, 'CSCI 270 book'],
  ['game-day', { event_name: 'Derby', section: '112' }, 'Derby, 112'],
])(
  'people who look for %s with %j are counted while that is being written',
  async (category, fields, title) => {
    await want({ title, category, maxPrice: null });
    const draft = { title: 'A good book', description: '', location: 'Parkside', category, price: 5 };
    const count = async (body: object) => (await send(seller, 'POST', '/rest/v1/wanted/matches', body)).body;
    expect(await count(draft)).toEqual({ people: 0 });
    expect(await count({ ...draft, ...fields })).toEqual({ people: 1 });
  },
);

describe('telling people', () => {
  test('notifies each person once about a listing, whatever is repeated', async () => {
    await want();
    await want({ title: 'Fridge' });
    const other = await testApp.signIn();
    await want({ maxPrice: 40 }, other);
    await want({}, seller);
    const id = await list();
    const answers = await Promise.all([tell(id), tell(id), tell(id)]);
    expect(answers.toSorted()).toEqual([0, 0, 1]);
    expect(await tell(id)).toBe(0);
    expect(await listNotifications(buyer)).toEqual([
      expect.objectContaining({
        kind: 'saved_searches',
        title: 'Somebody has what you’re looking for',
        text: expect.stringContaining(fridge.title),
        path: expect.stringMatching(/^\/listing\/small-mini-fridge/),
      }),
    ]);
    expect(await listNotifications(other)).toEqual([]);
    expect(await listNotifications(seller)).toEqual([]);
  });

  test.each(['buyer', 'seller'] as const)(
    'leaves out people where the %s has blocked the other',
    async (by) => {
      await want();
      const [blocking, blocked] = by === 'buyer' ? [buyer, seller] : [seller, buyer];
      await expectOk(
        testApp.server.inject({
          method: 'PUT',
          url: `/rest/v1/me/blocks/${blocked.userId}`,
          headers: blocking.headers,
        }),
      );
      expect(await tell(await list())).toBe(0);
    },
  );

  test('needs the own, published listing', async () => {
    await want();
    const draft = await list({ status: 'draft' });
    expect(await tell(draft)).toBe(0);
    expect((await send(buyer, 'POST', `/rest/v1/me/listings/${draft}/wanted`)).status).toBe(404);
  });
});

describe('answering', () => {
  const answer = (post: string, listing: string, body: object = {}, by = seller) =>
    send(by, 'POST', `/rest/v1/wanted/${post}/answers`, {
      listing_id: listing,
      client_id: randomUUID(),
      text: 'I have one. Do you still need it?',
      ...body,
    });

  test('lists the own listings, first those that match', async () => {
    const { id: post } = await want();
    const matching = await list();
    testApp.clock.advance(1);
    const newer = await list({
      title: 'A desk lamp with a shade',
      description: 'It gives a warm light and stands on any table.',
    });
    await list({ title: 'A draft of another fridge', status: 'draft' });
    const { body } = await send(seller, 'GET', `/rest/v1/wanted/${post}/listings`);
    expect(body.items).toEqual([
      expect.objectContaining({ id: matching, matches: true }),
      expect.objectContaining({ id: newer, matches: false }),
    ]);
  });

  test('begins a conversation about the listing, in which the seller writes first', async () => {
    const { id: post } = await want();
    const listing = await list();
    const client_id = randomUUID();
    const first = await answer(post, listing, { client_id });
    expect(first.status).toBe(200);
    expect(await answer(post, listing, { client_id })).toEqual(first);
    const { body } = await send(buyer, 'GET', '/rest/v1/conversations');
    expect(body.items).toEqual([
      expect.objectContaining({ id: first.body.conversation_id, listing_id: listing, unread_count: 1 }),
    ]);
    const messages = await send(
      buyer,
      'GET',
      `/rest/v1/conversations/${first.body.conversation_id}/messages`,
    );
    expect(messages.body.items).toEqual([expect.objectContaining({ sender_id: seller.userId, seq: 1 })]);
    const later = await answer(post, listing);
    expect(later.body).toEqual(first.body);
  });

  test('counts as a new conversation of the person who answers, not of the one who is written to', async () => {
    await testApp.sql`UPDATE users SET created_at = ${testApp.clock.now()} WHERE id = ${seller.userId}`;
    const { points } = newConversationLimits.new;
    const listing = await list();
    for (let n = 0; n < points; n += 1) {
      const other = await testApp.signIn();
      const { id } = await want({}, other);
      expect((await answer(id, listing, { text: `No. ${n}` })).status).toBe(200);
    }
    const { id } = await want();
    expect(await answer(id, listing)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const [row] = await testApp.sql`
      SELECT count(*)::int AS count FROM conversations WHERE buyer_id = ${buyer.userId} AND last_seq > 0`;
    expect(row?.count).toBe(0);
  });

  test('is refused for the own post, a closed one, and listings of others or that are not published', async () => {
    const { id: post } = await want();
    const listing = await list();
    const own = await list({}, buyer);
    expect((await answer(post, own, {}, buyer)).body.code).toBe('own_wanted_post');
    expect((await answer(post, own)).body.code).toBe('listing_not_found');
    expect(
      (await answer(post, await list({ title: 'A draft of a fridge', status: 'draft' }))).body.code,
    ).toBe('listing_not_found');
    await send(buyer, 'DELETE', `/rest/v1/me/wanted/${post}`);
    expect((await answer(post, listing)).body.code).toBe('wanted_post_not_found');
  });
});
