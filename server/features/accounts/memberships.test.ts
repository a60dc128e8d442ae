import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { addDays } from '#contract/days.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { createMembershipToken } from '#server/mail/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';
import { setAccountVerified } from './account-moderation.ts';
import {
  findMembershipStep,
  getDueDay,
  type MembershipState,
  scheduleFirstDueDay,
} from './membership-rules.ts';
import { checkMemberships, confirmMembership, denyMembership } from './memberships.ts';

describe('the rules', () => {
  test('a day that is too late for its questions and notices moves; a leap day is a day', () => {
    expect(getDueDay('2027-02-28', 365)).toBe('2028-02-28');
    expect(getDueDay('2028-02-28', 365)).toBe('2029-02-27');
    expect(getDueDay('2028-02-29', 365)).toBe('2029-02-28');
    expect(getDueDay('2028-02-29', 0)).toBeNull();
    const state: MembershipState = {
      due_on: '2028-03-15',
      questions: 0,
      ends_on: null,
      notices: 0,
      ended_at: null,
    };
    expect(findMembershipStep(state, '2028-02-13')).toBeUndefined();
    expect(findMembershipStep(state, '2028-02-14')).toEqual({
      step: 'ask',
      dueOn: '2028-03-15',
      questions: 1,
    });
    expect(findMembershipStep(state, '2028-03-20')).toEqual({
      step: 'ask',
      dueOn: '2028-04-19',
      questions: 1,
    });
  });

  const dayNumber = fc.integer({ min: 0, max: 4000 });
  const toDay = (days: number): string => addDays('2020-01-01', days);

  test('promise 109: whenever the job runs, nobody ends without two questions and a notice 30 days before', () => {
    fc.assert(
      fc.property(
        dayNumber,
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 60 }),
        (confirmed, gaps) => {
          const confirmedOn = toDay(confirmed);
          let state: MembershipState = {
            due_on: getDueDay(confirmedOn, 365),
            questions: 0,
            ends_on: null,
            notices: 0,
            ended_at: null,
          };
          const asked: string[] = [];
          let toldOn: string | undefined;
          let today = addDays(confirmedOn, 300);
          for (const gap of gaps) {
            today = addDays(today, gap);
            const step = findMembershipStep(state, today);
            if (step?.step === 'ask') {
              asked.push(today);
              expect(step.dueOn >= addDays(today, step.questions === 1 ? 30 : 7)).toBe(true);
              state = { ...state, due_on: step.dueOn, questions: step.questions };
            } else if (step?.step === 'end') {
              expect(asked).toHaveLength(2);
              expect(toldOn !== undefined && addDays(toldOn, 30) <= today).toBe(true);
              expect(today >= addDays(confirmedOn, 395)).toBe(true);
              return;
            } else if (step) {
              toldOn ??= today;
              state = { ...state, ends_on: step.endsOn, notices: step.notices };
            }
          }
        },
      ),
    );
  });

  test('accounts of earlier versions are due all year round, and none in the next 60 days', () => {
    fc.assert(
      fc.property(
        dayNumber,
        fc.integer({ min: 0, max: 4000 }),
        fc.integer({ min: 60, max: 800 }),
        (created, age, days) => {
          const [createdOn, today] = [toDay(created), toDay(created + age)];
          const due = scheduleFirstDueDay(createdOn, today, days);
          expect(due >= addDays(today, 60)).toBe(true);
          expect(due <= addDays(today, 60 + days)).toBe(true);
        },
      ),
    );
  });
});

let quad: TestApp;
let deals: ReturnType<typeof createDealClient>;
let talk: ReturnType<typeof createConversationClient>;
let addresses: ReturnType<typeof createCampusAddressClient>;
beforeAll(async () => {
  quad = await startTestApp({
    environment: {
      QUAD_CAMPUS_ONLY: 'true',
      QUAD_OIDC_ISSUER: 'https://login.usc.edu',
      QUAD_OIDC_CLIENT_ID: 'quad',
      QUAD_OIDC_CLIENT_SECRET: 'secret',
      QUAD_OIDC_NAME: 'USC NetID',
    },
  });
  deals = createDealClient(quad);
  talk = createConversationClient(quad);
  addresses = createCampusAddressClient(quad);
});
afterAll(() => quad.close());
// In the morning of the next day on the campus, because nobody is asked at night.
beforeEach(() => setTime(`${addDays(quad.clock.now().toISOString().slice(0, 10), 1)}T18:00:00Z`));

