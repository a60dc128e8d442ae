import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dealReviewsSchema, reviewPageSchema } from '#contract/reviews.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDeskListing } from '#server/testing/conversations.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { removeReview, restoreReview } from './moderation.ts';

const day = 24 * 60 * 60;
const text = 'The desk was exactly as described, and carrying it was quick.';
const form = { rating: 5, tags: ['Friendly', 'On time'], text };

const bus = createInProcessBus();
let testApp: TestApp;
let buyer: Person;
let seller: Person;
let stranger: Person;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild(), bus } });
  [buyer, seller, stranger] = [
    await testApp.signIn({ fullName: 'Ben Buyer' }),
    await testApp.signIn({ fullName: 'Sue Seller' }),
    await testApp.signIn({ fullName: 'Stella Stranger' }),
  ];
});
afterAll(() => testApp.close());

interface DealState {
  state?: string;
  cancelled_by?: 'buyer' | 'seller' | null;
  is_late?: boolean;
  reported?: 'buyer' | 'seller' | null;
  is_contested?: boolean;
}

/** Inserts a deal that is completed now, unless another state is given, with its conversation. Returns its id. */
const insertDeal = async (from = buyer, to = seller, deal: DealState = {}): Promise<string> => {
  const now = testApp.clock.now();
  const [listingId, conversationId] = [await insertDeskListing(testApp, to), randomUUID()];
  await testApp.sql`
    INSERT INTO conversations (id, listing_id, listing_title, buyer_id, seller_id, last_seq, created_at, updated_at)
    VALUES (${conversationId}, ${listingId}, 'Oak desk', ${from.userId}, ${to.userId}, 1, ${now}, ${now})`;
  await testApp.sql`
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    VALUES (${conversationId}, 1, ${from.userId}, gen_random_uuid(), 'Hello', ${now})`;
  const { state = 'completed' } = deal;
  const id = randomUUID();
  await testApp.sql`
    INSERT INTO deals (id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, cancelled_by, is_late,
      reported, is_contested, created_at, changed_at, completed_at)
    VALUES (${id}, ${conversationId}, ${from.userId}, ${to.userId}, 'sale', ${state},
      ${state === 'offered' ? 'seller' : null}, 'Oak desk', 45, ${deal.cancelled_by ?? null}, ${deal.is_late ?? false},
      ${deal.reported ?? null}, ${deal.is_contested ?? false}, ${now}, ${now}, ${state === 'completed' ? now : null})`;
  return id;
};

const call = async (person: Person | undefined, method: 'GET' | 'POST', url: string, payload?: object) => {
  const send = async (headers: Record<string, string>, path = url, body = payload) => {
    const response = await testApp.server.inject({
      method: body ? 'POST' : method,
      url: path,
      headers,
      ...(body ? { payload: body } : {}),
    });
    return { status: response.statusCode, body: response.json() };
  };
  const response = await send({ ...person?.headers });
  if (!person || response.status !== 401) return response;
  // Renew the access token, which is valid for an hour.
  const { body } = await send({}, '/auth/v1/token?grant_type=refresh_token', {
    refresh_token: person.refreshToken,
  });
  person.refreshToken = body.refresh_token;
  person.headers.authorization = `Bearer ${body.access_token}`;
  return send(person.headers);
};
const review = (person: Person, dealId: string, content: object = form) =>
  call(person, 'POST', `/rest/v1/deals/${dealId}/review`, content);
const getReviews = async (person: Person, dealId: string) =>
  dealReviewsSchema.strict().parse((await call(person, 'GET', `/rest/v1/deals/${dealId}/review`)).body);
const listReviewsAbout = async ({ userId }: Person, query = '') =>
  (await call(undefined, 'GET', `/rest/v1/users/${userId}/reviews${query}`)).body;
const fetchProfile = async ({ userId }: Person) =>
  (await call(undefined, 'GET', `/rest/v1/users/${userId}`)).body;
const downloadData = async (person: Person): Promise<string> =>
  JSON.stringify((await call(person, 'GET', '/rest/v1/me/data')).body);
const fetchPage = async ({ userId }: Person): Promise<string> =>
  (await testApp.server.inject({ url: `/users/${userId}` })).body;

