import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { ModerationAction, ModerationCase } from '#contract/moderation.ts';
import { takeDownListing } from '#server/features/listings/public.ts';
import { renderEmail } from '#server/mail/templates.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { digestDatabase } from '#server/testing/authorization-fixtures.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let moderator: Person;
let colleague: Person;
let seller: Person;
let reporter: Person;
let listing: { id: string; slug: string };
let caseId: string;

const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const getCase = async (by = moderator, id = caseId): Promise<ModerationCase> =>
  (await ask(by, 'GET', `/rest/v1/moderation/cases/${id}`)).body;
const act = (by: Person, form: object, id = caseId) =>
  ask(by, 'POST', `/rest/v1/moderation/cases/${id}/actions`, { reason: 'Counterfeit', ...form });
const choose = async (form: object, by = moderator): Promise<ModerationAction> => {
  const { status, body } = await act(by, form);
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
const undo = (by: Person, id: string) => ask(by, 'POST', `/rest/v1/moderation/actions/${id}/undo`);
const takeEffect = () => applyModerationActions(testApp);
const listNotifications = async (person: Person): Promise<{ title: string; text: string }[]> =>
  (await ask(person, 'GET', '/rest/v1/notifications')).body.items;
const isPublic = async () =>
  (await testApp.server.inject({ url: `/rest/v1/listings/${listing.slug}` })).statusCode === 200;
const appeal = (person: Person, actionId: string, text = 'It is genuine') =>
  ask(person, 'POST', '/rest/v1/appeals', { action_id: actionId, text });

const reportListing = async (by: Person, reason = 'scam') => {
  const payload = { subject: 'listing', subject_id: listing.id, reason };
  expect((await ask(by, 'POST', '/rest/v1/reports', payload)).status).toBe(200);
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE subject_id = ${listing.id} ORDER BY opened_at DESC LIMIT 1`;
  return row?.id ?? '';
};

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`UPDATE private.credentials SET console_role = NULL`;
  moderator = await signInToConsole(testApp, 'moderator');
  colleague = await signInToConsole(testApp, 'administrator');
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  reporter = await testApp.signIn({ fullName: 'Rita Reporter' });
  listing = (await submitListingForm(testApp, seller)).body.listing;
  caseId = await reportListing(reporter);
});

describe('the list of cases', () => {
  const list = async (query = '') => (await ask(moderator, 'GET', `/rest/v1/moderation/cases${query}`)).body;
  beforeEach(() => testApp.sql`DELETE FROM private.moderation_cases`);
  const addCases = async (cases: { title: string; risk: number; hours: number; state?: string }[]) => {
    for (const { title, risk, hours, state } of cases) {
      const openedAt = new Date(testApp.clock.now().getTime() - hours * 3_600_000);
      await testApp.sql`
        INSERT INTO private.moderation_cases
          (subject, subject_id, person_id, title, risk, opened_at, updated_at, assigned_to, assigned_until, resolved_at)
        VALUES ('listing', gen_random_uuid(), ${seller.userId}, ${title}, ${risk}, ${openedAt}, ${openedAt},
          ${state === 'assigned' ? colleague.userId : null},
          ${state === 'assigned' ? new Date(testApp.clock.now().getTime() + 60_000) : null},
          ${state === 'resolved' ? testApp.clock.now() : null})`;
    }
  };
  const getTitles = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title);

  test('is sorted by risk, then oldest first, and can be filtered by state, risk and age', async () => {
    await addCases([
      { title: 'low', risk: 1, hours: 90 },
      { title: 'new high', risk: 3, hours: 1 },
      { title: 'old high', risk: 3, hours: 30, state: 'assigned' },
      { title: 'done', risk: 2, hours: 200, state: 'resolved' },
    ]);
    expect(getTitles(await list())).toEqual(['old high', 'new high', 'low']);
    expect(getTitles(await list('?state=open'))).toEqual(['new high', 'low']);
    expect(getTitles(await list('?state=assigned'))).toEqual(['old high']);
    expect(getTitles(await list('?state=resolved'))).toEqual(['done']);
    expect(getTitles(await list('?risk=3'))).toEqual(['old high', 'new high']);
    expect(getTitles(await list('?min_hours=24'))).toEqual(['old high', 'low']);
    expect(getTitles(await list('?appeals=true'))).toEqual([]);
    expect((await list('?state=assigned')).items[0]).toMatchObject({
      state: 'assigned',
      assigned_to: { id: colleague.userId },
      person: { name: 'Sally Seller' },
    });
  });

  test('is paged without gaps or repetitions', async () => {
    const cases = Array.from({ length: 120 }, (_, index) => ({
      title: `Case ${index}`,
      risk: (index % 3) + 1,
      hours: index % 7,
    }));
    await addCases(cases);
    for (const query of ['?', '?state=open&', '?risk=2&']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: { items: { title: string; risk: number }[]; next_cursor: string | null } = await list(
          `${query}${cursor ? `cursor=${cursor}` : ''}`,
        );
        seen.push(...getTitles(page));
        cursor = page.next_cursor;
      }
      const expected = cases.filter(({ risk }) => query !== '?risk=2&' || risk === 2);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(expected.length);
    }
    expect((await ask(moderator, 'GET', '/rest/v1/moderation/cases?cursor=nonsense')).status).toBe(400);
  });
});

test('a case shows the quote of the reported content, the person’s history and the possible actions', async () => {
  await submitListingForm(testApp, seller, { id: listing.id, title: 'Something else entirely' });
  expect(await getCase()).toMatchObject({
    state: 'open',
    risk: 2,
    report_count: 1,
    reasons: ['scam'],
    person: { id: seller.userId, name: 'Sally Seller' },
    quotes: [{ content: { subject: 'listing', title: 'Solid oak desk with two drawers' } }],
    reports: [{ reason: 'scam', reporter: { name: 'Rita Reporter' } }],
    history: { listings: 1, completed_deals: 0, earlier_cases: 0, suspended_at: null },
    listing: { slug: listing.slug, status: 'published', is_hidden: false },
    actions: [],
    possible_actions: ['dismiss', 'warn', 'unpublish', 'request_changes', 'suspend'],
  });
});

test('reading a case is audited, once while the page is open and not for a case about the moderator', async () => {
  const listReadings = () => testApp.sql<{ actor: string; user_id: string }[]>`
    SELECT actor, user_id FROM private.security_events WHERE event = 'case_read' AND detail = ${`case ${caseId}`} ORDER BY id`;
  const url = `/rest/v1/moderation/cases/${caseId}`;
  const by = (person: Person) => ({ actor: person.userId, user_id: seller.userId });
  for (const _ of [1, 2, 3]) await ask(moderator, 'GET', url);
  await ask(colleague, 'GET', url);
  expect(await listReadings()).toEqual([by(moderator), by(colleague)]);
  testApp.clock.advance(15 * 60);
  await ask(moderator, 'GET', url);
  expect(await listReadings()).toEqual([by(moderator), by(colleague), by(moderator)]);
  await testApp.sql`UPDATE private.moderation_cases SET person_id = ${colleague.userId} WHERE id = ${caseId}`;
  expect((await ask(colleague, 'GET', url)).body.code).toBe('own_case');
  expect(await listReadings()).toHaveLength(3);
});

test('the data of the person concerned does not tell that a case was read', async () => {
  await ask(moderator, 'GET', `/rest/v1/moderation/cases/${caseId}`);
  const { headers } = seller;
  const { body } = await testApp.server.inject({ url: '/rest/v1/me/data', headers });
  expect(body).toContain('security_events');
  expect(body).not.toContain(caseId);
});

test('a resolved case cannot be reserved or resolved again, and an undecided case has nothing to reverse', async () => {
  expect((await act(moderator, { action: 'restore' })).body.code).toBe('action_not_possible');
  await choose({ action: 'dismiss' });
  await takeEffect();
  const before = await digestDatabase(testApp);
  const reserve = () => ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
  expect((await reserve()).body.code).toBe('case_resolved');
  expect((await act(moderator, { action: 'warn' })).body.code).toBe('case_resolved');
  expect(await digestDatabase(testApp)).toBe(before);
});

describe('promise 84: two moderators cannot act on the same case at once', () => {
  test('a reserved case is refused to others until the reservation ends', async () => {
    const assign = (by: Person) => ask(by, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
    expect((await assign(moderator)).body).toMatchObject({ state: 'assigned' });
    expect((await assign(colleague)).body.code).toBe('case_assigned');
    expect((await act(colleague, { action: 'dismiss' })).body.code).toBe('case_assigned');
    expect((await getCase(colleague)).possible_actions).toEqual([]);
    testApp.clock.advance(15 * 60 - 1);
    expect((await assign(colleague)).body.code).toBe('case_assigned');
    testApp.clock.advance(1);
    expect((await assign(colleague)).status).toBe(200);
    expect((await act(moderator, { action: 'dismiss' })).body.code).toBe('case_assigned');
  });

  test('only one of several simultaneous actions is accepted', async () => {
    const answers = await Promise.all(
      [moderator, colleague, moderator, colleague].map((by) => act(by, { action: 'warn' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 200))
      expect(['case_assigned', 'action_pending']).toContain(body.code);
    await takeEffect();
    expect((await listNotifications(seller)).map(({ title }) => title)).toEqual([
      'A moderator warned you about “Solid oak desk with two drawers”',
    ]);
  });

  test('moderators neither see nor list cases about themselves, nor the photos in them', async () => {
    await testApp.sql`DELETE FROM private.moderation_cases WHERE id <> ${caseId}`;
    await testApp.sql`UPDATE private.moderation_cases SET person_id = ${moderator.userId} WHERE id = ${caseId}`;
    const [quote] = await testApp.sql<{ id: string }[]>`
      SELECT id FROM private.moderation_quotes WHERE case_id = ${caseId}`;
    const answer = async (by: Person, path: string) => {
      const { status, body } = await ask(by, 'GET', `/rest/v1/moderation/${path}`);
      return [status, body.code];
    };
    expect(await answer(moderator, `cases/${caseId}`)).toEqual([409, 'own_case']);
    expect(await answer(moderator, `quotes/${quote?.id}/photos/0`)).toEqual([409, 'own_case']);
    expect(await answer(colleague, `cases/${caseId}`)).toEqual([200, undefined]);
    expect(await answer(colleague, `quotes/${quote?.id}/photos/0`)).toEqual([404, 'object_not_found']);
    const listIds = async (by: Person, query: string) => {
      const { body } = await ask(by, 'GET', `/rest/v1/moderation/cases${query}`);
      return body.items.map(({ id }: { id: string }) => id);
    };
    for (const query of ['', '?state=open', '?risk=2', '?state=resolved']) {
      if (query === '?state=resolved')
        await testApp.sql`UPDATE private.moderation_cases SET resolved_at = ${testApp.clock.now()} WHERE id = ${caseId}`;
      expect(await listIds(moderator, query)).not.toContain(caseId);
      expect(await listIds(colleague, query)).toContain(caseId);
    }
  });

  test('moderators cannot act on cases about themselves', async () => {
    await testApp.sql`UPDATE private.moderation_cases SET person_id = ${moderator.userId} WHERE id = ${caseId}`;
    expect((await act(moderator, { action: 'dismiss' })).body.code).toBe('own_case');
    expect((await ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`)).body.code).toBe(
      'own_case',
    );
    expect((await act(colleague, { action: 'dismiss' })).status).toBe(200);
  });
});

