import { afterAll, assert, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { CaseAction, ModerationAction, ModerationCase } from '#contract/moderation.ts';
import { renderEmail } from '#server/mail/templates.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { removeDeletedListings, submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';

const vodka = { title: 'A bottle of vodka from a party' };
let testApp: TestApp;
let moderator: Person;
let colleague: Person;
let seller: Person;
let reporter: Person;
let listing: { id: string; slug: string };

const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const getCase = async (id: string): Promise<ModerationCase> =>
  (await ask(moderator, 'GET', `/rest/v1/moderation/cases/${id}`)).body;
const choose = async (caseId: string, action: CaseAction, form: object = {}): Promise<ModerationAction> => {
  const payload = { action, reason: 'Counterfeit', ...form };
  const { status, body } = await ask(
    moderator,
    'POST',
    `/rest/v1/moderation/cases/${caseId}/actions`,
    payload,
  );
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
const takeEffect = () => applyModerationActions(testApp);
const decide = async (caseId: string, action: CaseAction, form: object = {}): Promise<ModerationAction> => {
  const chosen = await choose(caseId, action, form);
  await takeEffect();
  return chosen;
};
const appeal = async (actionId: string) => {
  // Store the appeal directly, like an appeal through the link in the email, because a suspended person cannot log in.
  await testApp.sql`
    INSERT INTO private.moderation_appeals (action_id, person_id, appeal_text, created_at)
    VALUES (${actionId}, ${seller.userId}, 'It is genuine', ${testApp.clock.now()})`;
  await testApp.sql`
    UPDATE private.moderation_cases SET resolved_at = NULL, reopened_at = ${testApp.clock.now()},
      assigned_to = NULL, assigned_until = NULL
    WHERE id = (SELECT case_id FROM private.moderation_actions WHERE id = ${actionId})`;
};
const listTitles = async (person: Person): Promise<string[]> =>
  (await ask(person, 'GET', '/rest/v1/notifications')).body.items.map(
    ({ title }: { title: string }) => title,
  );
const readOwn = async () => (await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body;
const isPublic = async () =>
  (await testApp.server.inject({ url: `/rest/v1/listings/${listing.slug}` })).statusCode === 200;

const report = async (subject: 'listing' | 'user', by = reporter): Promise<string> => {
  const subjectId = subject === 'listing' ? listing.id : seller.userId;
  const payload = { subject, subject_id: subjectId, reason: 'scam' };
  expect((await ask(by, 'POST', '/rest/v1/reports', payload)).status).toBe(200);
  return findOpenCase(subject);
};
const findOpenCase = async (subject: 'listing' | 'user'): Promise<string> => {
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases
    WHERE subject = ${subject} AND coalesce(subject_id, person_id) = ${subject === 'listing' ? listing.id : seller.userId}
      AND resolved_at IS NULL AND reopened_at IS NULL`;
  return row?.id ?? '';
};

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`UPDATE private.credentials SET console_role = NULL`;
  moderator = await signInToConsole(testApp, 'moderator');
  colleague = await signInToConsole(testApp, 'moderator');
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  reporter = await testApp.signIn({ fullName: 'Rita Reporter' });
  listing = (await submitListingForm(testApp, seller)).body.listing;
});

/** Runs `work` as the other moderator, because a moderator may not decide an appeal against their own action. */
const byColleague = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  [moderator, colleague] = [colleague, moderator];
  const result = await work();
  [moderator, colleague] = [colleague, moderator];
  return result;
};

describe('promise 89: a listing held for review', () => {
  test('is published only by dismissing the case that holds it', async () => {
    const first = await report('listing');
    const warning = await byColleague(() => decide(first, 'warn'));
    await submitListingForm(testApp, seller, { id: listing.id, ...vodka });
    const second = await findOpenCase('listing');
    await appeal(warning.id);
    testApp.clock.advance(60);
    await decide(first, 'dismiss');
    expect(await readOwn()).toMatchObject({ status: 'in_review' });
    await decide(second, 'dismiss');
    expect(await readOwn()).toMatchObject({ status: 'published' });
  });

  test('keeps its case open for an appeal that arrives while the next action is pending', async () => {
    await submitListingForm(testApp, seller, { id: listing.id, ...vodka });
    const caseId = await findOpenCase('listing');
    const warning = await byColleague(() => decide(caseId, 'warn'));
    await byColleague(() => choose(caseId, 'dismiss'));
    testApp.clock.advance(1);
    await appeal(warning.id);
    await takeEffect();
    expect(await readOwn()).toMatchObject({ status: 'published' });
    expect(await getCase(caseId)).toMatchObject({ state: 'open', has_appeal: true });
    expect(await listTitles(seller)).not.toContain('Your appeal was rejected');
    await decide(caseId, 'dismiss');
    expect(await getCase(caseId)).toMatchObject({ state: 'resolved', has_appeal: false });
  });

  test('cannot be decided from a page that was loaded before an appeal arrived', async () => {
    await submitListingForm(testApp, seller, { id: listing.id, ...vodka });
    const caseId = await findOpenCase('listing');
    const warning = await byColleague(() => decide(caseId, 'warn'));
    await appeal(warning.id);
    const act = (openAppeals: number) =>
      ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/actions`, {
        action: 'dismiss',
        reason: 'Allowed',
        open_appeals: openAppeals,
      });
    expect((await act(0)).body.code).toBe('appeal_unread');
    expect((await act(1)).status).toBe(200);
  });

  test('keeps its case open after an appeal in it was rejected', async () => {
    await submitListingForm(testApp, seller, { id: listing.id, ...vodka });
    const caseId = await findOpenCase('listing');
    const warning = await byColleague(() => decide(caseId, 'warn'));
    await appeal(warning.id);
    testApp.clock.advance(60);
    await decide(caseId, 'dismiss');
    expect(await readOwn()).toMatchObject({ status: 'in_review' });
    expect(await getCase(caseId)).toMatchObject({ resolved_at: null, has_appeal: false });
    await decide(caseId, 'dismiss');
    expect(await readOwn()).toMatchObject({ status: 'published' });
  });

  test.each([
    ['warn', { status: 'published', hidden: false }],
    // The listing is approved, but stays hidden while its owner is suspended.
    ['suspend', { status: 'draft', hidden: true }],
  ] as const)('keeps its case open after %s until it is decided', async (action, state) => {
    await submitListingForm(testApp, seller, { id: listing.id, ...vodka });
    const caseId = await findOpenCase('listing');
    await decide(caseId, action);
    expect(await getCase(caseId)).toMatchObject({ resolved_at: null, actions: [{ action }] });
    await decide(caseId, 'dismiss');
    expect((await getCase(caseId)).resolved_at).not.toBeNull();
    expect(
      await testApp.sql`SELECT status, hidden_at IS NOT NULL AS hidden FROM listings WHERE id = ${listing.id}`,
    ).toEqual([state]);
  });
});