describe('promise 67: a review stays invisible until both parties have reviewed or 14 days have passed', () => {
  /** Expects that a review's text appears in no response to anybody except its author. */
  const expectInvisible = async (hidden: string, dealId: string, subject: Person): Promise<void> => {
    expect(await getReviews(subject, dealId)).toMatchObject({ other: null });
    expect(await downloadData(subject)).not.toContain(hidden);
    expect(JSON.stringify(await listReviewsAbout(subject))).not.toContain(hidden);
    expect(await fetchPage(subject)).not.toContain(hidden);
  };

  test('promise 67: both reviews are published when the second one is submitted', async () => {
    const [ben, sue] = [await testApp.signIn({ fullName: 'Ben' }), await testApp.signIn({ fullName: 'Sue' })];
    const id = await insertDeal(ben, sue);
    expect((await review(ben, id)).body).toMatchObject({
      own: { ...form, tags: ['On time', 'Friendly'], is_public: false },
      can_review: true,
    });
    await testApp.jobs.repeatNow('count-published-reviews');
    await expectInvisible(text, id, sue);
    expect(await downloadData(ben)).toContain(text);
    expect(await fetchProfile(sue)).toMatchObject({ rating: null, review_count: 0 });

    expect((await review(ben, id, { rating: 4, text: 'Changed before it was public.' })).status).toBe(200);
    await expectInvisible('Changed before', id, sue);
    const answer = await review(sue, id, { rating: 3, tags: [], text: 'Came late.' });
    expect(answer.body).toMatchObject({
      own: { rating: 3, is_public: true },
      other: { rating: 4, text: 'Changed before it was public.' },
      can_review: false,
    });
    expect(await downloadData(sue)).toContain('Changed before it was public.');
    const page = reviewPageSchema.strict().parse(await listReviewsAbout(sue));
    expect(page).toMatchObject({ items: [{ rating: 4, author: { name: 'Ben' } }], next_cursor: null });
    expect(await fetchPage(sue)).toContain('Changed before it was public.');
    expect(await fetchProfile(sue)).toMatchObject({ rating: 4, review_count: 1, completed_trades: 1 });
    expect(await fetchProfile(ben)).toMatchObject({ rating: 3, review_count: 1 });
  });

  test('promise 67: a review without a counterpart is published after 14 days, even before the job has run', async () => {
    const [ben, sue] = [await testApp.signIn(), await testApp.signIn()];
    const id = await insertDeal(ben, sue);
    expect((await review(ben, id)).status).toBe(200);
    testApp.clock.advance(14 * day - 1);
    await testApp.jobs.repeatNow('count-published-reviews');
    await expectInvisible(text, id, sue);
    testApp.clock.advance(1);
    expect(await listReviewsAbout(sue)).toMatchObject({ items: [{ text }] });
    expect((await getReviews(sue, id)).other).toMatchObject({ text });
    expect((await review(sue, id)).body).toMatchObject({ code: 'review_not_possible' });
    await fetchPage(sue);
    await testApp.jobs.repeatNow('count-published-reviews');
    expect(await fetchProfile(sue)).toMatchObject({ rating: 5, review_count: 1 });
    expect(await fetchPage(sue)).toContain(text);
  });
});

describe('promise 65: reviews of a stranger’s deal', () => {
  test('promise 65: return the same 404 as reviews of a missing deal', async () => {
    const id = await insertDeal();
    for (const dealId of [id, randomUUID()]) {
      for (const { status, body } of [
        await review(stranger, dealId),
        await call(stranger, 'GET', `/rest/v1/deals/${dealId}/review`),
      ])
        expect([status, body.code]).toEqual([404, 'deal_not_found']);
    }
    expect((await call(undefined, 'GET', `/rest/v1/users/${randomUUID()}/reviews`)).status).toBe(404);
  });
});

test('only completed deals can be reviewed, for 14 days, and not after the reviews are public', async () => {
  const open = await insertDeal(buyer, seller, { state: 'offered' });
  expect((await review(buyer, open)).body.code).toBe('review_not_possible');
  const late = await insertDeal();
  testApp.clock.advance(14 * day);
  expect((await review(buyer, late)).body.code).toBe('review_not_possible');
  expect(await getReviews(buyer, late)).toMatchObject({ own: null, can_review: false });

  const id = await insertDeal();
  await review(buyer, id);
  await review(seller, id);
  expect((await review(buyer, id, { ...form, rating: 1 })).body.code).toBe('review_not_possible');
  // Sending the same review again, as after a lost response, succeeds.
  expect((await review(buyer, id)).body).toMatchObject({ own: { rating: 5, is_public: true } });
});