test('a moderator who reports the subject of a case loses their reservation of it, and another moderator can resolve it', async () => {
  await ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
  await reportListing(moderator);
  expect(await getCase(colleague)).toMatchObject({ state: 'open', assigned_to: null });
  await choose({ action: 'dismiss' }, colleague);
});

describe('a case that a moderator reported', () => {
  const reserve = (by: Person) => ask(by, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
  beforeEach(() => reportListing(moderator));

  test('is decided by another moderator', async () => {
    expect(await getCase(moderator)).toMatchObject({ report_count: 2, possible_actions: [] });
    expect((await act(moderator, { action: 'unpublish' })).body.code).toBe('other_moderator_required');
    expect((await reserve(moderator)).body.code).toBe('other_moderator_required');
    const other = await signInToConsole(testApp, 'moderator');
    expect((await reserve(other)).body).toMatchObject({ assigned_to: { id: other.userId } });
    await choose({ action: 'unpublish' }, other);
    await takeEffect();
    expect((await getCase(moderator)).possible_actions).toEqual(['restore']);
  });

  test('is decided by the same moderator if every other moderator reported it or lost the role', async () => {
    await reportListing(colleague);
    expect((await reserve(moderator)).status).toBe(200);
    await testApp.sql`DELETE FROM private.moderation_reports WHERE reporter_id = ${colleague.userId}`;
    expect((await act(moderator, { action: 'dismiss' })).body.code).toBe('other_moderator_required');
    await testApp.sql`UPDATE private.credentials SET console_role = NULL WHERE user_id = ${colleague.userId}`;
    expect((await act(moderator, { action: 'dismiss' })).status).toBe(200);
  });
});

describe('a case about somebody with a role in the console', () => {
  test.each(['moderator', 'administrator'])(
    'can be dismissed by any moderator, and all other actions need an administrator: %s',
    async (role) => {
      await testApp.sql`UPDATE private.credentials SET console_role = ${role} WHERE user_id = ${seller.userId}`;
      for (const action of ['warn', 'unpublish', 'request_changes', 'suspend']) {
        const { status, body } = await act(moderator, { action });
        expect([status, body.code]).toEqual([403, 'administrator_required']);
      }
      const own = { needs_administrator: true, possible_actions: ['dismiss'] };
      expect(await getCase(moderator)).toMatchObject(own);
      expect(await getCase(colleague)).toMatchObject({
        needs_administrator: false,
        possible_actions: ['dismiss', 'warn', 'unpublish', 'request_changes', 'suspend'],
      });
      await choose({ action: 'suspend', days: 1 }, colleague);
      await takeEffect();
      expect(await getCase(moderator)).toMatchObject({ needs_administrator: true, possible_actions: [] });
      expect((await act(moderator, { action: 'restore' })).body.code).toBe('administrator_required');
      await choose({ action: 'restore' }, colleague);
    },
  );

  test('is decided by the only administrator, even if they reported it or made the first decision', async () => {
    await testApp.sql`UPDATE private.credentials SET console_role = 'moderator' WHERE user_id = ${seller.userId}`;
    await reportListing(colleague);
    const { id } = await choose({ action: 'unpublish' }, colleague);
    await takeEffect();
    await appeal(seller, id);
    await choose({ action: 'restore' }, colleague);
    await takeEffect();
    expect(await isPublic()).toBe(true);
  });

  test('cannot be decided by an administrator who reported it if there is another administrator', async () => {
    await testApp.sql`UPDATE private.credentials SET console_role = 'moderator' WHERE user_id = ${seller.userId}`;
    await reportListing(colleague);
    await signInToConsole(testApp, 'administrator');
    expect((await act(colleague, { action: 'warn' })).body.code).toBe('other_moderator_required');
  });

  test('can be dismissed by a moderator', async () => {
    await testApp.sql`UPDATE private.credentials SET console_role = 'moderator' WHERE user_id = ${seller.userId}`;
    await choose({ action: 'dismiss' });
    await takeEffect();
    expect(await getCase()).toMatchObject({ state: 'resolved' });
  });
});

describe('promise 84: an action that is undone within ten seconds', () => {
  test.each(['dismiss', 'warn', 'unpublish', 'request_changes', 'suspend'])(
    '%s has no effect at all',
    async (action) => {
      // Delayed jobs of the listing must not run between the two digests.
      testApp.clock.advance(120);
      await testApp.jobs.runAll();
      await ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
      const withoutActions = async () => {
        await testApp.sql`DELETE FROM private.moderation_actions`;
        return digestDatabase(testApp);
      };
      const before = await withoutActions();
      const { id } = await choose({ action });
      await testApp.jobs.runAll();
      testApp.clock.advance(9);
      await testApp.jobs.repeatNow('apply-missed-moderation-actions');
      expect((await undo(moderator, id)).body).toMatchObject({ id, applied_at: null });
      await takeEffect();
      expect(await withoutActions()).toBe(before);
      expect(
        testApp.mails.filter(({ kind, to }) => kind === 'account_suspended' && to === seller.email),
      ).toEqual([]);
    },
  );

  test('can be chosen again, and cannot be undone by other moderators or after it took effect', async () => {
    const first = await choose({ action: 'warn' });
    const other = await signInToConsole(testApp, 'moderator');
    expect((await undo(other, first.id)).body.code).toBe('action_not_found');
    await undo(moderator, first.id);
    testApp.clock.advance(1);
    const second = await choose({ action: 'warn' });
    await takeEffect();
    expect((await undo(moderator, second.id)).body.code).toBe('action_took_effect');
    expect((await getCase()).actions).toMatchObject([
      { id: second.id, undone_at: null, is_own: true },
      { id: first.id, applied_at: null },
    ]);
  });

  test('“Suspend now” takes effect at once; no other action can skip the ten seconds', async () => {
    expect((await act(moderator, { action: 'warn', immediately: true })).status).toBe(400);
    const { applied_at: appliedAt } = await choose({ action: 'suspend', immediately: true });
    expect(appliedAt).toBe(testApp.clock.now().toISOString());
    expect((await ask(seller, 'GET', '/rest/v1/me')).status).toBe(401);
  });
});

describe('promise 85: every action is audited and everybody affected is notified', () => {
  const reasonOf = (person: Person) => testApp.sql<{ event: string; actor: string; reason: string }[]>`
    SELECT event, actor, reason FROM private.security_events WHERE user_id = ${person.userId} AND detail = ${`case ${caseId}`}`;

  test.each([
    ['dismiss', 'case_dismissed', undefined, 'and found that it follows our guidelines'],
    [
      'warn',
      'person_warned',
      'A moderator warned you about “Solid oak desk with two drawers”',
      'and took action',
    ],
    [
      'unpublish',
      'listing_taken_down',
      '“Solid oak desk with two drawers” was taken down',
      'and took action',
    ],
    [
      'request_changes',
      'changes_requested',
      '“Solid oak desk with two drawers” needs changes',
      'and took action',
    ],
    ['suspend', 'account_suspended', undefined, 'and took action'],
  ])('%s', async (action, event, title, outcome) => {
    await choose({ action, ...(action === 'suspend' ? { days: 3 } : {}) });
    await takeEffect();
    expect(await reasonOf(seller)).toEqual([{ event, actor: moderator.userId, reason: 'Counterfeit' }]);
    expect(await getCase()).toMatchObject({ state: 'resolved', assigned_to: null });
    const told = await listNotifications(reporter);
    expect(told).toMatchObject([{ title: 'Thanks for your report' }]);
    expect(told[0]?.text).toBe(`We looked at “Solid oak desk with two drawers” ${outcome}.`);
    if (action === 'suspend') {
      expect(testApp.mails.at(-1)).toMatchObject({
        kind: 'account_suspended',
        to: seller.email,
        reason: 'Counterfeit',
      });
      return;
    }
    const decisions = await listNotifications(seller);
    expect(decisions.map((it) => it.title)).toEqual(title ? [title] : []);
    if (title) expect(decisions[0]?.text).toBe('Reason: Counterfeit');
  });

  test('a listing is taken down and restored', async () => {
    await choose({ action: 'unpublish' });
    expect(await isPublic()).toBe(true);
    await takeEffect();
    expect(await isPublic()).toBe(false);
    expect((await getCase()).possible_actions).toEqual(['restore']);
    await choose({ action: 'restore', reason: 'It was genuine' }, colleague);
    await takeEffect();
    expect(await isPublic()).toBe(true);
    expect((await listNotifications(seller))[0]).toMatchObject({
      title: 'The decision about “Solid oak desk with two drawers” was reversed',
      text: 'Reason: It was genuine',
    });
    expect((await listNotifications(reporter))[0]?.text).toContain('again and reversed our decision');
  });

  test('a listing that needs changes can be published again by its owner', async () => {
    await choose({ action: 'request_changes', reason: 'Please show the real item' });
    await takeEffect();
    expect(await isPublic()).toBe(false);
    const own = async () => (await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body;
    expect(await own()).toMatchObject({ status: 'draft', requested_changes: 'Please show the real item' });
    await submitListingForm(testApp, seller, { id: listing.id, title: 'The real desk, with photos' });
    expect(await own()).toMatchObject({ status: 'published', requested_changes: null });
  });

  test.each([
    ['is taken down', () => takeDownListing(testApp.app, listing.id, 'A scam')],
    [
      'has a confirmed sale',
      () => testApp.sql`
        UPDATE listings SET status = 'sold', sold_at = ${testApp.clock.now()}, sale_confirmed_at = ${testApp.clock.now()}
        WHERE id = ${listing.id}`,
    ],
  ])('changes to a listing that %s cannot be requested, and nobody is told so', async (_, prevent) => {
    const request = { action: 'request_changes', reason: 'Please show the label' };
    await choose(request);
    await prevent();
    await takeEffect();
    const { actions, possible_actions: possible, state } = await getCase();
    expect([actions[0]?.failure, state]).toEqual([
      'The listing is taken down, or its sale is confirmed.',
      'assigned',
    ]);
    expect(possible).toEqual(['dismiss', 'warn', 'unpublish', 'suspend']);
    expect((await act(moderator, request)).body.code).toBe('action_not_possible');
    for (const person of [seller, reporter])
      expect((await listNotifications(person)).map(({ text }) => text).join()).not.toContain(request.reason);
    const own = await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`);
    expect(own.body.requested_changes).toBeNull();
  });

  test('changes to a rental that is back can be requested although its renter confirmed it', async () => {
    await testApp.sql`
      UPDATE listings SET category = 'rentals', sold_at = ${testApp.clock.now()}, sale_confirmed_at = ${testApp.clock.now()},
        rented_until = ${testApp.clock.now()}::date - 1
      WHERE id = ${listing.id}`;
    expect((await getCase()).possible_actions).toContain('request_changes');
    await choose({ action: 'request_changes', reason: 'Please show the label' });
    await takeEffect();
    const own = await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`);
    expect(own.body).toMatchObject({ status: 'draft', requested_changes: 'Please show the label' });
  });

  test('promise 89: a listing held for review is published when its case is dismissed', async () => {
    await submitListingForm(testApp, seller, { id: listing.id, title: 'A bottle of vodka from a party' });
    expect(await isPublic()).toBe(false);
    testApp.clock.advance(1);
    expect((await getCase()).dismissal_publishes).toBe(true);
    await choose({ action: 'dismiss' });
    await takeEffect();
    expect(await isPublic()).toBe(true);
  });

  test('a suspension has an end date, and restoring the person ends it early', async () => {
    await choose({ action: 'suspend', days: 7 });
    await takeEffect();
    expect(await isPublic()).toBe(false);
    expect((await getCase()).history).toMatchObject({
      suspended_until: new Date(testApp.clock.now().getTime() + 7 * 86_400_000).toISOString(),
    });
    await choose({ action: 'restore' });
    await takeEffect();
    expect(await isPublic()).toBe(true);
    expect((await getCase()).history).toMatchObject({ suspended_at: null, suspended_until: null });
  });

  test.each([
    ['listing', () => `/rest/v1/me/listings/${listing.id}`, {}],
    ['account', () => '/rest/v1/me', { confirmation: 'DELETE' }],
  ])('a dismissal after the owner deleted the %s tells the reporter', async (_what, getUrl, payload) => {
    expect((await ask(seller, 'DELETE', getUrl(), payload)).status).toBeLessThan(300);
    await choose({ action: 'dismiss' });
    await takeEffect();
    expect((await listNotifications(reporter))[0]?.text).toBe(
      'We looked at “Solid oak desk with two drawers”. It no longer exists, so there was nothing left to decide.',
    );
  });

  test('an action takes effect even if the owner deleted the listing in the meantime', async () => {
    await choose({ action: 'unpublish' });
    await ask(seller, 'DELETE', `/rest/v1/me/listings/${listing.id}`);
    await takeEffect();
    expect(await getCase()).toMatchObject({ state: 'resolved', listing: null });
  });

  test.each([
    { action: 'unpublish', kept: { hidden_reason: 'Counterfeit' } },
    { action: 'request_changes', kept: { requested_changes: 'Counterfeit' } },
  ])(
    'a listing deleted before the action takes effect is not public when its owner restores it: $action',
    async ({ action, kept }) => {
      await choose({ action });
      await ask(seller, 'DELETE', `/rest/v1/me/listings/${listing.id}`);
      await takeEffect();
      expect((await ask(seller, 'POST', `/rest/v1/me/listings/${listing.id}/restore`)).body).toMatchObject({
        status: 'draft',
        ...kept,
      });
      expect(await isPublic()).toBe(false);
    },
  );

  test('a take-down is also lifted if the owner deletes the listing before the reversal takes effect', async () => {
    await choose({ action: 'unpublish' });
    await takeEffect();
    await choose({ action: 'restore' });
    await ask(seller, 'DELETE', `/rest/v1/me/listings/${listing.id}`);
    await takeEffect();
    expect((await ask(seller, 'POST', `/rest/v1/me/listings/${listing.id}/restore`)).body).toMatchObject({
      status: 'draft',
      hidden_reason: null,
    });
    expect(
      (await ask(seller, 'PATCH', `/rest/v1/me/listings/${listing.id}`, { status: 'published' })).status,
    ).toBe(200);
    expect(await isPublic()).toBe(true);
  });

  test('an action takes effect even if the listing was removed in the meantime', async () => {
    await choose({ action: 'unpublish' });
    await testApp.sql`DELETE FROM listings WHERE id = ${listing.id}`;
    await takeEffect();
    expect(await getCase()).toMatchObject({ state: 'resolved', actions: [{ failure: null }] });
  });
});

describe('an appeal', () => {
  const takeDown = async () => {
    const { id } = await choose({ action: 'unpublish' });
    await takeEffect();
    return id;
  };

  test('opens the case again, is decided by another moderator and restores the listing', async () => {
    const id = await takeDown();
    expect((await ask(seller, 'GET', '/rest/v1/me/decisions')).body.items).toMatchObject([
      { id, action: 'unpublish', reason: 'Counterfeit', can_appeal: true, appeal: null },
    ]);
    expect((await appeal(seller, id)).status).toBe(200);
    expect((await appeal(seller, id)).body.code).toBe('appeal_exists');
    expect(await getCase()).toMatchObject({ state: 'open', has_appeal: true, possible_actions: [] });
    expect((await act(moderator, { action: 'dismiss' })).body.code).toBe('other_moderator_required');
    const reserve = (by: Person) => ask(by, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
    expect((await reserve(moderator)).body.code).toBe('other_moderator_required');
    expect((await reserve(colleague)).body).toMatchObject({ assigned_to: { id: colleague.userId } });
    await choose({ action: 'restore', reason: 'You are right' }, colleague);
    await takeEffect();
    expect(await isPublic()).toBe(true);
    expect((await listNotifications(seller))[0]).toMatchObject({
      title: 'Your appeal was successful',
      text: 'Reason: You are right',
    });
    expect((await ask(seller, 'GET', '/rest/v1/me/decisions')).body.items.at(-1)).toMatchObject({
      id,
      can_appeal: false,
      appeal: { text: 'It is genuine', is_granted: true },
    });
  });

  test('is rejected by a dismissal', async () => {
    const id = await takeDown();
    await appeal(seller, id);
    await choose({ action: 'dismiss', reason: 'The logo is fake' }, colleague);
    await takeEffect();
    expect(await isPublic()).toBe(false);
    expect((await listNotifications(seller))[0]).toMatchObject({ title: 'Your appeal was rejected' });
    expect(await listNotifications(reporter)).toHaveLength(1);
  });

  test('is decided by the same moderator if there is no other', async () => {
    const id = await takeDown();
    await appeal(seller, id);
    await testApp.sql`UPDATE private.credentials SET console_role = NULL WHERE user_id = ${colleague.userId}`;
    expect((await act(moderator, { action: 'restore' })).status).toBe(200);
  });

  test.each([
    ['has not confirmed the address', 'credentials', 'confirmed_at'],
    ['has not finished to set up the second factor', 'second_factors', 'verified_at'],
  ])('is decided by the same moderator if the only other one %s', async (_what, table, column) => {
    const id = await takeDown();
    await appeal(seller, id);
    expect((await act(moderator, { action: 'restore' })).body.code).toBe('other_moderator_required');
    await testApp.sql`
      UPDATE ${identifier(`private.${table}`)} SET ${identifier(column)} = NULL WHERE user_id = ${colleague.userId}`;
    expect((await act(moderator, { action: 'restore' })).status).toBe(200);
  });

  const suspend = async (form: object = {}) => {
    await choose({ action: 'suspend', immediately: true, ...form });
    const mail = testApp.mails.findLast(
      ({ kind, to }) => kind === 'account_suspended' && to === seller.email,
    );
    return { token: mail && 'appealToken' in mail ? mail.appealToken : undefined };
  };
  const send = (form: object) =>
    testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/appeals',
      payload: { text: 'It was not me', ...form },
    });

  test('of a suspended person works once with the link in the email', async () => {
    const { token } = await suspend();
    expect((await send({ token: 'guessed' })).json().code).toBe('decision_not_found');
    expect((await send({ token })).statusCode).toBe(200);
    expect((await send({ token })).json().code).toBe('appeal_exists');
    await choose({ action: 'restore' }, colleague);
    await takeEffect();
    expect(await isPublic()).toBe(true);
  });

  test.each([
    ['permanently', {}, '.'],
    ['for days', { days: 3 }, ' until March 5, 2026'],
  ])('promise 85: of a person suspended %s is rejected by email', async (_duration, form, end) => {
    expect((await send(await suspend(form))).statusCode).toBe(200);
    const until = (await getCase()).history?.suspended_until ?? undefined;
    await choose({ action: 'dismiss', reason: 'It was you' }, colleague);
    await takeEffect();
    const mail = {
      kind: 'appeal_decided',
      to: seller.email,
      isGranted: false,
      reason: 'It was you',
      until,
    } as const;
    expect(testApp.mails.filter(({ to }) => to === seller.email).slice(-2)).toEqual([
      expect.objectContaining({ kind: 'account_suspended' }),
      mail,
    ]);
    const { text } = renderEmail(mail, { campus: defaultCampus, publicUrl: 'http://quad.test' });
    expect(text).toContain(`your appeal. Your account is suspended${end}`);
  });

  test('of a person whose suspension has just ended is not answered as if they were still suspended', async () => {
    expect((await send(await suspend({ days: 3 }))).statusCode).toBe(200);
    await testApp.sql`
      UPDATE private.credentials SET suspended_until = ${testApp.clock.now()} WHERE user_id = ${seller.userId}`;
    await choose({ action: 'dismiss' }, colleague);
    await takeEffect();
    expect(testApp.mails.findLast(({ to }) => to === seller.email)?.kind).toBe('account_suspended');
  });

  test('is refused when the decision was reversed already', async () => {
    const id = await takeDown();
    await choose({ action: 'restore', reason: 'It was genuine' }, colleague);
    await takeEffect();
    expect((await appeal(seller, id)).body.code).toBe('appeal_not_possible');
    expect(await getCase()).toMatchObject({ state: 'resolved', has_appeal: false });
  });

  test('is refused if it is from somebody else, has no session, or is too long', async () => {
    const id = await takeDown();
    expect((await appeal(reporter, id)).body.code).toBe('decision_not_found');
    const anonymous = await testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/appeals',
      payload: { action_id: id, text: 'Please' },
    });
    expect(anonymous.json().code).toBe('not_authenticated');
    expect((await appeal(seller, id, 'x'.repeat(1001))).body.fields).toEqual({
      text: 'An appeal has at most 1,000 characters',
    });
    expect((await appeal(seller, id, 'x'.repeat(1000))).status).toBe(200);
  });
});
