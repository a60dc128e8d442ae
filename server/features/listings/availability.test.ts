import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { notificationPageSchema } from '#contract/notifications.ts';
import { saleUndoWindowSeconds } from '#contract/selling.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { liftSuspensionOf } from '#server/features/moderation/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { Person } from '#server/testing/app.ts';
import { insertDeskListing } from '#server/testing/conversations.ts';
import { insertPhoto } from '#server/testing/listings.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';
import { checkAvailability } from './availability-job.ts';
import { requestListingChangesWithin } from './moderation.ts';

type MailFixtures = Awaited<ReturnType<typeof startMailTestApp>>;

let quad: MailFixtures;
let deals: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  quad = await startMailTestApp();
  deals = createDealClient(quad);
});
afterAll(() => quad.close());
beforeEach(async () => {
  await quad.sql`DELETE FROM listings`;
  await startCheckingDaysAgo(100);
  seller = await quad.signIn({ fullName: 'Sue Seller' });
  buyer = await quad.signIn({ fullName: 'Ben Buyer' });
});

const startCheckingDaysAgo = async (days: number, checkDays = 30): Promise<void> => {
  await quad.sql`DELETE FROM private.first_availability_check`;
  await quad.sql`
    INSERT INTO private.first_availability_check (check_days, started_at)
    VALUES (${checkDays}, ${addSeconds(quad.clock.now(), -days * dayInSeconds)})`;
};

/** Inserts a listing that was published some days ago and not tended since. */
const insertUntendedListing = async (days = 31, owner = seller): Promise<string> => {
  const id = await insertDeskListing(quad, owner);
  const then = addSeconds(quad.clock.now(), -days * dayInSeconds);
  await quad.sql`
    UPDATE listings SET created_at = ${then}, updated_at = ${then}, published_at = ${then} WHERE id = ${id}`;
  return id;
};
const check = async (): Promise<void> => {
  await quad.jobs.repeatNow('check-availability');
  await quad.jobs.runAll();
};
const advanceDays = (days: number): void => quad.clock.advance(days * dayInSeconds);
const request = (...args: Parameters<typeof deals.request>) => deals.request(...args);
const getListing = async (id: string, owner = seller) =>
  (await request(owner, 'GET', `/rest/v1/me/listings/${id}`)).body;
const answer = (id: string, given: string, owner = seller) =>
  request(owner, 'POST', `/rest/v1/me/listings/${id}/availability`, { answer: given });
const listQuestions = async (owner = seller) =>
  notificationPageSchema
    .parse((await request(owner, 'GET', '/rest/v1/notifications')).body)
    .items.filter(({ kind }) => kind === 'availability');
const getPage = async (id: string) => {
  const [row] = await quad.sql<{ slug: string }[]>`SELECT slug FROM listings WHERE id = ${id}`;
  return (await quad.server.inject({ url: `/rest/v1/listings/${row?.slug}` })).json();
};
const listIds = async (): Promise<string[]> =>
  (await quad.server.inject({ url: '/rest/v1/listings' })).json().items.map(({ id }: { id: string }) => id);
/** Asks about a listing of the seller and lets a week pass without an answer. */
const pauseListing = async (): Promise<string> => {
  const id = await insertUntendedListing();
  await check();
  advanceDays(7);
  await check();
  return id;
};