describe('a case about a listing that its owner deleted', () => {
  const takeDownAndDelete = async () => {
    const caseId = await report('listing');
    const { id } = await byColleague(() => decide(caseId, 'unpublish'));
    return { caseId, id };
  };
  const removeListing = async () => {
    await ask(seller, 'DELETE', `/rest/v1/me/listings/${listing.id}`);
    await removeDeletedListings(testApp);
  };

  test('does not offer to restore the listing once it has been removed', async () => {
    const { caseId } = await takeDownAndDelete();
    expect((await getCase(caseId)).possible_actions).toEqual(['restore']);
    await removeListing();
    expect((await getCase(caseId)).possible_actions).toEqual([]);
  });

  test('can still decide an appeal', async () => {
    const { caseId, id } = await takeDownAndDelete();
    await removeListing();
    await appeal(id);
    await decide(caseId, 'restore');
    expect(await getCase(caseId)).toMatchObject({ state: 'resolved', actions: [{ failure: null }, {}] });
    expect((await listTitles(seller))[0]).toBe('Your appeal was successful');
  });

  test('can still decide an appeal if the listing is removed before the decision takes effect', async () => {
    const { caseId, id } = await takeDownAndDelete();
    await appeal(id);
    await choose(caseId, 'restore');
    await removeListing();
    await takeEffect();
    expect((await getCase(caseId)).state).toBe('resolved');
  });
});

