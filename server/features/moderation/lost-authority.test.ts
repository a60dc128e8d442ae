import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CaseAction, ModerationAction, ModerationCase } from '#contract/moderation.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, grantConsoleRole, signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let moderator: Person;
let administrator: Person;
let seller: Person;
let listing: { id: string; slug: string };
let caseId: string;

const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const getCase = async (by = administrator, id = caseId): Promise<ModerationCase> =>
  (await ask(by, 'GET', `/rest/v1/moderation/cases/${id}`)).body;
const act = (by: Person, action: CaseAction, id = caseId) =>
  ask(by, 'POST', `/rest/v1/moderation/cases/${id}/actions`, { action, reason: 'Counterfeit' });
const choose = async (by: Person, action: CaseAction): Promise<ModerationAction> => {
  const { status, body } = await act(by, action);
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
const undo = (by: Person, id: string) => ask(by, 'POST', `/rest/v1/moderation/actions/${id}/undo`);
const takeEffect = () => applyModerationActions(testApp);
const decide = async (by: Person, action: CaseAction): Promise<ModerationAction> => {
  const chosen = await choose(by, action);
  await takeEffect();
  return chosen;
};
const reportListing = (by: Person) =>
  ask(by, 'POST', '/rest/v1/reports', { subject: 'listing', subject_id: listing.id, reason: 'scam' });
const changePerson = async (person: Person, form: object) => {
  const { status } = await ask(administrator, 'POST', `/rest/v1/moderation/people/${person.userId}/actions`, {
    reason: 'Left the team',
    ...form,
  });
  expect(status).toBe(200);
};
const setRole = (person: Person, role: string | null) =>
  testApp.sql`UPDATE private.credentials SET console_role = ${role} WHERE user_id = ${person.userId}`;
const listWithdrawals = () => testApp.sql<{ actor: string; reason: string; user_id: string }[]>`
  SELECT actor, reason, user_id FROM private.security_events
  WHERE event = 'action_withdrawn' AND detail LIKE ${`%case ${caseId}`}`;

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`UPDATE private.credentials SET console_role = NULL`;
  moderator = await signInToConsole(testApp, 'moderator');
  administrator = await signInToConsole(testApp, 'administrator');
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  listing = (await submitListingForm(testApp, seller)).body.listing;
  await reportListing(await testApp.signIn());
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE subject_id = ${listing.id}`;
  caseId = row?.id ?? '';
});

describe('an action that has not taken effect', () => {
  const lostRole = 'The moderator who chose this can no longer use the console.';
  const expectWithdrawn = async (failure: string) => {
    await takeEffect();
    expect(await getCase()).toMatchObject({
      state: 'open',
      assigned_to: null,
      actions: [{ failure, applied_at: null, can_undo: false }],
    });
    expect((await testApp.server.inject({ url: `/rest/v1/listings/${listing.slug}` })).statusCode).toBe(200);
  };

  test.each([
    ['loses the role', () => changePerson(moderator, { action: 'set_role', role: 'user' })],
    ['is suspended', () => changePerson(moderator, { action: 'suspend', days: 3 })],
  ])('ends, and its case is open again, at once when its moderator %s', async (_what, change) => {
    await choose(moderator, 'unpublish');
    await change();
    expect(await getCase()).toMatchObject({
      state: 'open',
      assigned_to: null,
      actions: [{ failure: lostRole }],
    });
    expect(await listWithdrawals()).toEqual([
      { actor: administrator.userId, reason: 'Left the team', user_id: seller.userId },
    ]);
    await expectWithdrawn(lostRole);
  });

  test('ends when its moderator deletes the account', async () => {
    await choose(moderator, 'unpublish');
    await ask(moderator, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' });
    await expectWithdrawn(lostRole);
    expect(await listWithdrawals()).toHaveLength(1);
  });

  test('ends when its moderator is suspended by another case', async () => {
    await choose(moderator, 'unpublish');
    await ask(seller, 'POST', '/rest/v1/reports', {
      subject: 'user',
      subject_id: moderator.userId,
      reason: 'scam',
    });
    const [about] = await testApp.sql<{ id: string }[]>`
      SELECT id FROM private.moderation_cases WHERE person_id = ${moderator.userId}`;
    await ask(administrator, 'POST', `/rest/v1/moderation/cases/${about?.id}/actions`, {
      action: 'suspend',
      reason: 'Abuse',
      immediately: true,
    });
    await expectWithdrawn(lostRole);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['its moderator lost the role', async () => setRole(moderator, null), lostRole],
    [
      'its moderator was suspended',
      async () => testApp.sql`
        UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${moderator.userId}`,
      lostRole,
    ],
    [
      'the person concerned became an administrator',
      async () => setRole(seller, 'administrator'),
      'Only an administrator can do this: an administrator decided it, or the person has a role in the console.',
    ],
    [
      'its moderator reported the listing, too',
      () => reportListing(moderator),
      'Another moderator has to decide this case, because you reported it or decided it before.',
    ],
  ])('is withdrawn when it is due if %s', async (_what, change, failure) => {
    await choose(moderator, 'unpublish');
    await change();
    await expectWithdrawn(failure);
    expect(await listWithdrawals()).toEqual([{ actor: 'system', reason: failure, user_id: seller.userId }]);
  });

  test('is withdrawn if it needs an administrator and its author is only a moderator now', async () => {
    await setRole(seller, 'moderator');
    await choose(administrator, 'unpublish');
    await setRole(administrator, 'moderator');
    const other = await signInToConsole(testApp, 'administrator');
    await takeEffect();
    expect((await getCase(other)).actions).toMatchObject([{ applied_at: null }]);
  });

  test('can be undone by an administrator, who can then decide the case', async () => {
    const { id } = await choose(moderator, 'unpublish');
    expect((await getCase()).actions).toMatchObject([{ is_own: false, can_undo: true }]);
    expect((await undo(administrator, id)).body).toMatchObject({ id, failure: null, can_undo: false });
    expect(await listWithdrawals()).toMatchObject([{ actor: administrator.userId, user_id: seller.userId }]);
    await decide(administrator, 'dismiss');
    expect(await getCase()).toMatchObject({ state: 'resolved' });
  });

  test('cannot be undone by an administrator in a case about themselves, or by another moderator', async () => {
    await setRole(seller, 'moderator');
    const judge = await signInToConsole(testApp, 'administrator');
    const { id } = await choose(judge, 'warn');
    expect((await undo(moderator, id)).body.code).toBe('action_not_found');
    await testApp.sql`UPDATE private.moderation_cases SET person_id = ${administrator.userId} WHERE id = ${caseId}`;
    expect((await undo(administrator, id)).body.code).toBe('own_case');
  });
});

describe('a decision of an administrator', () => {
  test.each<CaseAction>(['warn', 'unpublish', 'request_changes', 'suspend'])(
    'is reversed only by an administrator: %s',
    async (action) => {
      await decide(administrator, action);
      expect(await getCase(moderator)).toMatchObject({ needs_administrator: true, possible_actions: [] });
      expect(await act(moderator, 'restore')).toMatchObject({
        status: 403,
        body: { code: 'administrator_required' },
      });
      const other = await signInToConsole(testApp, 'administrator');
      await decide(other, 'restore');
      expect((await getCase(other)).actions.at(-1)?.restored_at).toBe(testApp.clock.now().toISOString());
    },
  );

  test('to suspend somebody in People is not lifted by a moderator, whatever became of the administrator', async () => {
    await changePerson(seller, { action: 'suspend', days: null });
    const [about] = await testApp.sql<{ id: string }[]>`
      SELECT id FROM private.moderation_cases WHERE subject = 'user' AND person_id = ${seller.userId}`;
    const restore = async () => (await act(moderator, 'restore', about?.id)).body.code;
    expect(await restore()).toBe('administrator_required');
    const other = await signInToConsole(testApp, 'administrator');
    await setRole(administrator, null);
    expect(await restore()).toBe('administrator_required');
    await ask(administrator, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' });
    expect(await restore()).toBe('administrator_required');
    expect((await act(other, 'restore', about?.id)).status).toBe(200);
  });

  test('stays one after a moderator chose and undid many actions in its case', async () => {
    const second = await testApp.signIn();
    await choose(administrator, 'warn');
    testApp.clock.advance(1);
    await reportListing(second);
    await takeEffect();
    testApp.clock.advance(15 * 60);
    expect(await getCase(moderator)).toMatchObject({ state: 'open', needs_administrator: false });
    for (let undone = 0; undone < 50; undone += 1) {
      testApp.clock.advance(1);
      await undo(moderator, (await choose(moderator, 'dismiss')).id);
    }
    expect((await getCase(moderator)).possible_actions).not.toContain('restore');
    expect((await act(moderator, 'restore')).body.code).toBe('administrator_required');
  });

  test('is judged by an administrator when the person appeals, even if there is only one', async () => {
    const { id } = await decide(administrator, 'unpublish');
    await ask(seller, 'POST', '/rest/v1/appeals', { action_id: id, text: 'It is genuine' });
    for (const action of ['dismiss', 'restore', 'warn'] as const)
      expect((await act(moderator, action)).body.code).toBe('administrator_required');
    const reservation = await ask(moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/assign`);
    expect(reservation.body.code).toBe('administrator_required');
    expect(await getCase(moderator)).toMatchObject({ needs_administrator: true, possible_actions: [] });
    await decide(administrator, 'restore');
    expect(await getCase()).toMatchObject({ state: 'resolved', has_appeal: false });
  });
});

test('a decision of a moderator who became an administrator can still be reversed by moderators', async () => {
  await decide(moderator, 'unpublish');
  await grantConsoleRole(testApp, moderator, 'administrator');
  const other = await signInToConsole(testApp, 'moderator');
  await decide(other, 'restore');
  expect((await getCase()).actions.at(-1)?.restored_at).not.toBeNull();
});
