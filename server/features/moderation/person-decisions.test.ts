import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ModerationCase, ModerationDecision } from '#contract/moderation.ts';
import {
  expectOk,
  type Person,
  testPassword as password,
  startTestApp,
  type TestApp,
  toPersonFromTokenResponse,
} from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let moderator: Person;
let administrator: Person;
let otherAdministrator: Person;
let seller: Person;

const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const expectStatus = async (status: number, response: ReturnType<typeof ask>) => {
  const { status: actual, body } = await response;
  expect([actual, body?.code]).toEqual([status, undefined]);
  return body;
};
const actOnSeller = (form: object) =>
  expectStatus(
    200,
    ask(administrator, 'POST', `/rest/v1/moderation/people/${seller.userId}/actions`, {
      reason: 'Sold a ticket twice',
      ...form,
    }),
  );
const decide = async (caseId: string, form: object, by = moderator) => {
  const url = `/rest/v1/moderation/cases/${caseId}/actions`;
  await expectStatus(200, ask(by, 'POST', url, { reason: 'It was a mistake', ...form }));
  await applyModerationActions(testApp);
};
const findCaseAboutSeller = async (): Promise<ModerationCase> => {
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE subject = 'user' AND person_id = ${seller.userId}`;
  return expectStatus(200, ask(moderator, 'GET', `/rest/v1/moderation/cases/${row?.id}`));
};
const listDecisionsAfterLogIn = async (): Promise<ModerationDecision[]> => {
  const { email } = seller;
  const post = (url: string, payload: object) =>
    expectOk(testApp.server.inject({ method: 'POST', url, payload }));
  const { authPassword } = await post('/functions/v1/login-password', { email, password });
  const grant = await post('/auth/v1/token?grant_type=password', { email, password: authPassword });
  const again = toPersonFromTokenResponse(email, grant);
  return (await expectStatus(200, ask(again, 'GET', '/rest/v1/me/decisions'))).items;
};
const getAppealToken = () => {
  const mail = testApp.mails.findLast(({ kind, to }) => kind === 'account_suspended' && to === seller.email);
  return mail?.kind === 'account_suspended' ? mail.appealToken : undefined;
};
const appeal = (token: string | undefined) =>
  testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/appeals',
    payload: { token, text: 'It was not me' },
  });

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`UPDATE private.credentials SET console_role = NULL`;
  moderator = await signInToConsole(testApp, 'moderator');
  administrator = await signInToConsole(testApp, 'administrator');
  otherAdministrator = await signInToConsole(testApp, 'administrator');
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
});

test('a person whom an administrator suspends can appeal to another administrator with the link in the email', async () => {
  await actOnSeller({ action: 'suspend', days: 3 });
  expect((await appeal(getAppealToken())).statusCode).toBe(200);
  const about = await findCaseAboutSeller();
  expect(about).toMatchObject({
    has_appeal: true,
    quotes: [{ content: { subject: 'user', name: 'Sally Seller' } }],
    actions: [{ action: 'suspend', reason: 'Sold a ticket twice', days: 3, actor: 'Mona Monroe' }],
  });
  await decide(about.id, { action: 'restore' }, otherAdministrator);
  expect(testApp.mails.findLast(({ to }) => to === seller.email)?.kind).toBe('suspension_lifted');
  expect(await listDecisionsAfterLogIn()).toMatchObject([
    { action: 'restore' },
    { action: 'suspend', appeal: { is_granted: true } },
  ]);
});

test('lifting a suspension that a case decided reverses the decision and tells the reporters', async () => {
  const reporter = await testApp.signIn({ fullName: 'Rita Reporter' });
  const report = { subject: 'user', subject_id: seller.userId, reason: 'scam' };
  await expectStatus(200, ask(reporter, 'POST', '/rest/v1/reports', report));
  await decide((await findCaseAboutSeller()).id, { action: 'suspend' });
  await actOnSeller({ action: 'lift' });
  await testApp.jobs.runAll();
  expect(await listDecisionsAfterLogIn()).toMatchObject([
    { action: 'suspend', restored_at: testApp.clock.now().toISOString(), can_appeal: false },
  ]);
  const { items } = await expectStatus(200, ask(reporter, 'GET', '/rest/v1/notifications'));
  expect(items[0].text).toBe(
    'We looked at what you reported about Sally Seller again and reversed our decision.',
  );
});

test('lifting a suspension waits for an appeal that is being stored, and leaves it open', async () => {
  await actOnSeller({ action: 'suspend', days: null });
  const { id, actions } = await findCaseAboutSeller();
  let lifted: Promise<unknown> | undefined;
  await testApp.sql.begin(async (tx) => {
    await tx`SELECT FROM private.moderation_cases WHERE id = ${id} FOR NO KEY UPDATE`;
    lifted = actOnSeller({ action: 'lift' });
    await expect
      .poll(
        () => testApp.sql`
          SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        { timeout: 10_000 },
      )
      .toHaveLength(1);
    await tx`
      INSERT INTO private.moderation_appeals (action_id, person_id, appeal_text, created_at)
      VALUES (${actions[0]?.id ?? ''}, ${seller.userId}, 'It was not me', ${testApp.clock.now()})`;
  });
  await lifted;
  expect((await findCaseAboutSeller()).actions[0]).toMatchObject({ restored_at: null });
});

test('lifting a suspension leaves its open appeal for another administrator to decide', async () => {
  await actOnSeller({ action: 'suspend', days: null });
  expect((await appeal(getAppealToken())).statusCode).toBe(200);
  await actOnSeller({ action: 'lift' });
  const { id } = await findCaseAboutSeller();
  await decide(id, { action: 'restore' }, otherAdministrator);
  expect(await listDecisionsAfterLogIn()).toMatchObject([
    { action: 'restore' },
    { action: 'suspend', appeal: { is_granted: true } },
  ]);
});

test('a person whose account is deleted while an administrator suspends it gets no email about a suspension', async () => {
  let suspended: ReturnType<typeof ask> | undefined;
  await testApp.sql.begin(async (tx) => {
    await tx`DELETE FROM users WHERE id = ${seller.userId}`;
    suspended = ask(administrator, 'POST', `/rest/v1/moderation/people/${seller.userId}/actions`, {
      action: 'suspend',
      days: 3,
      reason: 'Sold a ticket twice',
    });
    await expect
      .poll(
        () => testApp.sql`
          SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        { timeout: 10_000 },
      )
      .toHaveLength(1);
  });
  expect(await suspended).toMatchObject({ status: 404, body: { code: 'account_not_found' } });
  await testApp.collectMails();
  expect(testApp.mails.filter(({ to }) => to === seller.email)).toEqual([]);
});
