import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { formatErrorMessage } from '#contract/errors.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import type { Mailer } from './mailer.ts';
import { disabledMailer } from './outbox.ts';

let testApp: TestApp;
let member: Person;
let otherMember: Person;
let outsider: Person;

beforeAll(async () => {
  const mailer = {} as Mailer;
  testApp = await startTestApp({
    environment: { QUAD_PUBLIC_URL: 'https://quad.test', QUAD_MAIL: 'off' },
    // Create the accounts while mail still works, as on a server whose mail was turned off later.
    mailer: (collecting) => Object.assign(mailer, collecting),
  });
  [member, otherMember] = [await testApp.signIn(), await testApp.signIn()];
  outsider = await testApp.signIn({ email: 'outsider@home.example' });
  await postJson('/functions/v1/signup', { email: 'waiting@usc.edu', password: testPassword, fullName: 'W' });
  testApp.mails.length = 0;
  // Wait out the cooldown of 30 seconds between two codes for one address.
  testApp.clock.advance(31);
  Object.assign(mailer, disabledMailer);
});
afterAll(() => testApp.close());

const postJson = async (url: string, payload: object) => {
  const response = await testApp.server.inject({ method: 'POST', url, payload });
  return { status: response.statusCode, body: response.json() };
};

const mailOffSentence = formatErrorMessage('mail_off', defaultCampus);

test.each([
  ['/functions/v1/signup', { fullName: 'N', password: testPassword }],
  ['/functions/v1/send-otp', {}],
  ['/functions/v1/send-verification-code', {}],
  ['/functions/v1/forgot-password', {}],
  ['/auth/v1/otp', {}],
  ['/auth/v1/recover', {}],
  ['/auth/v1/resend', { type: 'signup' }],
])('%s returns mail_off for known and unknown addresses', async (url, payload) => {
  for (const email of [member.email, 'waiting@usc.edu', 'nobody@usc.edu']) {
    const { status, body } = await postJson(url, { ...payload, email });
    expect(status).toBe(503);
    expect(body.code).toBe('mail_off');
    expect(body.error ?? body.message).toBe(mailOffSentence);
  }
  expect(await testApp.sql`SELECT 1 FROM users WHERE email = 'nobody@usc.edu'`).toHaveLength(0);
  expect(await testApp.sql`SELECT 1 FROM private.codes WHERE email = 'nobody@usc.edu'`).toHaveLength(0);
});

test('a campus address cannot be added, whether or not it belongs to an account', async () => {
  for (const email of [member.email, 'nobody@usc.edu']) {
    const { statusCode, ...response } = await testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/me/campus-address',
      headers: outsider.headers,
      payload: { email },
    });
    expect([statusCode, response.json().code]).toEqual([503, 'mail_off']);
  }
  expect(await testApp.sql`SELECT 1 FROM private.campus_addresses`).toHaveLength(0);
});

test('logging in to an unconfirmed account returns mail_off instead of announcing a code', async () => {
  const refused = await postJson('/functions/v1/login-password', {
    email: 'waiting@usc.edu',
    password: testPassword,
  });
  expect(refused).toMatchObject({ status: 503, body: { code: 'mail_off', error: mailOffSentence } });
});

test('log-in with a password, messages and forms work without mail', async () => {
  const { email } = member;
  expect((await postJson('/functions/v1/login-password', { email, password: testPassword })).status).toBe(
    200,
  );
  const conversations = createConversationClient(testApp);
  const conversation = await conversations.begin(otherMember, member);
  expect((await conversations.send(otherMember, conversation.id, 'Still there?')).status).toBe(200);
  const contact = {
    name: 'Ada',
    email: 'ada@usc.edu',
    topic: 'Bug Report',
    message: 'How do I list a couch on this site?',
  };
  expect((await postJson('/rest/v1/forms/contact', contact)).status).toBe(200);
  expect(await testApp.sql`SELECT 1 FROM private.forms`).toHaveLength(1);
  expect(testApp.mails).toEqual([]);
});

test('the mailbox page does not exist', async () => {
  const page = await testApp.server.inject({
    url: '/dev/mail',
    headers: { host: 'localhost:3000' },
    remoteAddress: '127.0.0.1',
  });
  expect(page.statusCode).toBe(404);
});
