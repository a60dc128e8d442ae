import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { listMigrations, migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, testPassword as password, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let name: string;
const at = (tag: string, domain = 'usc.edu') => `${name}${tag}@${domain}`;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());
beforeEach(() => {
  name = `tommy-${randomUUID().slice(0, 8)}`;
  testApp.clock.advance(24 * 3600);
});

const call = async (path: string, payload: object, address = '203.0.113.7') => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: path,
    payload,
    remoteAddress: address,
  });
  return { status: response.statusCode, body: response.json() };
};
const signUp = (email: string, address?: string) =>
  call('/functions/v1/signup', { email, password, fullName: 'Tommy Trojan' }, address);
const verify = (email: string, code = testApp.codeFor(email)) =>
  call('/functions/v1/verify-otp', { email, code, password });
const signUpAndVerify = async (email: string) => {
  expect(await signUp(email)).toMatchObject({ status: 200 });
  return verify(email);
};
const findPerson = async (email: string) => {
  const [row] = await testApp.sql<{ id: string; usc_verified: boolean }[]>`
    SELECT id, usc_verified FROM users WHERE email = ${email}`;
  return row;
};
const mailsTo = (email: string) => testApp.mails.filter(({ to }) => to === email);

describe('a person with one mailbox', () => {
  test.each(['+1', '+quad', '+a+b'])('cannot sign up a second time with the tag %s', async (tag) => {
    await signUpAndVerify(at(''));
    const again = await signUp(at(''));
    const tagged = await signUp(at(tag));
    expect(tagged).toMatchObject({ status: 409, body: { code: 'account_exists' } });
    expect(tagged).toEqual(again);
    expect(mailsTo(at(tag))).toEqual([]);
    expect(await findPerson(at(tag))).toBeUndefined();
  });

  test('can sign up with a tag once, gets mail at the address as typed, and logs in with either address', async () => {
    await signUpAndVerify(at('+quad'));
    expect(await findPerson(at('+quad'))).toMatchObject({ usc_verified: true });
    expect(await signUp(at(''))).toMatchObject({ status: 409, body: { code: 'account_exists' } });
    for (const email of [at(''), at('+quad'), at('+other')]) {
      const { body } = await call('/functions/v1/login-password', { email, password });
      const grant = await call('/auth/v1/token?grant_type=password', { email, password: body.authPassword });
      expect(grant).toMatchObject({ status: 200, body: { user: { email: at('+quad') } } });
    }
    testApp.clock.advance(31);
    const before = mailsTo(at('+quad')).length;
    await call('/functions/v1/send-otp', { email: at('') });
    expect(mailsTo(at(''))).toEqual([]);
    expect(mailsTo(at('+quad'))).toHaveLength(before + 1);
    expect(await verify(at(''), testApp.codeFor(at('+quad')))).toMatchObject({ status: 200 });
    testApp.clock.advance(31);
    await call('/functions/v1/forgot-password', { email: at('') });
    expect(mailsTo(at('+quad')).at(-1)).toMatchObject({ kind: 'reset_link' });
  });

  test('who signed up with several tags confirms one account only', async () => {
    await signUp(at('+1'));
    testApp.clock.advance(31);
    await signUp(at('+2'));
    expect(await verify(at('+2'))).toMatchObject({ status: 200 });
    testApp.clock.advance(31);
    await call('/functions/v1/send-verification-code', { email: at('+1') });
    expect(mailsTo(at('+1'))).toHaveLength(1);
    const confirmed = await testApp.sql`
      SELECT FROM users u JOIN private.credentials c ON c.user_id = u.id
      WHERE u.email LIKE ${`${name}%`} AND c.confirmed_at IS NOT NULL`;
    expect(confirmed).toHaveLength(1);
  });

  test('who confirms two sign-ups at the same moment gets one account', async () => {
    const addresses = [at('+1'), at('+2')];
    for (const email of addresses) {
      testApp.clock.advance(31);
      await signUp(email);
    }
    const [one, two] = await Promise.all(addresses.map(findPerson));
    const administrator = await signInToConsole(testApp, 'administrator');
    const confirm = (id = '') =>
      sendRequest(testApp, administrator, 'POST', `/rest/v1/moderation/people/${id}/actions`, {
        action: 'confirm',
        reason: 'Showed the student card',
      });
    const statuses = (await Promise.all([confirm(one?.id), confirm(two?.id)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
  });

  test('is another person than one whose name differs by a dot', async () => {
    await signUpAndVerify(at('x'));
    expect(await signUpAndVerify(at('.x'))).toMatchObject({ status: 200 });
  });

  test('has no second account outside the campus either', async () => {
    await signUpAndVerify(at('', 'example.com'));
    expect(await signUp(at('+1', 'example.com'))).toMatchObject({ body: { code: 'account_exists' } });
  });

  test('gets no second account from an administrator', async () => {
    await signUpAndVerify(at(''));
    const administrator = await signInToConsole(testApp, 'administrator');
    const created = await sendRequest(testApp, administrator, 'POST', '/rest/v1/moderation/people', {
      email: at('+1'),
      reason: 'Asked for it',
    });
    expect(created).toMatchObject({ status: 409, body: { code: 'account_exists' } });
  });

  test('shares the daily limit of codes among all addresses of the mailbox', async () => {
    for (let count = 0; count < 20; count += 1) {
      testApp.clock.advance(31);
      expect(await signUp(at(`+${count}`), `203.0.113.${count + 1}`)).toMatchObject({ status: 200 });
    }
    testApp.clock.advance(10 * 60);
    expect(await signUp(at('+more'), '203.0.113.99')).toMatchObject({ status: 429 });
    expect(mailsTo(at('+more'))).toEqual([]);
  });
});

describe('a suspended person', () => {
  const suspend = async (email: string) => {
    const person = await findPerson(email);
    await testApp.sql`
      UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${person?.id ?? ''}`;
    return person?.id ?? '';
  };

  test('cannot return with a tag', async () => {
    await signUpAndVerify(at(''));
    await suspend(at(''));
    expect(await signUp(at('+1'))).toMatchObject({ body: { code: 'account_exists' } });
    const logIn = await call('/functions/v1/login-password', { email: at('+1'), password });
    expect(logIn).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
  });

  test.each([
    ['', '+1'],
    ['+1', ''],
    ['+1', '+2'],
  ])('promise 88: whose account "%s" was deleted cannot return as "%s"', async (first, second) => {
    await signUpAndVerify(at(first));
    const id = await suspend(at(first));
    const administrator = await signInToConsole(testApp, 'administrator');
    const deleted = await sendRequest(testApp, administrator, 'DELETE', `/rest/v1/moderation/people/${id}`, {
      email: at(first),
      reason: 'Fraud',
    });
    expect(deleted.status).toBe(200);
    testApp.clock.advance(31);
    expect(await signUpAndVerify(at(second))).toMatchObject({
      status: 403,
      body: { code: 'account_suspended' },
    });
  });
});

describe('the badge by a campus address', () => {
  const add = async (person: Person, email: string) => {
    const url = '/rest/v1/me/campus-address';
    expect(await sendRequest(testApp, person, 'POST', url, { email })).toMatchObject({ status: 200 });
    const mail = mailsTo(email).at(-1);
    return mail && 'code' in mail
      ? (await sendRequest(testApp, person, 'POST', `${url}/verify`, { code: mail.code })).status
      : mail?.kind;
  };

  test('is not granted for another address of a mailbox that logs in', async () => {
    await signUpAndVerify(at(''));
    const person = await testApp.signIn({ email: at('', 'example.com') });
    expect(await add(person, at('+1'))).toBe('campus_address_taken');
  });

  test('moves with the mailbox, whatever the tag', async () => {
    const first = await testApp.signIn({ email: at('-1', 'example.com') });
    const second = await testApp.signIn({ email: at('-2', 'example.com') });
    expect(await add(first, at('+1'))).toBe(200);
    expect(await add(second, at('+2'))).toBe(200);
    const badges = await testApp.sql`
      SELECT usc_verified FROM users WHERE id IN (${first.userId}, ${second.userId}) AND usc_verified`;
    expect(badges).toHaveLength(1);
    await signUpAndVerify(at('+3'));
    expect(await findPerson(second.email)).toMatchObject({ usc_verified: false });
  });
});

test('where the mail system of the campus ignores dots, they do not make another person', async () => {
  const other = await startTestApp({ environment: { QUAD_CAMPUS_ADDRESS_ALIASES: 'plus-and-dots' } });
  try {
    await other.signIn({ email: at('x') });
    const payload = { email: at('.x+1'), password, fullName: 'Tommy Trojan' };
    const again = await other.server.inject({ method: 'POST', url: '/functions/v1/signup', payload });
    expect(again.json().code).toBe('account_exists');
  } finally {
    await other.close();
  }
});

test('the upgrade leaves the badge to the oldest of several accounts of a mailbox', async () => {
  const earlierCount = listMigrations().findIndex((file) => file.startsWith('0113_'));
  const database = await createTestDatabase({ migrated: false });
  try {
    await migrateDatabase({ databaseUrl: database.url, log: silentLog, upTo: earlierCount });
    const sql = openDatabase(database.url, { max: 1 });
    await sql`
      WITH people (email, age, campus_email) AS (VALUES
        ('a+1@usc.edu', 2, NULL), ('a@usc.edu', 1, NULL), ('a.@usc.edu', 1, NULL),
        ('b@home.example', 2, 'b+1@usc.edu'), ('b@usc.edu', 1, NULL),
        ('c@home.example', 1, 'c+1@usc.edu'), ('c@usc.edu', 2, NULL)
      ), added AS (
        INSERT INTO users (email, usc_verified, created_at, updated_at)
        SELECT email, true, now() - age * interval '1 day', now() FROM people RETURNING id, email
      ), confirmed AS (
        INSERT INTO private.credentials (user_id, confirmed_at, updated_at) SELECT id, now(), now() FROM added
      )
      INSERT INTO private.campus_addresses (user_id, email, requested_at, verified_at)
      SELECT id, campus_email, now(), now() FROM added JOIN people USING (email) WHERE campus_email IS NOT NULL`;
    await migrateDatabase({ databaseUrl: database.url, log: silentLog });
    const verified = await sql<
      { email: string }[]
    >`SELECT email FROM users WHERE usc_verified ORDER BY email`;
    expect(verified.map(({ email }) => email)).toEqual([
      'a+1@usc.edu',
      'a.@usc.edu',
      'b@home.example',
      'c@usc.edu',
    ]);
    expect(await sql`SELECT email FROM private.campus_addresses`).toEqual([{ email: 'b+1@usc.edu' }]);
    expect(await sql`SELECT FROM private.security_events WHERE event = 'verification_undone'`).toHaveLength(
      3,
    );
    await sql.end();
  } finally {
    await database.drop();
  }
}, 60_000);
