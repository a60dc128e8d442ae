import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rateLimitRules } from '#contract/limits.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let rateLimitDatabase: TestDatabase;
let sql: Sql;
let testApp: TestApp;
let campusAddressClient: ReturnType<typeof createCampusAddressClient>;
const sentStatements: string[] = [];

beforeAll(async () => {
  rateLimitDatabase = await createTestDatabase();
  sql = openDatabase(rateLimitDatabase.url, { max: 6 });
  testApp = await startTestApp({
    replace: { limits: createRateLimits(sql) },
    onStatement: (statement) => sentStatements.push(statement),
  });
  campusAddressClient = createCampusAddressClient(testApp);
});
afterAll(async () => {
  await testApp.close();
  await sql.end();
  await rateLimitDatabase.drop();
});

let lastIpNumber = 0;
const createIpAddress = (): string => {
  lastIpNumber += 1;
  return `198.18.0.${lastIpNumber}`;
};
const pickWrongCode = (email: string): string => (testApp.codeFor(email) === '000000' ? '000001' : '000000');
/**
 * Advances the clock past the 30-second cooldown of the previous code, then requests a new code.
 */
const requestCodeAfterCooldown = (person: Person, email: string) => {
  testApp.clock.advance(31);
  return campusAddressClient.request(person, email, createIpAddress());
};
const renewSession = async (person: Person): Promise<Person> => {
  const url = '/auth/v1/token?grant_type=refresh_token';
  const payload = { refresh_token: person.refreshToken };
  const { access_token: token } = (await testApp.server.inject({ method: 'POST', url, payload })).json();
  return { ...person, token, headers: { authorization: `Bearer ${token}` } };
};
const countByErrorCode = (results: { body: { code?: string } }[]) =>
  results.reduce<Record<string, number>>((counts, { body: { code = 'ok' } }) => {
    counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  }, {});

describe('nobody learns whether an address has an account', () => {
  test('responses, SQL statements and refusals are the same for free and taken addresses', async () => {
    const holder = await campusAddressClient.signInOutside();
    const held = campusAddressClient.newAddress();
    await campusAddressClient.add(holder, held);
    const { email: logIn } = await testApp.signIn();
    const addresses = [campusAddressClient.newAddress(), held, logIn];
    const observed = [];
    let wrongCode = '';
    for (const email of addresses) {
      const person = await campusAddressClient.signInOutside();
      sentStatements.length = 0;
      const requested = await campusAddressClient.request(person, email);
      const sent = sentStatements.map((statement) => statement.replace(/\s+/g, ' '));
      const soon = await campusAddressClient.request(person, email);
      wrongCode ||= pickWrongCode(email);
      const wrong = [];
      for (let attempt = 0; attempt < 6; attempt += 1)
        wrong.push(await campusAddressClient.verify(person, wrongCode));
      observed.push({
        status: requested.status,
        fields: Object.keys(requested.body),
        address: Object.keys(requested.body.campus_address),
        verified: requested.body.usc_verified,
        sent,
        soon: [soon.status, soon.body],
        wrong: wrong.map(({ status, body }) => [status, body]),
      });
    }
    const [free] = observed;
    expect(free?.soon).toMatchObject([429, { code: 'rate_limited' }]);
    expect(free?.wrong.map(([status]) => status)).toEqual([400, 400, 400, 400, 400, 429]);
    for (const other of observed) expect(other).toEqual(free);
  });

  test('the owner of a log-in address is emailed an explanation, and can still log in with an earlier code', async () => {
    const owner = await testApp.signIn();
    const stranger = await campusAddressClient.signInOutside();
    testApp.clock.advance(31);
    await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/send-otp',
      payload: { email: owner.email },
    });
    const code = testApp.codeFor(owner.email);
    for (let round = 0; round < 4; round += 1) {
      await requestCodeAfterCooldown(stranger, owner.email);
      expect(testApp.mails.at(-1)).toMatchObject({
        kind: 'campus_address_taken',
        to: owner.email,
        advice: 'log_in',
      });
      for (let attempt = 0; attempt < 5; attempt += 1) await campusAddressClient.verify(stranger, code);
    }
    expect(await campusAddressClient.readProfile(stranger)).toMatchObject({ usc_verified: false });
    const payload = { email: owner.email, code };
    const loggedIn = await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/verify-otp',
      payload,
    });
    expect(loggedIn.statusCode).toBe(200);
  });
});