test('promise 85: a suspended owner learns by email what was decided about a listing, and can appeal', async () => {
  const listingCase = await report('listing');
  const personCase = await report('user');
  await decide(personCase, 'suspend');
  await byColleague(() => decide(listingCase, 'unpublish'));
  const title = '“Solid oak desk with two drawers” was taken down';
  const mail = testApp.mails.findLast(({ to }) => to === seller.email);
  assert(mail?.kind === 'decision_made');
  expect(mail).toEqual({
    kind: 'decision_made',
    to: seller.email,
    title,
    text: 'Reason: Counterfeit',
    appealToken: expect.any(String),
  });
  const email = renderEmail(mail, { campus: defaultCampus, publicUrl: 'http://quad.test' });
  expect(email.subject).toBe(title);
  expect(email.text).toContain(`http://quad.test/appeal/${mail.appealToken}`);
  const payload = { token: mail.appealToken, text: 'It is genuine' };
  const appealed = await testApp.server.inject({ method: 'POST', url: '/rest/v1/appeals', payload });
  expect(appealed.statusCode).toBe(200);
  expect(await getCase(listingCase)).toMatchObject({ has_appeal: true });
});

describe('an action that cannot take effect', () => {
  const becomeLastAdministrator = async () => {
    const people = [seller.userId, moderator.userId];
    await testApp.sql`UPDATE private.credentials SET console_role = 'administrator' WHERE user_id = ANY (${people})`;
    // The moderator has not confirmed the email address and thus does not count as another administrator.
    await testApp.sql`UPDATE private.credentials SET confirmed_at = NULL WHERE user_id = ${moderator.userId}`;
  };

  test('is withdrawn, and the case shows the reason', async () => {
    const caseId = await report('user');
    await choose(caseId, 'suspend');
    await becomeLastAdministrator();
    await takeEffect();
    const found = await getCase(caseId);
    expect(found.actions).toMatchObject([
      { applied_at: null, failure: 'There must be at least one administrator.' },
    ]);
    expect(found.actions[0]?.undone_at).not.toBeNull();
    expect(found.state).not.toBe('resolved');
  });

  test('does not keep actions on other cases from taking effect', async () => {
    const broken = await report('user');
    const other = await report('listing');
    await choose(broken, 'warn');
    testApp.clock.advance(1);
    await choose(other, 'unpublish');
    // Simulate a permanent error: a trigger refuses to store the notification, so every retry fails.
    await testApp.sql`
      CREATE FUNCTION private.refuse_case() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no room for this case'; END $$`;
    await testApp.sql.query(`
      CREATE TRIGGER refuse_case BEFORE UPDATE OF resolved_at ON private.moderation_cases
        FOR EACH ROW WHEN (NEW.id = '${broken}') EXECUTE FUNCTION private.refuse_case()`);
    testApp.clock.advance(10);
    await expect(testApp.jobs.repeatNow('apply-missed-moderation-actions')).rejects.toThrow();
    await testApp.sql`DROP TRIGGER refuse_case ON private.moderation_cases`;
    await testApp.sql`DROP FUNCTION private.refuse_case`;
    expect(await isPublic()).toBe(false);
    await takeEffect();
    expect((await getCase(broken)).state).toBe('resolved');
  });
});

test.each([
  ['unpublish', { hidden_reason: 'Counterfeit', requested_changes: null }],
  ['request_changes', { hidden_reason: null, requested_changes: 'Counterfeit' }],
] as const)('%s about a listing of a suspended owner outlasts the suspension', async (action, decision) => {
  const listingCase = await report('listing');
  const personCase = await report('user');
  await decide(personCase, 'suspend', { days: 3 });
  await decide(listingCase, action);
  await decide(personCase, 'restore');
  expect(
    await testApp.sql`SELECT status, hidden_reason, requested_changes FROM listings WHERE id = ${listing.id}`,
  ).toEqual([{ status: 'draft', ...decision }]);
  await decide(listingCase, 'restore');
  expect(await isPublic()).toBe(true);
});

