import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '#server/app.ts';
import { listSecurityEvents } from '#server/features/audit/public.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { confirmWithoutCode, createAccount, sendResetLink } from './account-administration.ts';
import { getAccountSummary, searchAccounts } from './account-moderation.ts';

let testApp: TestApp;
let app: App;
const actor = { name: 'shell:alice', reason: 'Asked by the dean' };
const auditActorFields = { actor: actor.name, reason: actor.reason };

beforeAll(async () => {
  testApp = await startTestApp();
  app = { ...testApp.app, actor };
});
beforeEach(() => testApp.clock.advance(60));
afterAll(() => testApp.close());

const postJson = async (url: string, payload: object) => {
  const response = await testApp.server.inject({ method: 'POST', url, payload });
  return { status: response.statusCode, body: response.json() };
};
const findLastAuditEntry = async (userId: string) =>
  (await listSecurityEvents(app, { userId, since: new Date(0), limit: 50 })).at(-1);
const findNotificationEvents = async (userId: string) => {
  await testApp.jobs.runAll();
  const rows = await testApp.sql`SELECT event FROM notifications WHERE user_id = ${userId}`;
  return rows.map(({ event }) => event);
};
const logIn = (email: string, password: string) =>
  postJson('/functions/v1/login-password', { email, password });

test('a created account has no password: its owner logs in with the mailed code and sets one', async () => {
  const email = 'new.student@usc.edu';
  const userId = await createAccount(app, email);
  expect(await findLastAuditEntry(userId)).toMatchObject({ event: 'account_created', ...auditActorFields });
  await testApp.collectMails();
  const entered = await postJson('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
  expect(entered).toMatchObject({ status: 200, body: { passwordNeeded: true } });
  expect(await getAccountSummary(app, email)).toMatchObject({ id: userId, usc_verified: true });
});

test('the owner of a created account can request another code later', async () => {
  const email = 'late.student@usc.edu';
  await createAccount(app, email);
  testApp.clock.advance(3600);
  await postJson('/functions/v1/send-otp', { email });
  await testApp.collectMails();
  const entered = await postJson('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
  expect(entered.status).toBe(200);
});

test('creating an account fails for an address that has one or may not sign up', async () => {
  const person = await testApp.signIn();
  const campusOnlyApp = { ...app, config: { ...app.config, campusOnly: true } };
  await expect(createAccount(app, person.email)).rejects.toMatchObject({ code: 'account_exists' });
  await expect(createAccount(campusOnlyApp, 'guest@elsewhere.example')).rejects.toMatchObject({
    code: 'campus_address_required',
  });
  expect(await searchAccounts(app, 'guest@elsewhere')).toEqual([]);
});

test('promise 45: manual confirmation clears the password and name given at sign-up', async () => {
  const email = 'victim@usc.edu';
  await postJson('/functions/v1/signup', { email, password: testPassword, fullName: 'Mallory' });
  const before = await getAccountSummary(app, email);
  expect(await confirmWithoutCode(app, before)).toBe(true);
  const after = await getAccountSummary(app, email);
  expect(after).toMatchObject({ full_name: null, usc_verified: true, confirmed_at: testApp.clock.now() });
  expect(await findLastAuditEntry(after.id)).toMatchObject({
    event: 'account_confirmed',
    ...auditActorFields,
  });
  expect((await logIn(email, testPassword)).status).toBe(401);
  testApp.clock.advance(60);
  await postJson('/functions/v1/send-otp', { email });
  await testApp.collectMails();
  const entered = await postJson('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
  expect(entered).toMatchObject({ status: 200, body: { passwordNeeded: true } });
  expect(await confirmWithoutCode(app, after)).toBe(false);
});

test('manual confirmation has no effect if the owner has confirmed the address in the meantime', async () => {
  const email = 'busy@usc.edu';
  await postJson('/functions/v1/signup', { email, password: testPassword, fullName: 'Bea Busy' });
  const outdated = await getAccountSummary(app, email);
  await postJson('/functions/v1/verify-otp', { email, code: testApp.codeFor(email), password: testPassword });
  expect(await confirmWithoutCode(app, outdated)).toBe(false);
  expect(await findNotificationEvents(outdated.id)).toEqual([]);
  expect(await findLastAuditEntry(outdated.id)).toBeUndefined();
});

test('manual confirmation of an already confirmed account keeps its password', async () => {
  const person = await testApp.signIn();
  expect(await confirmWithoutCode(app, await getAccountSummary(app, person.email))).toBe(false);
  expect((await logIn(person.email, testPassword)).status).toBe(200);
});

test('a reset link sent by an administrator sets a new password, at most one per 30 seconds', async () => {
  const person = await testApp.signIn();
  const account = await getAccountSummary(app, person.email);
  await sendResetLink(app, account);
  expect(await findLastAuditEntry(account.id)).toMatchObject({
    event: 'reset_link_sent',
    ...auditActorFields,
  });
  await expect(sendResetLink(app, account)).rejects.toMatchObject({ code: 'rate_limited' });
  await testApp.collectMails();
  const mail = testApp.mails.findLast((it) => it.kind === 'reset_link');
  const token = mail && 'token' in mail ? mail.token : '';
  const password = 'another-password-2';
  expect((await postJson('/functions/v1/reset-password', { token, password })).status).toBe(200);
  expect((await logIn(person.email, password)).status).toBe(200);
});

test('sends no reset link to addresses outside the campus, like the page for forgotten passwords', async () => {
  const { email } = await testApp.signIn({ email: 'guest@other.example' });
  await expect(sendResetLink(app, await getAccountSummary(app, email))).rejects.toMatchObject({
    code: 'campus_address_required',
  });
});