describe('guessing codes', () => {
  test('of 100 parallel wrong codes at most five are evaluated, then the correct one is refused', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.request(person, email);
    const tries = Array.from({ length: 100 }, () => campusAddressClient.verify(person, pickWrongCode(email)));
    expect(countByErrorCode(await Promise.all(tries))).toEqual({ code_invalid: 5, code_attempts_used: 95 });
    expect(await campusAddressClient.verify(person, testApp.codeFor(email))).toMatchObject({
      status: 429,
      body: { code: 'code_attempts_used', error: 'Too many attempts. Request a new code.' },
    });
  });

  test('an account can enter 20 wrong codes a day across all addresses; other accounts are not affected', async () => {
    const [guesser, owner] = [
      await campusAddressClient.signInOutside(),
      await campusAddressClient.signInOutside(),
    ];
    const shared = campusAddressClient.newAddress();
    for (let round = 0; round < 4; round += 1) {
      const email = round === 0 ? shared : campusAddressClient.newAddress();
      await requestCodeAfterCooldown(guesser, email);
      for (let attempt = 0; attempt < 5; attempt += 1)
        await campusAddressClient.verify(guesser, pickWrongCode(email));
    }
    const email = campusAddressClient.newAddress();
    await requestCodeAfterCooldown(guesser, email);
    const refused = await campusAddressClient.verify(guesser, testApp.codeFor(email));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.error).toMatch(
      /^Too many requests\. Try again in \d+ hours, or write to support@usc\.edu\.$/,
    );
    // Removing the campus address does not reset the daily count of wrong codes.
    await campusAddressClient.remove(guesser);
    await requestCodeAfterCooldown(guesser, email);
    expect((await campusAddressClient.verify(guesser, testApp.codeFor(email))).status).toBe(429);

    await requestCodeAfterCooldown(owner, shared);
    expect((await campusAddressClient.verify(owner, testApp.codeFor(shared))).status).toBe(200);
    testApp.clock.advance(Number(refused.headers['retry-after']));
    const nextDay = await renewSession(guesser);
    await requestCodeAfterCooldown(nextDay, email);
    expect((await campusAddressClient.verify(nextDay, testApp.codeFor(email))).status).toBe(200);
  });

  test('a code works for 10 minutes, once, and only for the address and the account it was sent for', async () => {
    const [person, other] = [
      await campusAddressClient.signInOutside(),
      await campusAddressClient.signInOutside(),
    ];
    const [own, foreign] = [campusAddressClient.newAddress(), campusAddressClient.newAddress()];
    await campusAddressClient.request(person, own);
    const code = testApp.codeFor(own);
    expect((await campusAddressClient.verify(other, code)).status).toBe(400);
    await campusAddressClient.request(other, own);
    expect((await campusAddressClient.verify(other, code)).status).toBe(400);

    // A code is valid only for the address to which it was sent: requesting a code for another
    // address invalidates it.
    await requestCodeAfterCooldown(person, foreign);
    expect((await campusAddressClient.verify(person, code)).status).toBe(400);
    await requestCodeAfterCooldown(person, own);
    expect((await campusAddressClient.verify(person, code)).status).toBe(400);

    const late = testApp.codeFor(own);
    testApp.clock.advance(10 * 60 + 1);
    expect(await campusAddressClient.verify(person, late)).toMatchObject({
      status: 400,
      body: { code: 'code_invalid' },
    });
    await requestCodeAfterCooldown(person, own);
    const newest = testApp.codeFor(own);
    testApp.clock.advance(10 * 60 - 1);
    expect((await campusAddressClient.verify(person, newest)).status).toBe(200);
    await campusAddressClient.remove(person);
    expect((await campusAddressClient.verify(person, newest)).status).toBe(400);
  });

  test('a code for a campus address logs nobody in, and a log-in code adds no address', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.request(person, email);
    const payload = { email, code: testApp.codeFor(email) };
    const loggedIn = await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/verify-otp',
      payload,
    });
    expect(loggedIn.json().code).toBe('code_invalid');
    const key = { email: `campus ${person.userId}`, code: payload.code };
    const byKey = await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/verify-otp',
      payload: key,
    });
    expect(byKey.statusCode).toBe(400);
    expect((await campusAddressClient.verify(person, payload.code)).status).toBe(200);
  });

  test('parallel requests with the correct code verify the address once', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.request(person, email);
    const code = testApp.codeFor(email);
    await Promise.all(Array.from({ length: 20 }, () => campusAddressClient.verify(person, code)));
    const events = await testApp.sql`
      SELECT 1 FROM private.security_events WHERE user_id = ${person.userId} AND event = 'campus_address_added'`;
    expect(events).toHaveLength(1);
  });
});