test('a request for changes outlasts the reversal of another case’s take-down', async () => {
  const first = await report('listing');
  const { id } = await byColleague(() => decide(first, 'warn'));
  await appeal(id);
  const second = await report('listing', colleague);
  await decide(second, 'request_changes', { reason: 'Please show the label' });
  await decide(first, 'unpublish');
  await decide(first, 'restore');
  expect(await readOwn()).toMatchObject({
    status: 'draft',
    hidden_reason: null,
    requested_changes: 'Please show the label',
  });
  await decide(second, 'restore');
  expect(await readOwn()).toMatchObject({ status: 'published', requested_changes: null });
});

test('a reversed request for changes does not return when another case’s take-down is reversed', async () => {
  const first = await report('listing');
  const { id } = await byColleague(() => decide(first, 'warn'));
  await appeal(id);
  const second = await report('listing', colleague);
  await decide(second, 'request_changes', { reason: 'Please show the label' });
  await decide(first, 'unpublish');
  await decide(second, 'restore');
  await decide(first, 'restore');
  expect(await readOwn()).toMatchObject({
    status: 'published',
    hidden_reason: null,
    requested_changes: null,
  });
});

test('a request for changes outlasts the reversal of another case’s request', async () => {
  const first = await report('listing');
  const { id } = await byColleague(() =>
    decide(first, 'request_changes', { reason: 'Please show the size' }),
  );
  await appeal(id);
  await submitListingForm(testApp, seller, { id: listing.id });
  const second = await report('listing', colleague);
  await decide(second, 'request_changes', { reason: 'Please show the label' });
  await decide(first, 'restore');
  expect(await readOwn()).toMatchObject({ status: 'draft', requested_changes: 'Please show the label' });
  await decide(second, 'restore');
  expect(await readOwn()).toMatchObject({ status: 'published', requested_changes: null });
});

test.each(['older', 'newer'] as const)(
  'a listing with two requests for changes needs the other one when the %s is reversed, and is published after both',
  async (reversedFirst) => {
    const newer = await report('listing');
    const { id } = await byColleague(() => decide(newer, 'warn'));
    await appeal(id);
    const older = await report('listing', colleague);
    await decide(older, 'request_changes', { reason: 'Please show the label' });
    await decide(newer, 'request_changes', { reason: 'Please show the size' });
    const inOrder = reversedFirst === 'older' ? [older, newer] : [newer, older];
    const remaining = reversedFirst === 'older' ? 'Please show the size' : 'Please show the label';
    await decide(inOrder[0] ?? '', 'restore');
    expect(await readOwn()).toMatchObject({ status: 'draft', requested_changes: remaining });
    await decide(inOrder[1] ?? '', 'restore');
    expect(await readOwn()).toMatchObject({ status: 'published', requested_changes: null });
  },
);

test('an answered request for changes does not return when a later one is reversed', async () => {
  const first = await report('listing');
  await decide(first, 'request_changes', { reason: 'Please show the size' });
  await submitListingForm(testApp, seller, { id: listing.id });
  const second = await report('listing', colleague);
  await decide(second, 'request_changes', { reason: 'Please show the label' });
  await decide(second, 'restore');
  expect(await readOwn()).toMatchObject({ status: 'published', requested_changes: null });
});

test("reversing a decision about a suspended owner's listing publishes it only when the suspension ends", async () => {
  const listingCase = await report('listing');
  const personCase = await report('user');
  await decide(personCase, 'suspend', { days: 3 });
  await decide(listingCase, 'request_changes');
  await decide(listingCase, 'restore');
  expect(await isPublic()).toBe(false);
  await decide(personCase, 'restore');
  expect(await isPublic()).toBe(true);
});