test('somebody with two accounts of one mailbox does not review themselves', async () => {
  const [one, other] = [await testApp.signIn(), await testApp.signIn()];
  const id = await insertDeal(one, other);
  const name = randomUUID();
  for (const [tag, { userId }] of Object.entries({ '': one, '+2': other }))
    await testApp.sql`UPDATE users SET email = ${`${name}${tag}@usc.edu`} WHERE id = ${userId}`;
  expect((await review(one, id)).body.code).toBe('review_not_possible');
});

test('names every invalid field', async () => {
  const id = await insertDeal();
  const { status, body } = await review(buyer, id, {
    rating: 6,
    tags: ['Late'],
    text: 'x'.repeat(501),
  });
  expect(status).toBe(400);
  expect(body.fields).toMatchObject({
    rating: 'Choose one to five stars',
    text: 'The review must be at most 500 characters',
  });
  expect((await review(buyer, id, { rating: 4.5 })).body.fields).toHaveProperty('rating');
  expect((await review(buyer, id, { tags: [] })).body.fields).toHaveProperty('rating');
});

test('two simultaneous reviews of a deal are both published', async () => {
  const [ben, sue] = [await testApp.signIn(), await testApp.signIn()];
  const id = await insertDeal(ben, sue);
  const answers = await Promise.all([review(ben, id), review(sue, id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const person of [ben, sue]) {
    expect(await getReviews(person, id)).toMatchObject({ own: { is_public: true }, other: { text } });
    expect(await fetchProfile(person)).toMatchObject({ review_count: 1 });
  }
});

test("only the newest review by each author counts toward the rating, even after the author's account is deleted", async () => {
  const sue = await testApp.signIn();
  const authors = [await testApp.signIn({ fullName: 'Ann Author' }), await testApp.signIn()];
  for (const [author, rating] of [
    [authors[0], 1],
    [authors[1], 4],
    [authors[0], 5],
  ] as const) {
    if (!author) throw new Error('There are two authors');
    const id = await insertDeal(author, sue);
    await review(author, id, { rating });
    await review(sue, id, { rating: 5 });
    testApp.clock.advance(1);
  }
  expect(await fetchProfile(sue)).toMatchObject({ rating: 4.5, review_count: 2 });
  if (authors[0]) await createAccountClient(testApp).deleteAccount(authors[0]);
  expect(await fetchPage(sue)).not.toContain('Ann Author');
  const { items } = await listReviewsAbout(sue);
  expect(
    items.map((item: { rating: number; author: unknown }) => [item.rating, item.author === null]),
  ).toEqual([
    [5, true],
    [4, false],
    [1, true],
  ]);
  const id = await insertDeal(await testApp.signIn(), sue);
  await review(sue, id, { rating: 5 });
  expect(await fetchProfile(sue)).toMatchObject({ rating: 4.5, review_count: 2 });
});

test('a person is notified of a published review even if another one is removed before notifications are sent', async () => {
  const [ben, ann, sue] = [
    await testApp.signIn({ fullName: 'Ben Buyer' }),
    await testApp.signIn({ fullName: 'Ann Author' }),
    await testApp.signIn(),
  ];
  for (const author of [ben, ann]) await review(author, await insertDeal(author, sue));
  testApp.clock.advance(14 * day);
  const { items } = await listReviewsAbout(sue);
  const unwanted = items.find(({ author }: { author: { id: string } }) => author.id === ben.userId);
  await removeReview(testApp.app, unwanted.id);
  await testApp.jobs.repeatNow('count-published-reviews');
  await testApp.jobs.runAll();
  const notices = (await call(sue, 'GET', '/rest/v1/notifications')).body.items;
  expect(notices.map(({ title }: { title: string }) => title)).toEqual(['Ann Author reviewed you']);
  expect(await fetchProfile(sue)).toMatchObject({ review_count: 1 });
});

test('a removed review disappears from profile and rating at once, and returns when it is restored', async () => {
  const [ben, sue] = [await testApp.signIn(), await testApp.signIn()];
  const id = await insertDeal(ben, sue);
  await review(ben, id, { rating: 1, text: 'Rude words.' });
  const { own } = (await review(sue, id)).body;
  expect(own.is_public).toBe(true);
  const [{ id: reviewId }] = (await listReviewsAbout(sue)).items;
  expect(await fetchPage(sue)).toContain('Rude words.');
  const listNotices = async (person: Person): Promise<string[]> => {
    await testApp.jobs.runAll();
    const { body } = await sendRequest(testApp, person, 'GET', '/rest/v1/notifications');
    return body.items
      .filter(({ kind }: { kind: string }) => kind === 'moderation')
      .map(({ title }: { title: string }) => title);
  };
  expect(await removeReview(testApp.app, reviewId)).toMatchObject({ removed_at: testApp.clock.now() });
  expect(await fetchPage(sue)).not.toContain('Rude words.');
  expect(await fetchProfile(sue)).toMatchObject({ rating: null, review_count: 0 });
  expect((await getReviews(sue, id)).other).toBeNull();
  await removeReview(testApp.app, reviewId);
  expect(await listNotices(ben)).toEqual([expect.stringMatching(/^Your review of .+ was removed$/)]);
  testApp.clock.advance(1);
  await restoreReview(testApp.app, reviewId);
  expect(await listNotices(ben)).toEqual([
    expect.stringContaining('was restored'),
    expect.stringContaining('was removed'),
  ]);
  expect(await listNotices(sue)).toEqual([]);
  expect(await fetchProfile(sue)).toMatchObject({ rating: 1, review_count: 1 });
  await expect(removeReview(testApp.app, 'none')).rejects.toThrow('There is no review none');
});

test('deleting an account deletes the reviews about it', async () => {
  const [ben, sue] = [await testApp.signIn(), await testApp.signIn()];
  const id = await insertDeal(ben, sue);
  await review(ben, id);
  await review(sue, id, { rating: 2, text: 'About somebody who leaves.' });
  await createAccountClient(testApp).deleteAccount(ben);
  expect(await testApp.sql`SELECT 1 FROM reviews WHERE review_text = 'About somebody who leaves.'`).toEqual(
    [],
  );
  expect(await listReviewsAbout(sue)).toMatchObject({ items: [{ text, author: null }] });
  const open = await insertDeal(sue, buyer);
  await createAccountClient(testApp).deleteAccount(sue);
  expect((await review(buyer, open)).body.code).toBe('review_not_possible');
});

test('a long list of reviews is read in pages', async () => {
  const sue = await testApp.signIn();
  for (let count = 1; count <= 12; count += 1) {
    await testApp.sql`
      INSERT INTO reviews (author_party, author_key, subject_id, rating, tags, review_text, public_at, created_at, updated_at)
      VALUES ('buyer', gen_random_uuid(), ${sue.userId}, 4, '{}', ${`Review ${count}`}, ${testApp.clock.now()},
        ${testApp.clock.now()}, ${testApp.clock.now()})`;
  }
  const first = await listReviewsAbout(sue);
  const second = await listReviewsAbout(sue, `?cursor=${first.next_cursor}`);
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([10, 2, null]);
  const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(12);
  expect((await listReviewsAbout(sue, '?cursor=nonsense')).code).toBe('validation_failed');
});

test('the share of kept deals requires five deals in 12 months; late cancellations and uncontested no-shows lower it', async () => {
  const [ben, sue] = [await testApp.signIn(), await testApp.signIn()];
  const noShow = { state: 'no_show', reported: 'seller' } as const;
  const cancelled = { state: 'cancelled', cancelled_by: 'seller' } as const;
  for (const deal of [{}, {}, {}, { ...cancelled, is_late: true }]) await insertDeal(ben, sue, deal);
  // None of these deals lowers the seller's ratio: they count against nobody, or against the buyer.
  for (const deal of [
    cancelled,
    { ...noShow, is_contested: true },
    { state: 'no_show' },
    { state: 'no_show', reported: 'buyer' } as const,
  ])
    await insertDeal(ben, sue, deal);
  expect(await fetchProfile(sue)).toMatchObject({ deals_kept: null, completed_trades: 3 });
  await insertDeal(ben, sue, noShow);
  expect(await fetchProfile(sue)).toMatchObject({ deals_kept: 60, completed_trades: 3 });
  testApp.clock.advance(366 * day);
  expect(await fetchProfile(sue)).toMatchObject({ deals_kept: null, completed_trades: 3 });
});