describe('flooding a mailbox', () => {
  const countMails = (email: string): number => testApp.mails.filter(({ to }) => to === email).length;

  test('an account that requested a code is refused another for 30 seconds, for any address', async () => {
    const person = await campusAddressClient.signInOutside();
    const email = campusAddressClient.newAddress();
    await campusAddressClient.request(person, campusAddressClient.newAddress());
    testApp.clock.advance(29);
    const refused = await campusAddressClient.request(person, email);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: {
        code: 'rate_limited',
        error: 'Too many requests. Try again in 1 minute, or write to support@usc.edu.',
        resend_after: 1,
      },
    });
    expect(countMails(email)).toBe(0);
    testApp.clock.advance(1);
    expect((await campusAddressClient.request(person, email)).status).toBe(200);
  });

  test('an address gets at most 20 codes a day, however many accounts and networks request them', async () => {
    const email = campusAddressClient.newAddress();
    for (let round = 0; round < 4; round += 1) {
      const person = await campusAddressClient.signInOutside();
      for (let code = 0; code < 6; code += 1) await requestCodeAfterCooldown(person, email);
    }
    expect(countMails(email)).toBe(rateLimitRules.campus_codes.points);
    const owner = await campusAddressClient.signInOutside();
    expect((await requestCodeAfterCooldown(owner, email)).status).toBe(429);
    expect((await requestCodeAfterCooldown(owner, campusAddressClient.newAddress())).status).toBe(200);
  });

  test('an account gets at most five codes a day for one address, and refused requests do not count', async () => {
    const [person, verified] = [await campusAddressClient.signInOutside(), await testApp.signIn()];
    const email = campusAddressClient.newAddress();
    for (let request = 0; request < 8; request += 1) {
      await campusAddressClient.request(verified, email, createIpAddress());
      await campusAddressClient.request(person, email, createIpAddress());
    }
    const results = [];
    for (let request = 0; request < 5; request += 1)
      results.push(await requestCodeAfterCooldown(person, email));
    expect(countByErrorCode(results)).toEqual({ ok: 4, rate_limited: 1 });
    expect(countMails(email)).toBe(rateLimitRules.own_campus_codes.points);
    expect((await requestCodeAfterCooldown(await campusAddressClient.signInOutside(), email)).status).toBe(
      200,
    );
  });

  test('a network gets at most ten codes a day for one address; refusals do not count, and their text mentions no log-in', async () => {
    const email = campusAddressClient.newAddress();
    const network = createIpAddress();
    const people = [await campusAddressClient.signInOutside(), await campusAddressClient.signInOutside()];
    for (const person of people)
      for (let code = 0; code < rateLimitRules.own_campus_codes.points; code += 1) {
        testApp.clock.advance(31);
        expect((await campusAddressClient.request(person, email, network)).status).toBe(200);
        for (let repeated = 0; repeated < 3; repeated += 1)
          expect((await campusAddressClient.request(person, email, network)).status).toBe(429);
      }
    expect(countMails(email)).toBe(rateLimitRules.codes_to.points);
    testApp.clock.advance(31);
    const refused = await campusAddressClient.request(
      await campusAddressClient.signInOutside(),
      email,
      network,
    );
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.error).toMatch(/^Too many requests\. Try again in /);
  });

  test('an account can request at most 20 codes a day across all addresses', async () => {
    const person = await campusAddressClient.signInOutside();
    const results = [];
    for (let code = 0; code < 25; code += 1)
      results.push(await requestCodeAfterCooldown(person, campusAddressClient.newAddress()));
    expect(countByErrorCode(results)).toEqual({ ok: 20, rate_limited: 5 });
    expect(Number(results.at(-1)?.headers['retry-after'])).toBeGreaterThan(dayInSeconds - 3600);
  });

  test('deleting an account that requested a code does not reset the limits of the address’s owner', async () => {
    const owner = await testApp.signIn();
    testApp.clock.advance(31);
    await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/send-otp',
      payload: { email: owner.email },
    });
    const stranger = await campusAddressClient.signInOutside();
    await campusAddressClient.request(stranger, owner.email, createIpAddress());
    const counts = () => sql`SELECT key, points FROM private.rate_limits ORDER BY key`;
    const before = await counts();
    await createAccountClient(testApp).deleteAccount(stranger);
    expect(await testApp.sql`SELECT 1 FROM private.codes WHERE email = ${owner.email}`).toHaveLength(1);
    expect(
      await testApp.sql`SELECT 1 FROM private.codes WHERE email = ${`campus ${stranger.userId}`}`,
    ).toEqual([]);
    expect((await counts()).length).toBeGreaterThanOrEqual(before.length);
  });
});