const check = async (): Promise<void> => {
  await quad.jobs.repeatNow('check-memberships');
  await quad.jobs.runAll();
};
/** Lets days pass, and runs the job on each of them. */
const passDays = async (days: number): Promise<void> => {
  for (let day = 0; day < days; day += 1) {
    quad.clock.advance(dayInSeconds);
    await check();
  }
};
/** Sets the clock to a time on the campus, such as `2026-04-01T09:00:00-07:00`. */
const setTime = (time: string): void => quad.clock.set(new Date(time));
const readProfile = async (person: Person) => (await deals.request(person, 'GET', '/rest/v1/me')).body;
const hasBadge = async ({ userId }: Person): Promise<boolean> =>
  (await quad.sql`SELECT FROM users WHERE id = ${userId} AND usc_verified`).count > 0;
const readMembership = async ({ userId }: Person) => {
  const [row] = await quad.sql`SELECT * FROM private.memberships WHERE user_id = ${userId}`;
  return row;
};
const setMembership = async ({ userId }: Person, change: object): Promise<void> => {
  const row = { due_on: null, questions: 0, ends_on: null, notices: 0, is_denied: false, ...change };
  await quad.sql`
    INSERT INTO private.memberships (user_id, due_on, questions, ends_on, notices, is_denied)
    VALUES (${userId}, ${row.due_on}, ${row.questions}, ${row.ends_on}, ${row.notices}, ${row.is_denied})
    ON CONFLICT (user_id) DO UPDATE SET due_on = excluded.due_on, questions = excluded.questions,
      ends_on = excluded.ends_on, notices = excluded.notices, is_denied = excluded.is_denied, ended_at = NULL`;
};
/** Ends the membership of a person today. */
const endNow = async (person: Person): Promise<void> => {
  await setMembership(person, { ends_on: quad.clock.now().toISOString().slice(0, 10), notices: 2 });
  await check();
  expect((await readMembership(person))?.ended_at).not.toBeNull();
};
const mailsTo = (email: string) =>
  quad.mails.filter((mail) => mail.to === email && mail.kind === 'membership');
const lastLink = (email: string): string => {
  const mail = mailsTo(email).at(-1);
  return `/membership/${mail && 'linkToken' in mail ? mail.linkToken : ''}`;
};
const listEvents = async ({ userId }: Person): Promise<string[]> => {
  const rows = await quad.sql<{ event: string }[]>`
    SELECT event FROM private.security_events WHERE user_id = ${userId} AND event LIKE 'membership%' ORDER BY at, id`;
  return rows.map(({ event }) => event);
};
const transact = (work: Parameters<typeof runInTransaction<unknown>>[1]) => runInTransaction(quad.sql, work);

test('a person is asked twice, told twice, and ends on the day; the tap in the email returns everything', async () => {
  const person = await quad.signUp();
  const { email } = person;
  expect((await readProfile(person)).membership).toMatchObject({
    has_ended: false,
    can_confirm: true,
    is_asked: false,
  });
  const due = addDays(quad.clock.now().toISOString().slice(0, 10), 365);
  expect(await readMembership(person)).toMatchObject({ due_on: due, confirmed_with: 'address' });
  setTime(`${addDays(due, -31)}T20:00:00Z`);
  await check();
  expect(mailsTo(email)).toEqual([]);
  await passDays(1);
  await check();
  expect(mailsTo(email)).toMatchObject([{ step: 'asked', day: due }]);
  await passDays(23);
  expect(mailsTo(email)).toMatchObject([{ step: 'asked' }, { step: 'asked', day: due }]);
  await passDays(7);
  const end = addDays(due, 30);
  expect(mailsTo(email).slice(2)).toMatchObject([{ step: 'ending', day: end, isDenied: false }]);
  await passDays(29);
  expect(mailsTo(email).slice(3)).toMatchObject([{ step: 'ending', day: end }]);
  // Midnight on the campus is 07:00 in UTC in summer.
  setTime(`${end}T06:59:00Z`);
  await check();
  expect(await hasBadge(person)).toBe(true);
  setTime(`${end}T07:00:00Z`);
  await check();
  expect(await hasBadge(person)).toBe(false);
  const told = await quad.sql<{ event: string }[]>`
    SELECT event FROM notifications WHERE user_id = ${person.userId} ORDER BY created_at`;
  expect(told.map(({ event }) => event)).toEqual([
    'membership_asked',
    'membership_asked',
    'membership_ending',
    'membership_ending',
    'membership_ended',
  ]);

  const page = await quad.server.inject({ url: lastLink(email) });
  expect(page.body).toContain('Are you still at USC?');
  expect(await hasBadge(person)).toBe(false);
  const answer = await quad.server.inject({ method: 'POST', url: lastLink(email) });
  expect(answer.body).toContain('Your membership is confirmed');
  expect(await hasBadge(person)).toBe(true);
  expect(await listEvents(person)).toEqual(['membership_ending', 'membership_ended', 'membership_returned']);
});