describe('a question', () => {
  test('promise 93: is asked once after 30 days, with all due listings in one notification', async () => {
    const photo = await insertPhoto(quad, seller, 'desk.jpg');
    const [first, second] = [await insertUntendedListing(40), await insertUntendedListing(31)];
    await quad.sql`UPDATE listings SET title = 'Brass lamp', photos = ${[photo]} WHERE id = ${second}`;
    const tended = await insertUntendedListing(29);
    await check();
    await check();
    expect(await listQuestions()).toMatchObject([
      {
        title: 'Still for sale?',
        text: '“Solid oak desk”, “Brass lamp”',
        path: '/my-listings',
        questions: [
          { listing_id: first, title: 'Solid oak desk', cover: null, state: 'asked' },
          { listing_id: second, title: 'Brass lamp', cover: { url: photo }, state: 'asked' },
        ],
      },
    ]);
    expect(await getListing(first)).toMatchObject({ asked_at: quad.clock.now().toISOString() });
    expect(await getListing(tended)).toMatchObject({ asked_at: null });
  });

  test('promise 93: comes at most once a day, by two hosts at once and by one whose clock is ahead', async () => {
    await insertUntendedListing();
    const ahead = { now: () => addSeconds(quad.clock.now(), 300), elapsed: quad.clock.elapsed };
    await Promise.all([
      checkAvailability(quad.app),
      checkAvailability({ ...quad.app, clock: ahead }),
      checkAvailability(quad.app),
    ]);
    await insertUntendedListing();
    await check();
    await quad.jobs.runAll();
    expect(await listQuestions()).toHaveLength(1);
    advanceDays(1.1);
    await check();
    expect((await listQuestions()).map(({ questions }) => questions?.length)).toEqual([1, 1]);
  });

  test('is about everything that became due while the job was down', async () => {
    await insertUntendedListing(38);
    await insertUntendedListing(34);
    await check();
    expect((await listQuestions()).map(({ questions }) => questions?.length)).toEqual([2]);
  });

  test('does not come with QUAD_LISTING_CHECK_DAYS=0', async () => {
    await insertUntendedListing(400);
    await checkAvailability({ ...quad.app, config: { ...quad.app.config, listingCheckDays: 0 } });
    await quad.jobs.runAll();
    expect(await listQuestions()).toEqual([]);
  });

  test.each([
    [
      'an edit',
      async (id: string) =>
        void (await request(seller, 'PUT', `/rest/v1/me/listings/${id}/price`, { price: 30 })),
    ],
    [
      'a reply of the seller',
      async (id: string) => {
        const { body } = await quad.talk.open(buyer, id);
        await quad.talk.send(buyer, body.id, 'Is it there?');
        await quad.talk.send(seller, body.id, 'It is.');
      },
    ],
    [
      'a declined offer',
      async (id: string) => {
        const { body: deal } = await deals.start(buyer, id, { price: 40 });
        await deals.take(seller, deal, 'decline');
      },
    ],
  ])('does not come in the 30 days after %s, which counts as a confirmation', async (_, tend) => {
    const id = await insertUntendedListing();
    await tend(id);
    const tendedAt = quad.clock.now().toISOString();
    expect(await getListing(id)).toMatchObject({ tended_at: tendedAt, confirmed_at: tendedAt });
    expect(await getPage(id)).toMatchObject({ confirmed_at: tendedAt });
    advanceDays(29);
    await check();
    expect(await listQuestions()).toEqual([]);
    advanceDays(1);
    await check();
    expect(await listQuestions()).toHaveLength(1);
  });

  test('comes although a buyer wrote', async () => {
    const id = await insertUntendedListing();
    const { body } = await quad.talk.open(buyer, id);
    await quad.talk.send(buyer, body.id, 'Is it there?');
    await check();
    expect(await listQuestions()).toHaveLength(1);
    expect(await getPage(id)).toMatchObject({ confirmed_at: null });
  });

  test('promise 95: neither comes nor pauses while there is an open deal', async () => {
    const [asked, other] = [await insertUntendedListing(), await insertUntendedListing(29)];
    await check();
    await deals.start(buyer, asked, { price: 40 });
    await deals.start(buyer, other, { price: 40 });
    expect((await getListing(asked)).asked_at).toBeNull();
    expect(await listQuestions()).toMatchObject([{ questions: [{ state: 'answered' }] }]);
    await quad.sql`UPDATE deals SET deadline_at = NULL`;
    advanceDays(8);
    await check();
    expect(await getListing(asked)).toMatchObject({ status: 'published', paused_at: null });
    expect(await listQuestions()).toHaveLength(1);
  });

  test('is not asked of people who are suspended or away', async () => {
    const away = await quad.signIn();
    await insertUntendedListing();
    const id = await insertUntendedListing(31, away);
    await suspendByCommand(quad.app, seller.email);
    await quad.sql`UPDATE listings SET away_until = '2099-01-01' WHERE id = ${id}`;
    await check();
    const rows =
      await quad.sql`SELECT 1 FROM notifications WHERE event = 'availability_asked' AND user_id IN (${seller.userId}, ${away.userId})`;
    expect(rows).toHaveLength(0);
  });
});

