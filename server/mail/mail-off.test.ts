import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { errorSentence } from '#contract/errors.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createTalk } from '#server/testing/conversations.ts';
import { createDisabledMailer, type Mailer } from './mailer.ts';

let quad: TestApp;
let member: Person;
let other: Person;

beforeAll(async () => {
  const mailer = {} as Mailer;
  quad = await startTestApp({
    environment: { PUBLIC_URL: 'https://quad.test', MAIL: 'off' },
    // Accounts are made while mail still works, as on a server that had a mail server before.
    mailer: (listed) => Object.assign(mailer, listed),
  });
  [member, other] = [await quad.signIn(), await quad.signIn()];
  await post('/functions/v1/signup', { email: 'waiting@usc.edu', password: testPassword, fullName: 'W' });
  quad.mails.length = 0;
  // A code sent a moment ago would still be as good as a new one.
  quad.clock.advance(31);
  Object.assign(mailer, createDisabledMailer());
});
afterAll(() => quad.close());

const post = async (url: string, payload: object) => {
  const reply = await quad.app.inject({ method: 'POST', url, payload });
  return { status: reply.statusCode, body: reply.json() };
};

const sentence = errorSentence('mail_off', defaultCampus);

test.each([
  ['/functions/v1/signup', { fullName: 'N', password: testPassword }],
  ['/functions/v1/send-otp', {}],
  ['/functions/v1/send-verification-code', {}],
  ['/functions/v1/forgot-password', {}],
  ['/auth/v1/otp', {}],
  ['/auth/v1/recover', {}],
  ['/auth/v1/resend', { type: 'signup' }],
])('%s is refused with the reason, for known and unknown addresses alike', async (url, payload) => {
  for (const email of [member.email, 'waiting@usc.edu', 'nobody@usc.edu']) {
    const { status, body } = await post(url, { ...payload, email });
    expect(status).toBe(503);
    expect(body.code).toBe('mail_off');
    expect(body.error ?? body.message).toBe(sentence);
  }
  expect(await quad.sql`SELECT 1 FROM users WHERE email = 'nobody@usc.edu'`).toHaveLength(0);
  expect(await quad.sql`SELECT 1 FROM private.codes WHERE email = 'nobody@usc.edu'`).toHaveLength(0);
});

test('the password of an unconfirmed account is answered with the reason, not with a code on its way', async () => {
  const refused = await post('/functions/v1/login-password', {
    email: 'waiting@usc.edu',
    password: testPassword,
  });
  expect(refused).toMatchObject({ status: 503, body: { code: 'mail_off', error: sentence } });
});

test('everything that needs no mail works: passwords, messages, forms', async () => {
  const { email } = member;
  expect((await post('/functions/v1/login-password', { email, password: testPassword })).status).toBe(200);
  const talk = createTalk(quad);
  const conversation = await talk.begin(other, member);
  expect((await talk.send(other, conversation.id, 'Still there?')).status).toBe(200);
  const contact = {
    name: 'Ada',
    email: 'ada@usc.edu',
    topic: 'Bug Report',
    message: 'How do I list a couch on this site?',
  };
  expect((await post('/rest/v1/forms/contact', contact)).status).toBe(200);
  expect(await quad.sql`SELECT 1 FROM private.forms`).toHaveLength(1);
  expect(quad.mails).toEqual([]);
});

test('there is no mailbox page', async () => {
  const page = await quad.app.inject({
    url: '/dev/mail',
    headers: { host: 'localhost:3000' },
    remoteAddress: '127.0.0.1',
  });
  expect(page.statusCode).toBe(404);
});