test('promise 109: what runs at the same time in several processes happens once', async () => {
  const person = await quad.signIn();
  const today = quad.clock.now().toISOString().slice(0, 10);
  await setMembership(person, { due_on: addDays(today, 20) });
  const ahead = { now: () => addSeconds(quad.clock.now(), 300), elapsed: quad.clock.elapsed };
  const run = () =>
    Promise.all([
      checkMemberships(quad.app),
      checkMemberships({ ...quad.app, clock: ahead }),
      checkMemberships(quad.app),
    ]);
  await run();
  await quad.jobs.runAll();
  expect(mailsTo(person.email)).toHaveLength(1);
  await setMembership(person, { ends_on: today, notices: 2 });
  await run();
  await quad.jobs.runAll();
  expect(await listEvents(person)).toEqual(['membership_ended']);
});

describe('a confirmation', () => {
  const ways: Record<string, (person: Person) => Promise<unknown>> = {
    'the link in an email': (person) =>
      quad.server.inject({
        method: 'POST',
        url: `/membership/${createMembershipToken(quad.app.secrets.pepper, { ...person, askedAt: quad.clock.now() })}`,
      }),
    'a code to the campus address': async ({ email }) => {
      quad.clock.advance(3600);
      await quad.server.inject({ method: 'POST', url: '/functions/v1/send-otp', payload: { email } });
      const payload = { email, code: quad.codeFor(email) };
      return quad.server.inject({ method: 'POST', url: '/functions/v1/verify-otp', payload });
    },
    'the sign-on': ({ userId }) => transact((tx) => confirmMembership(quad.app, tx, userId, 'sign_on')),
    'an administrator': ({ userId }) => setAccountVerified(quad.app, userId, true),
  };
  const states = {
    asked: { due_on: '2030-01-01', questions: 2 },
    ending: { ends_on: '2030-01-20', notices: 1 },
    ended: undefined,
  };
  const table = Object.keys(ways).flatMap((way) =>
    (Object.keys(states) as (keyof typeof states)[]).map((state) => ({ way, state })),
  );

  test.for(table)('promise 110: by $way counts while the membership is $state', async ({ way, state }) => {
    const person = await quad.signIn();
    const change = states[state];
    if (change) await setMembership(person, change);
    else await endNow(person);
    await ways[way]?.(person);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(
      quad.clock.now(),
    );
    expect(await readMembership(person)).toMatchObject({
      due_on: addDays(today, 365),
      questions: 0,
      ends_on: null,
      notices: 0,
      ended_at: null,
    });
    expect(await readProfile(person)).toMatchObject({ usc_verified: true });
  });

  test('of a person whom the sign-on denies counts only from it and from administrators', async () => {
    const person = await quad.signIn();
    await transact((tx) => denyMembership(quad.app, tx, person.userId));
    await quad.collectMails();
    expect(mailsTo(person.email)).toMatchObject([{ step: 'ending', isDenied: true }]);
    for (const way of ['the link in an email', 'a code to the campus address']) await ways[way]?.(person);
    expect(await readMembership(person)).toMatchObject({ is_denied: true, ended_at: null });
    expect((await deals.request(person, 'POST', '/rest/v1/me/membership/link')).body.code).toBe(
      'membership_unconfirmable',
    );
    await ways['the sign-on']?.(person);
    expect(await readMembership(person)).toMatchObject({ is_denied: false, ends_on: null });
  });

  test('by a link is for one person, address and time only', async () => {
    const [person, other] = [await quad.signIn(), await quad.signIn()];
    await endNow(person);
    const { pepper } = quad.app.secrets;
    const open = async (link: Parameters<typeof createMembershipToken>[1]) =>
      (
        await quad.server.inject({
          method: 'POST',
          url: `/membership/${createMembershipToken(pepper, link)}`,
        })
      ).statusCode;
    const askedAt = quad.clock.now();
    expect(await open({ ...person, email: other.email, askedAt })).toBe(404);
    expect(await open({ ...person, askedAt: addSeconds(askedAt, -60 * dayInSeconds) })).toBe(410);
    expect((await quad.server.inject({ method: 'POST', url: '/membership/abc' })).statusCode).toBe(404);
    expect(await readMembership(person)).not.toMatchObject({ ended_at: null });
    expect(await open({ ...person, askedAt })).toBe(200);
    expect(await readMembership(person)).toMatchObject({ ended_at: null });
  });

  test('promise 109: by email counts no more where the sign-on is required, which a former mailbox is not', async () => {
    const person = await quad.signIn();
    await setMembership(person, { due_on: '2030-01-01', questions: 2 });
    const { campus } = quad.app.config;
    const { signOn = { name: 'USC NetID', isRequired: false } } = campus;
    campus.signOn = { ...signOn, isRequired: true };
    onTestFinished(() => {
      campus.signOn = signOn;
    });
    const ask = await deals.request(person, 'POST', '/rest/v1/me/membership/link');
    expect(ask.body.code).toBe('membership_unconfirmable');
    expect((await readProfile(person)).membership).toMatchObject({ can_confirm: false });
    const token = createMembershipToken(quad.app.secrets.pepper, { ...person, askedAt: quad.clock.now() });
    for (const method of ['GET', 'POST'] as const) {
      const page = await quad.server.inject({ method, url: `/membership/${token}` });
      expect(page.statusCode).toBe(403);
      expect(page.body).toContain('Please use “Continue with USC NetID”.');
    }
    const ends_on = addDays(quad.clock.now().toISOString().slice(0, 10), 7);
    await setMembership(person, { ends_on, notices: 1 });
    await check();
    expect(mailsTo(person.email)).toMatchObject([{ step: 'ending' }]);
    expect(lastLink(person.email)).toBe('/membership/');
    expect(await readMembership(person)).toMatchObject({ ended_at: null, notices: 2 });
    await ways['the sign-on']?.(person);
    expect(await readMembership(person)).toMatchObject({ ends_on: null });
  });

  test('is mailed to the campus address on request, and not to the address of the log-in', async () => {
    const person = await addresses.signInOutside();
    const campusEmail = addresses.newAddress();
    await addresses.add(person, campusEmail);
    const ask = () => deals.request(person, 'POST', '/rest/v1/me/membership/link');
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    expect(mailsTo(person.email)).toEqual([]);
    await endNow(person);
    expect(mailsTo(person.email)).toMatchObject([{ step: 'ended' }]);
    await quad.server.inject({ method: 'POST', url: lastLink(campusEmail) });
    expect(await readProfile(person)).toMatchObject({ usc_verified: true });
  });
});