test('after an upgrade, questions about listings that were due before are spread over a week', async () => {
  await startCheckingDaysAgo(0);
  const people = 70;
  const then = addSeconds(quad.clock.now(), -200 * dayInSeconds);
  await quad.sql`
    WITH person AS (
      INSERT INTO users (email, created_at, updated_at)
      SELECT gen_random_uuid() || '@usc.edu', ${then}, ${then} FROM generate_series(1, ${people}) RETURNING id
    ), credentials AS (
      INSERT INTO private.credentials (user_id, updated_at) SELECT id, ${then} FROM person
    )
    INSERT INTO listings (slug, user_id, title, description, price, photos, category, condition, location, status,
      contact_email, created_at, updated_at, published_at)
    SELECT 'old-' || id || '-' || n, id, 'Solid oak desk', 'A desk of solid oak with two drawers and hardly a scratch.', 5, '{}', 'furniture',
      'good', 'Village', 'published', 'seller@usc.edu', ${then}, ${then}, ${then} FROM person, generate_series(1, 2) AS n`;
  const countAsked = async (): Promise<number> => {
    const [row] = await quad.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM notifications WHERE event = 'availability_asked' AND jsonb_array_length(facts -> 'listing_ids') = 2`;
    return row?.count ?? 0;
  };
  const askedByDay: number[] = [];
  const before = await countAsked();
  let total = 0;
  for (let day = 1; day <= 7; day += 1) {
    advanceDays(1);
    await check();
    const count = (await countAsked()) - before;
    askedByDay.push(count - total);
    total = count;
  }
  expect(total).toBe(people);
  expect(Math.max(...askedByDay)).toBeLessThan(people / 2);
});

describe('an answer', () => {
  test.each([
    ['yes', { status: 'published' }],
    ['sold', { status: 'sold' }],
    ['hide', { status: 'draft', paused_at: null }],
  ])('%s: twice, it has one outcome; then another answer is refused', async (given, expected) => {
    const id = await insertUntendedListing();
    await check();
    expect(await answer(id, given)).toMatchObject({ status: 200, body: { ...expected, asked_at: null } });
    expect(await answer(id, given)).toMatchObject({ status: 200, body: expected });
    const others = ['yes', 'sold', 'hide'].filter((it) => it !== given);
    for (const other of others)
      expect(await answer(id, other)).toMatchObject({ status: 409, body: { code: 'question_answered' } });
    expect(await listQuestions()).toMatchObject([
      { read_at: expect.any(String), questions: [{ state: 'answered' }] },
    ]);
  });

  test('promise 93: of several at once, one counts', async () => {
    const id = await insertUntendedListing();
    await check();
    const responses = await Promise.all(['yes', 'sold', 'hide'].map((it) => answer(id, it)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const taken = responses.find(({ status }) => status === 200)?.body;
    expect(await getListing(id)).toMatchObject({ status: taken.status });
  });

  test('promise 93: at the same time as an edit, an offer or a deletion, there is one outcome', async () => {
    const edited = await insertUntendedListing();
    const deleted = await insertUntendedListing();
    const offered = await insertUntendedListing();
    await check();
    const [, edit] = await Promise.all([
      answer(edited, 'hide'),
      request(seller, 'PUT', `/rest/v1/me/listings/${edited}/price`, { price: 30 }),
    ]);
    expect(edit.status).toBe(200);
    expect(await getListing(edited)).toMatchObject({ price: 30, asked_at: null });
    await Promise.all([answer(deleted, 'yes'), request(seller, 'DELETE', `/rest/v1/me/listings/${deleted}`)]);
    expect((await request(seller, 'GET', `/rest/v1/me/listings/${deleted}`)).status).toBe(404);
    const [sold, offer] = await Promise.all([
      answer(offered, 'sold'),
      deals.start(buyer, offered, { price: 40 }),
    ]);
    // Either the offer came first and the answer was refused, or the listing is sold.
    expect([sold.body.code ?? sold.body.status, (await getListing(offered)).status]).toEqual(
      sold.status === 200 ? ['sold', 'sold'] : ['open_deal', 'published'],
    );
    if (sold.status !== 200) expect(offer.status).toBe(200);
  });

  test('is refused for the listing of another person', async () => {
    const id = await insertUntendedListing();
    await check();
    expect((await answer(id, 'hide', buyer)).status).toBe(404);
    expect(await getListing(id)).toMatchObject({ status: 'published' });
  });
});

describe('a paused listing', () => {
  test('leaves the lists, keeps its page, and returns with one tap', async () => {
    const id = await insertUntendedListing();
    const { body: conversation } = await quad.talk.open(buyer, id);
    await quad.talk.send(buyer, conversation.id, 'Is it there?');
    await request(buyer, 'PUT', `/rest/v1/me/saved-listings/${id}`);
    const before = await getPage(id);
    await check();
    advanceDays(7);
    await check();
    expect(await listIds()).not.toContain(id);
    expect(await getListing(id)).toMatchObject({
      status: 'draft',
      paused_at: quad.clock.now().toISOString(),
    });
    expect(await getPage(id)).toMatchObject({ id, unavailable: 'unconfirmed', contact_email: null });
    expect(await listQuestions()).toMatchObject([{ questions: [{ listing_id: id, state: 'paused' }] }]);
    const saved = await request(buyer, 'GET', '/rest/v1/me/saved-listings');
    expect(saved.body.items).toMatchObject([{ listing_id: id, unavailable: 'unconfirmed' }]);

    const { body } = await answer(id, 'yes');
    expect(body).toMatchObject({ status: 'published', paused_at: null, slug: before.slug, save_count: 1 });
    expect(await getPage(id)).toMatchObject({ unavailable: null, created_at: before.created_at });
    expect(await listIds()).toContain(id);
    expect((await quad.talk.send(seller, conversation.id, 'It is.')).status).toBeLessThan(300);
  });

  test('is paused again when its sale is undone, and published when it is relisted later', async () => {
    const id = await pauseListing();
    const { paused_at: pausedAt } = await getListing(id);
    const sell = () => request(seller, 'POST', `/rest/v1/me/listings/${id}/sold`, {});
    const relist = () => request(seller, 'POST', `/rest/v1/me/listings/${id}/relist`);
    await sell();
    expect((await relist()).body).toMatchObject({ status: 'draft', paused_at: pausedAt, sold_at: null });
    expect(await listIds()).not.toContain(id);
    await sell();
    quad.clock.advance(saleUndoWindowSeconds);
    expect((await relist()).body).toMatchObject({ status: 'published', paused_at: null });
    expect(await listIds()).toContain(id);
  });

  test.each([
    ['sold', 'sold'],
    ['hide', 'draft'],
  ])('can be answered with %s', async (given, status) => {
    const id = await pauseListing();
    expect((await answer(id, given)).body).toMatchObject({ status, paused_at: null });
  });

  test.each(['paused', 'ended'])('has no page while moderators request changes (%s)', async (state) => {
    const id = await pauseListing();
    if (state === 'ended')
      await quad.sql`UPDATE listings SET ended_at = paused_at, paused_at = NULL WHERE id = ${id}`;
    const { slug } = await getPage(id);
    expect(slug).toBeDefined();
    await runInTransaction(quad.app.sql, (tx) =>
      requestListingChangesWithin(quad.app, tx, id, 'Please leave out the phone number'),
    );
    expect(await getPage(id)).toMatchObject({ code: 'listing_not_found' });
    expect(await getListing(id)).toMatchObject({ requested_changes: 'Please leave out the phone number' });
    const { body } = await request(seller, 'PATCH', `/rest/v1/me/listings/${id}`, { status: 'published' });
    expect(body).toMatchObject({ status: 'published', requested_changes: null });
    expect(await getPage(id)).toMatchObject({ slug, unavailable: null });
  });

  test('ends when its game passes', async () => {
    const id = await insertUntendedListing();
    const day = addDays(toCampusDay(quad.app.config.campus, quad.clock.now()), 9);
    await quad.sql`UPDATE listings SET category = 'game-day', game_date = ${day} WHERE id = ${id}`;
    await check();
    advanceDays(7);
    await check();
    expect(await getPage(id)).toMatchObject({ unavailable: 'unconfirmed' });
    advanceDays(3);
    expect(await getPage(id)).toMatchObject({ unavailable: 'passed' });
    const ended = { status: 'draft', paused_at: null, ended_at: expect.any(String) };
    expect(await getListing(id)).toMatchObject(ended);
    expect(await listQuestions()).toMatchObject([{ questions: [{ state: 'answered' }] }]);
    expect(await answer(id, 'yes')).toMatchObject({ status: 409, body: { code: 'question_answered' } });
    expect(
      await request(seller, 'PATCH', `/rest/v1/me/listings/${id}`, { status: 'published' }),
    ).toMatchObject({ body: { fields: { gameDate: 'Game date must be today or in the future' } } });
    expect(await getListing(id)).toMatchObject(ended);
    expect((await request(seller, 'POST', `/rest/v1/me/listings/${id}/sold`, {})).body.status).toBe('sold');
  });

  test('stays paused, with its page, when its price is changed', async () => {
    const id = await pauseListing();
    const { body } = await request(seller, 'PUT', `/rest/v1/me/listings/${id}/price`, { price: 30 });
    expect(body).toMatchObject({ price: 30, status: 'draft', paused_at: expect.any(String) });
    expect(await getPage(id)).toMatchObject({ price: 30, unavailable: 'unconfirmed' });
  });

  test('is not paused as soon as the suspension of its seller ends', async () => {
    const id = await insertUntendedListing();
    await check();
    await suspendByCommand(quad.app, seller.email);
    advanceDays(8);
    await check();
    await liftSuspensionOf(quad.app, seller.email);
    await quad.jobs.repeatNow('check-availability');
    const [listing] = await quad.sql`SELECT status, paused_at, asked_at FROM listings WHERE id = ${id}`;
    expect(listing).toEqual({ status: 'published', paused_at: null, asked_at: quad.clock.now() });
  });

  test('is not paused when its seller replied', async () => {
    const id = await insertUntendedListing();
    await check();
    advanceDays(6);
    // Access tokens have expired by now, and these calls renew them.
    for (const person of [buyer, seller]) await request(person, 'GET', '/rest/v1/me');
    const { body } = await quad.talk.open(buyer, id);
    await quad.talk.send(buyer, body.id, 'Is it there?');
    await quad.talk.send(seller, body.id, 'It is.');
    advanceDays(2);
    await check();
    expect(await getListing(id)).toMatchObject({ status: 'published', asked_at: null });
  });
});

describe('the email', () => {
  const findLinks = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/^(Yes|Sold|Hide): https:\/\/quad\.test(\/availability\/\S+)$/gm)].map(
        ([, label = '', path = '']) => [label, path],
      ),
    );
  /** Asks about a listing and returns its id and the links of the email. */
  const mailQuestion = async () => {
    const id = await insertUntendedListing();
    await check();
    quad.clock.advance(20 * 60);
    await quad.jobs.repeatNow('email-notifications');
    await quad.jobs.runAll();
    const mail = quad.mailsTo(seller).at(-1);
    return { id, mail, links: findLinks(mail?.text ?? '') };
  };
  const open = (url = '') => quad.server.inject({ url });
  const press = (url = '') => quad.server.inject({ method: 'POST', url });

  test('asks with three links for each listing, and can be unsubscribed', async () => {
    const { mail, links } = await mailQuestion();
    expect(mail?.subject).toBe('Still for sale? Solid oak desk');
    expect(Object.keys(links)).toEqual(['Yes', 'Sold', 'Hide']);
    for (const path of Object.values(links)) expect(mail?.html).toContain(`https://quad.test${path}`);
    expect(mail?.text).toContain('Without an answer, we pause it after 7 days');
    expect(mail?.text).toContain('Stop these emails');
  });

  test('is not sent after the answer', async () => {
    const id = await insertUntendedListing();
    await check();
    await answer(id, 'yes');
    quad.clock.advance(20 * 60);
    await quad.jobs.repeatNow('email-notifications');
    await quad.jobs.runAll();
    expect(quad.mailsTo(seller)).toEqual([]);
  });

  test('promise 94: a link changes nothing when it is only opened', async () => {
    const { id, links } = await mailQuestion();
    const before = await getListing(id);
    const page = await open(links.Hide);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(page.body).toContain('Solid oak desk');
    expect(page.body).toContain('<form method="post"><button>Hide it</button></form>');
    expect((await quad.server.inject({ method: 'HEAD', url: links.Sold ?? '' })).statusCode).toBe(200);
    expect(await getListing(id)).toEqual(before);
  });

  test.each([
    ['Yes', 'It stays active', 'published'],
    ['Sold', 'It is marked as sold', 'sold'],
    ['Hide', 'It is hidden', 'draft'],
  ])('promise 94: %s acts once, without logging in', async (label, title, status) => {
    const { id, links } = await mailQuestion();
    const other = await insertUntendedListing(1);
    const response = await press(links[label]);
    expect(response.body).toContain(title);
    expect(await getListing(id)).toMatchObject({ status });
    expect(await getListing(other)).toMatchObject({ status: 'published' });
    for (const link of Object.values(links))
      for (const again of [await open(link), await press(link)]) {
        expect(again.statusCode).toBe(409);
        expect(again.body).toContain('This question is already answered');
      }
    expect(await getListing(id)).toMatchObject({ status });
  });

  test('promise 94: a link works for 14 days, also after the listing was paused', async () => {
    const { id, links } = await mailQuestion();
    advanceDays(8);
    await check();
    expect(await getListing(id)).toMatchObject({ status: 'draft', paused_at: expect.any(String) });
    expect((await open(links.Yes)).statusCode).toBe(200);
    advanceDays(6);
    const expired = await press(links.Yes);
    expect([expired.statusCode, expired.body]).toEqual([
      410,
      expect.stringContaining('This link has expired. You can answer in My Listings.'),
    ]);
    expect(await getListing(id)).toMatchObject({ status: 'draft' });
  });

  test('promise 94: a link of an earlier question does not answer a later one', async () => {
    const { id, links } = await mailQuestion();
    await answer(id, 'yes');
    await quad.sql`UPDATE listings SET confirmed_at = ${addSeconds(quad.clock.now(), -40 * dayInSeconds)} WHERE id = ${id}`;
    advanceDays(2);
    await check();
    expect((await getListing(id)).asked_at).not.toBeNull();
    expect((await press(links.Hide)).statusCode).toBe(409);
    expect(await getListing(id)).toMatchObject({ status: 'published' });
  });

  test('says why a link that was altered, or whose listing or seller is gone, does not work', async () => {
    const { id, links } = await mailQuestion();
    const yes = links.Yes ?? '';
    for (const url of [
      yes.replace('/yes', '/no'),
      `${yes.slice(0, 40)}A${yes.slice(41)}`,
      '/availability/x/yes',
    ])
      expect((await press(url)).body).toContain('This link does not work');
    await suspendByCommand(quad.app, seller.email);
    expect((await press(yes)).body).toContain('This account is suspended');
    await quad.sql`DELETE FROM listings WHERE id = ${id}`;
    expect((await open(yes)).body).toContain('This listing was deleted');
  });
});