test.each([
  ['unpublish', 'was taken down'],
  ['request_changes', 'needs changes'],
  ['warn', 'A moderator warned you about'],
] as const)('promise 85: an appellant learns about %s, which answers the appeal', async (action, title) => {
  const caseId = await report('listing');
  const { id } = await byColleague(() => decide(caseId, 'warn'));
  await appeal(id);
  const before = await listTitles(seller);
  await decide(caseId, action);
  const told = (await listTitles(seller)).slice(0, -before.length);
  expect(told).toHaveLength(2);
  expect(told).toContain('Your appeal was rejected');
  expect(told.some((it) => it.includes(title))).toBe(true);
});

describe('suspensions of several cases', () => {
  const getSuspension = async () => {
    const [row] = await testApp.sql<{ suspended_at: Date | null; suspended_until: Date | null }[]>`
      SELECT suspended_at, suspended_until FROM private.credentials WHERE user_id = ${seller.userId}`;
    return row;
  };
  const inDays = (days: number) => new Date(testApp.clock.now().getTime() + days * dayInSeconds * 1000);
  const openTwo = async () => [await report('user'), await report('listing')] as const;

  test('a shorter one does not shorten a longer one', async () => {
    const [first, second] = await openTwo();
    await decide(first, 'suspend', { days: 30 });
    const until = inDays(30);
    await decide(second, 'suspend', { days: 3 });
    expect(await getSuspension()).toMatchObject({ suspended_until: until });
    const mail = testApp.mails.findLast(
      ({ kind, to }) => kind === 'account_suspended' && to === seller.email,
    );
    expect(mail).toMatchObject({ until: until.toISOString() });
  });

  test('a permanent one stays permanent', async () => {
    const [first, second] = await openTwo();
    await decide(first, 'suspend');
    await decide(second, 'suspend', { days: 3 });
    expect(await getSuspension()).toMatchObject({ suspended_until: null });
  });

  test('lifting one leaves the other in force', async () => {
    const [first, second] = await openTwo();
    await decide(first, 'suspend', { days: 3 });
    await decide(second, 'suspend', { days: 30 });
    const until = inDays(30);
    await decide(first, 'restore');
    expect(await getSuspension()).toMatchObject({ suspended_until: until });
    await decide(second, 'restore');
    expect(await getSuspension()).toEqual({ suspended_at: null, suspended_until: null });
  });

  test('promise 85: an email says that the appeal was granted but another suspension is still in force', async () => {
    const [first, second] = await openTwo();
    const { id } = await byColleague(() => decide(first, 'suspend', { days: 30 }));
    await decide(second, 'suspend', { days: 3 });
    const until = inDays(3).toISOString();
    await appeal(id);
    await decide(first, 'restore');
    expect(testApp.mails.findLast(({ to }) => to === seller.email)).toEqual({
      kind: 'appeal_decided',
      to: seller.email,
      isGranted: true,
      reason: 'Counterfeit',
      until,
    });
  });

  test('lifting the longer one leaves the shorter one in force', async () => {
    const [first, second] = await openTwo();
    await decide(first, 'suspend', { days: 3 });
    const until = inDays(3);
    await decide(second, 'suspend');
    await decide(second, 'restore');
    expect(await getSuspension()).toMatchObject({ suspended_until: until });
    await decide(first, 'restore');
    expect(await getSuspension()).toEqual({ suspended_at: null, suspended_until: null });
  });

  test('granting an appeal against an ended suspension does not lift a later one', async () => {
    const caseId = await report('user');
    const { id } = await byColleague(() => decide(caseId, 'suspend', { days: 3 }));
    testApp.clock.advance(3 * dayInSeconds);
    await testApp.jobs.repeatNow('lift-suspensions');
    moderator = await signInToConsole(testApp, 'moderator');
    expect((await getCase(caseId)).possible_actions).toEqual([]);
    await suspendByCommand(testApp.app, seller.email);
    await appeal(id);
    await decide(caseId, 'restore');
    expect((await getSuspension())?.suspended_at).not.toBeNull();
  });
});