describe('a membership that has ended', () => {
  const readEverything = async ({ userId }: Person) => ({
    users: await quad.sql`SELECT * FROM users WHERE id = ${userId}`,
    listings: await quad.sql`SELECT * FROM listings WHERE user_id = ${userId} ORDER BY id`,
    saved: await quad.sql`SELECT * FROM saved_searches WHERE user_id = ${userId}`,
    addresses: await quad.sql`SELECT * FROM private.campus_addresses WHERE user_id = ${userId}`,
  });
  const listIds = async (): Promise<string[]> =>
    (await quad.server.inject({ url: '/rest/v1/listings' })).json().items.map(({ id }: { id: string }) => id);

  test('promise 110: returns badge and listings as they were, in whatever state they were', async () => {
    const person = await quad.signIn();
    const ids = [];
    for (const title of [
      'Desk that is public',
      'Desk that is paused',
      'Desk that is a draft',
      'Desk taken down',
    ])
      ids.push(await deals.list(person, { title }));
    const [shown = '', paused = '', draft = ''] = ids;
    await quad.sql`UPDATE listings SET status = 'draft', paused_at = now() WHERE id = ${paused}`;
    await deals.request(person, 'PATCH', `/rest/v1/me/listings/${draft}`, { status: 'draft' });
    await quad.sql`UPDATE listings SET status = 'draft', hidden_at = now(), hidden_with = 'listing' WHERE id = ${ids[3] ?? ''}`;
    const [{ slug } = { slug: '' }] = await quad.sql<
      { slug: string }[]
    >`SELECT slug FROM listings WHERE id = ${shown}`;
    const readPages = async () => {
      const responses = await Promise.all(
        [
          `/rest/v1/listings/${slug}`,
          `/rest/v1/users/${person.userId}`,
          `/rest/v1/users/${person.userId}/listings`,
        ].map((url) => quad.server.inject({ url })),
      );
      return responses.map(({ statusCode, body }) => ({ statusCode, body }));
    };
    const listHidden = async () => {
      const { body } = await deals.request(person, 'GET', '/rest/v1/me/listings');
      expect(body.items).toHaveLength(ids.length);
      return body.items
        .filter((it: { awaits_membership: boolean }) => it.awaits_membership)
        .map(({ id }: { id: string }) => id)
        .sort();
    };
    const before = { rows: await readEverything(person), pages: await readPages(), ids: await listIds() };
    expect(await listHidden()).toEqual([]);
    expect(before.ids).toContain(shown);
    await endNow(person);
    expect(await listIds()).not.toContain(shown);
    expect((await readPages())[0]?.statusCode).toBe(404);
    expect(await listHidden()).toEqual([shown, paused].sort());
    await transact((tx) => confirmMembership(quad.app, tx, person.userId, 'sign_on'));
    expect({ rows: await readEverything(person), pages: await readPages(), ids: await listIds() }).toEqual(
      before,
    );
  });

  test('promise 110: keeps being away, and a badge that an administrator took', async () => {
    const person = await quad.signIn();
    const id = await deals.list(person);
    await setAccountVerified(quad.app, person.userId, false);
    await endNow(person);
    const until = addDays(quad.clock.now().toISOString().slice(0, 10), 10);
    await deals.request(person, 'PUT', '/rest/v1/me/away', { until });
    expect(await quad.sql`SELECT away_until FROM listings WHERE id = ${id}`).toEqual([
      { away_until: 'infinity' },
    ]);
    await transact((tx) => confirmMembership(quad.app, tx, person.userId, 'sign_on'));
    expect(await quad.sql`SELECT away_until FROM listings WHERE id = ${id}`).toEqual([{ away_until: until }]);
    expect(await readProfile(person)).toMatchObject({ usc_verified: false, away_until: until });
  });

  test('promise 109: starts nothing; what has begun goes on, data export and Delete Account work', async () => {
    const { seller, buyer, other, listingId, held } = await deals.holdListing({});
    const otherListing = await deals.list(other);
    const camera = await deals.list(other, { category: 'rentals', price: 20, rentalPeriod: 'day' });
    const today = quad.clock.now().toISOString().slice(0, 10);
    const days = { first_day: today, last_day: addDays(today, 2) };
    const rental = (await deals.start(buyer, camera, days)).body;
    await deals.take(other, rental, 'accept');
    await deals.take(buyer, rental, 'received');
    const empty = await deals.request(buyer, 'POST', '/rest/v1/conversations', { listing_id: otherListing });
    await endNow(seller);
    await endNow(buyer);
    const refused = { status: 403, body: { code: 'membership_ended' } };
    expect(await deals.start(buyer, otherListing)).toMatchObject(refused);
    expect(await talk.send(buyer, empty.body.id, 'Is it still there?')).toMatchObject(refused);
    expect(await submitListingForm(quad, seller, { title: 'Another desk' })).toMatchObject(refused);
    expect((await deals.start(other, listingId)).body.code).toBe('listing_not_found');

    expect((await talk.send(buyer, held.conversation_id, 'See you there')).status).toBe(200);
    expect((await deals.take(seller, held, 'handed_over')).body.state).toBe('handed_over');
    expect((await deals.take(buyer, held, 'received')).body.state).toBe('completed');
    const review = { rating: 5, tags: [], text: 'A good desk' };
    const reviewed = await deals.request(buyer, 'POST', `/rest/v1/deals/${held.id}/review`, review);
    expect([reviewed.status, reviewed.body]).toEqual([200, reviewed.body]);
    await deals.take(buyer, rental, 'returned');
    expect((await deals.take(other, rental, 'returned')).body.state).toBe('completed');
    expect((await deals.request(buyer, 'GET', '/rest/v1/me/data')).status).toBe(200);
    expect((await deals.request(buyer, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' })).status).toBe(
      200,
    );
    expect((await deals.request(seller, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' })).status).toBe(
      200,
    );
  });

  test('of a suspended person neither ends nor is asked about', async () => {
    const person = await quad.signIn();
    await suspendByCommand(quad.app, person.userId);
    const today = quad.clock.now().toISOString().slice(0, 10);
    await setMembership(person, { ends_on: today, notices: 2 });
    await check();
    expect(await readMembership(person)).toMatchObject({ ended_at: null });
  });
});

test('accounts of earlier versions are scheduled without a wave, and nobody is asked at night', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => quad.signIn()));
  await check();
  const today = quad.clock.now().toISOString().slice(0, 10);
  for (const person of people) expect((await readMembership(person))?.due_on > addDays(today, 59)).toBe(true);
  const [person] = people;
  if (!person) throw new Error('nobody');
  await setMembership(person, { due_on: addDays(today, 10) });
  setTime(`${addDays(today, 1)}T11:00:00Z`);
  await check();
  expect(mailsTo(person.email)).toEqual([]);
  setTime(`${addDays(today, 1)}T18:00:00Z`);
  await check();
  expect(mailsTo(person.email)).toHaveLength(1);
});
