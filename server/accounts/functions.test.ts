import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createBrowser } from '#server/testing/browser.ts';

let quad: TestApp;
beforeAll(async () => {
  quad = await startTestApp();
});
afterAll(() => quad.close());

const callFunction = async (name: string, payload: object, remoteAddress = '127.0.0.1') => {
  const response = await quad.app.inject({
    method: 'POST',
    url: `/functions/v1/${name}`,
    payload,
    remoteAddress,
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};
const exchangePassword = async (email: string, password: string) => {
  const response = await quad.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    payload: { email, password },
  });
  return { status: response.statusCode, body: response.json() };
};
let addressCount = 0;
const newAddress = (domain = 'usc.edu') => {
  addressCount += 1;
  return `functions-${addressCount}@${domain}`;
};
const signUp = (email: string, password = testPassword) =>
  callFunction('signup', { email, password, fullName: 'Tommy Trojan' });
const signUpAndVerify = async (email: string, password = testPassword) => {
  await signUp(email, password);
  return callFunction('verify-otp', { email, code: quad.codeFor(email), password, rememberMe: true });
};

describe('signing up', () => {
  test('mails a code, which is exchanged for a credential and then for a session', async () => {
    const email = newAddress();
    const browser = createBrowser(quad.app);
    const form = { email: `  ${email.toUpperCase()} `, password: testPassword, fullName: 'Tommy Trojan' };
    expect(await browser.post('/functions/v1/signup', form)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const code = { email, code: quad.codeFor(email), rememberMe: true };
    const verified = await browser.post('/functions/v1/verify-otp', code);
    expect(verified).toMatchObject({ status: 200, body: { passwordNeeded: false } });
    const session = await exchangePassword(email, verified.body.authPassword);
    expect(session.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { email, user_metadata: { full_name: 'Tommy Trojan' } },
    });
  });

  test('returns all field errors together, each with its message', async () => {
    const { status, body } = await callFunction('signup', {
      email: 'nonsense',
      password: 'short',
      fullName: ' ',
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'Please enter a valid email address.',
      code: 'validation_failed',
      fields: {
        email: 'Please enter a valid email address.',
        password: 'Password must be at least 8 characters',
        fullName: 'Please enter your full name',
      },
    });
  });

  test.each([
    ['1234567', 'Password must be at least 8 characters'],
    ['12345678', 'Password must contain letters and numbers'],
    ['abcdefgh', 'Password must contain letters and numbers'],
  ])('refuses the password %s', async (password, sentence) => {
    const { body } = await signUp(newAddress(), password);
    expect(body.fields).toEqual({ password: sentence });
  });

  test('refuses common passwords in any letter case and stores nothing', async () => {
    const email = newAddress();
    const sentence = 'This password is too common and easy to guess';
    for (const password of ['password1', 'Trustno1', 'qwerty123!']) {
      expect(await signUp(email, password)).toMatchObject({
        status: 422,
        body: { code: 'weak_password', error: sentence, fields: { password: sentence } },
      });
    }
    expect(await quad.sql`SELECT id FROM users WHERE email = ${email}`).toHaveLength(0);
  });

  test('is refused for a confirmed address', async () => {
    const email = newAddress();
    await signUpAndVerify(email);
    expect(await signUp(email)).toMatchObject({
      status: 409,
      body: { code: 'account_exists', error: 'Account already exists. Please log in.' },
    });
  });

  test('marks campus addresses, and no others, as verified', async () => {
    const [campus, foreign] = [newAddress(), newAddress('example.com')];
    await signUpAndVerify(campus);
    await signUpAndVerify(foreign);
    const rows =
      await quad.sql`SELECT email FROM users WHERE usc_verified AND email IN (${campus}, ${foreign})`;
    expect(rows.map((row) => row.email)).toEqual([campus]);
  });

  test('promise 13: parallel sign-ups with the same address in varying case and with spaces create one account', async () => {
    const email = newAddress();
    const forms = [email, email.toUpperCase(), ` ${email} `, `${email.replace('f', 'F')}\n`];
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => forms.map((form) => signUp(form))).flat(),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
    const rows = await quad.sql`SELECT id FROM users WHERE lower(trim(email)) = ${email}`;
    expect(rows).toHaveLength(1);
    const mails = quad.mails.filter((mail) => mail.to === email);
    expect(mails).toHaveLength(1);
    const verified = await callFunction('verify-otp', { email, code: quad.codeFor(email) });
    expect(await exchangePassword(email, verified.body.authPassword)).toMatchObject({ status: 200 });
  });

  test('refuses an address with a character that becomes ASCII only in lower case', async () => {
    const refused = await signUp('\u212Aelvin@usc.edu');
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { email: 'Please enter a valid email address.' } },
    });
    expect(await quad.sql`SELECT id FROM users WHERE email = 'kelvin@usc.edu'`).toHaveLength(0);
  });

  test('twice with different passwords before confirmation leaves no usable password for either person', async () => {
    const email = newAddress();
    await signUp(email, 'the-first-password-1');
    await signUp(email, 'the-second-password-2');
    const verified = await callFunction('verify-otp', { email, code: quad.codeFor(email) });
    expect(verified.body.passwordNeeded).toBe(true);
    for (const password of ['the-first-password-1', 'the-second-password-2']) {
      expect(await callFunction('login-password', { email, password })).toMatchObject({
        status: 401,
        body: { code: 'invalid_credentials' },
      });
    }
  });
});

describe('codes', () => {
  test('promise 1: at most 5 of 100 parallel wrong codes are evaluated, then the code is invalidated', async () => {
    const email = newAddress();
    await signUp(email);
    const right = quad.codeFor(email);
    const wrong = right === '000000' ? '000001' : '000000';
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => callFunction('verify-otp', { email, code: wrong })),
    );
    const evaluated = responses.filter((response) => response.body.code === 'code_invalid');
    expect(evaluated).toHaveLength(5);
    expect(await callFunction('verify-otp', { email, code: right })).toMatchObject({
      status: 429,
      body: { error: 'Too many attempts. Request a new code.' },
    });
  });

  test('promise 2: one of 50 parallel correct codes opens a session', async () => {
    const email = newAddress();
    await signUp(email);
    const code = quad.codeFor(email);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => callFunction('verify-otp', { email, code })),
    );
    const [accepted, ...others] = responses.filter((response) => response.status === 200);
    expect(others).toEqual([]);
    const grants = await Promise.all(
      Array.from({ length: 20 }, () => exchangePassword(email, accepted?.body.authPassword)),
    );
    expect(grants.filter((grant) => grant.status === 200)).toHaveLength(1);
    const sessions = await quad.sql`
      SELECT s.id FROM private.sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`;
    expect(sessions).toHaveLength(1);
  });

  test('promise 3: new codes do not reset the daily limit of attempts, whatever client address requests them', async () => {
    const visitors = Array.from({ length: 40 }, (_, index) => `203.0.113.${index + 1}`).values();
    const email = newAddress();
    await signUp(email);
    for (let round = 0; round < 4; round += 1) {
      if (round > 0) {
        quad.clock.advance(31);
        const sent = await callFunction('send-verification-code', { email }, visitors.next().value);
        expect(sent).toMatchObject({ status: 200 });
      }
      const wrong = quad.codeFor(email) === '000000' ? '000001' : '000000';
      await Promise.all(
        Array.from({ length: 5 }, () =>
          callFunction('verify-otp', { email, code: wrong }, visitors.next().value),
        ),
      );
    }
    quad.clock.advance(31);
    await callFunction('send-verification-code', { email });
    const code = quad.codeFor(email);
    for (const visitor of visitors) {
      expect(await callFunction('verify-otp', { email, code }, visitor)).toMatchObject({ status: 429 });
    }
    quad.clock.advance(24 * 3600);
    await callFunction('send-verification-code', { email });
    expect(await callFunction('verify-otp', { email, code: quad.codeFor(email) })).toMatchObject({
      status: 200,
    });
  });

  const useUp = async (email: string) => {
    const wrong = quad.codeFor(email) === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1) await callFunction('verify-otp', { email, code: wrong });
  };
  const mailsTo = (email: string) => quad.mails.filter((mail) => mail.to === email);

  test('signing up again within 30 s sends a new code when the first one has no attempts left', async () => {
    const email = newAddress();
    await signUp(email);
    await useUp(email);
    expect(await signUp(email)).toMatchObject({ status: 200 });
    expect(mailsTo(email)).toHaveLength(2);
    const verified = await callFunction('verify-otp', { email, code: quad.codeFor(email) });
    expect(verified).toMatchObject({ status: 200 });
  });

  test('signing up again within 30 s sends no second code while the first one is valid', async () => {
    const email = newAddress();
    await signUp(email);
    expect(await signUp(email)).toMatchObject({ status: 200 });
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('signing up sends a code although one was requested before the account existed', async () => {
    const email = newAddress();
    await callFunction('send-otp', { email });
    expect(await signUp(email)).toMatchObject({ status: 200 });
    expect(await callFunction('verify-otp', { email, code: quad.codeFor(email) })).toMatchObject({
      status: 200,
    });
  });

  test('logging in before the address is confirmed sends a new code when the first one has no attempts left', async () => {
    const email = newAddress();
    await signUp(email);
    await useUp(email);
    await callFunction('login-password', { email, password: testPassword });
    expect(await callFunction('verify-otp', { email, code: quad.codeFor(email) })).toMatchObject({
      status: 200,
    });
  });

  test('promise 5: a code without attempts left does not shorten the 30 s wait for a resend', async () => {
    const email = newAddress();
    await signUp(email);
    await useUp(email);
    for (const name of ['send-verification-code', 'send-otp']) {
      expect(await callFunction(name, { email })).toMatchObject({ status: 429 });
    }
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('promise 3: repeated sign-ups send at most 20 codes a day, then are refused', async () => {
    const email = newAddress();
    const statuses: number[] = [];
    for (let round = 0; round < 21; round += 1) {
      statuses.push((await signUp(email)).status);
      // This uses up the code without wrong attempts, which have their own daily limit.
      await quad.sql`UPDATE private.codes SET attempts = 5 WHERE email = ${email}`;
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect(mailsTo(email)).toHaveLength(20);
  });

  test('promise 4: a code works at 9:59 and not at 10:01', async () => {
    const [early, late] = [newAddress(), newAddress()];
    await signUp(early);
    quad.clock.advance(599);
    expect((await callFunction('verify-otp', { email: early, code: quad.codeFor(early) })).status).toBe(200);
    await signUp(late);
    quad.clock.advance(601);
    expect(await callFunction('verify-otp', { email: late, code: quad.codeFor(late) })).toMatchObject({
      status: 400,
      body: { error: 'Invalid or expired code.' },
    });
  });

  test('a new code invalidates the previous one', async () => {
    const email = newAddress();
    await signUp(email);
    const first = quad.codeFor(email);
    quad.clock.advance(30);
    await callFunction('send-verification-code', { email });
    const second = quad.codeFor(email);
    if (first !== second) expect((await callFunction('verify-otp', { email, code: first })).status).toBe(400);
    expect((await callFunction('verify-otp', { email, code: second })).status).toBe(200);
  });

  test.each(['send-verification-code', 'send-otp'])(
    'promise 5: %s again within 30 s is refused identically for known and unknown addresses',
    async (name) => {
      const [known, unknown] = [newAddress(), newAddress()];
      await signUp(known);
      quad.clock.advance(60);
      for (const email of [known, unknown]) {
        const body = { email, ipAddress: 'localhost' };
        expect((await callFunction(name, body)).status).toBe(200);
        quad.clock.advance(29);
        const refused = await callFunction(name, body);
        expect(refused).toMatchObject({
          status: 429,
          body: { error: 'Too many requests. Try again in a few minutes.' },
        });
        expect(refused.headers['retry-after']).toBe('1');
        quad.clock.advance(1);
        expect((await callFunction(name, body)).status).toBe(200);
      }
      expect(quad.mails.some((mail) => mail.to === unknown)).toBe(false);
    },
  );

  test('wrong codes get the same response whether or not the address has an account', async () => {
    const email = newAddress();
    await callFunction('send-otp', { email, ipAddress: 'localhost' });
    const responses: string[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      responses.push((await callFunction('verify-otp', { email, code: '123456' })).body.code);
    }
    expect(responses).toEqual([...Array(5).fill('code_invalid'), 'code_attempts_used']);
  });
});

describe('logging in', () => {
  test('with address and password returns a credential for a session', async () => {
    const email = newAddress();
    await signUpAndVerify(email);
    const response = await callFunction('login-password', {
      email,
      password: testPassword,
      rememberMe: true,
    });
    expect((await exchangePassword(email, response.body.authPassword)).status).toBe(200);
  });

  test('fails with a specific message for each cause', async () => {
    const [verified, unverified] = [newAddress(), newAddress()];
    await signUpAndVerify(verified);
    await signUp(unverified);
    const attempt = async (email: string, password: string) =>
      (await callFunction('login-password', { email, password })).body.error;
    expect(await attempt('nobody@usc.edu', testPassword)).toBe('No account found. Please sign up.');
    expect(await attempt(verified, 'wrong-password-1')).toBe('Invalid email or password');
    expect(await attempt(unverified, testPassword)).toBe(
      'Please verify your email. Check your inbox for the verification code.',
    );
    expect((await callFunction('login-password', { email: verified })).body.fields).toEqual({
      password: 'Please enter your password',
    });
  });

  test('the account password alone does not open a session', async () => {
    const email = newAddress();
    await signUpAndVerify(email);
    expect(await exchangePassword(email, testPassword)).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials' },
    });
  });

  test('promise 6: the credential is refused on second use, after 60 s, and for another account', async () => {
    const [email, other] = [newAddress(), newAddress()];
    await signUpAndVerify(email);
    await signUpAndVerify(other);
    const fresh = async () =>
      (await callFunction('login-password', { email, password: testPassword })).body.authPassword;

    const once = await fresh();
    const uses = await Promise.all(Array.from({ length: 20 }, () => exchangePassword(email, once)));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await exchangePassword(email, once)).status).toBe(400);

    const young = await fresh();
    quad.clock.advance(59);
    expect((await exchangePassword(email, young)).status).toBe(200);

    const stale = await fresh();
    quad.clock.advance(60);
    expect((await exchangePassword(email, stale)).status).toBe(400);

    expect((await exchangePassword(other, await fresh())).status).toBe(400);
  });
});

describe('resetting a password', () => {
  const linkFor = (email: string): string => {
    const mail = quad.mails.findLast(
      (candidate) => candidate.to === email && candidate.kind === 'reset_link',
    );
    if (mail?.kind !== 'reset_link') throw new Error('no link was mailed');
    return mail.token;
  };

  test('works only for campus addresses and responds the same whether or not the account exists', async () => {
    const email = newAddress();
    await signUpAndVerify(email);
    const known = await callFunction('forgot-password', { email, ipAddress: 'localhost' });
    const unknown = await callFunction('forgot-password', { email: newAddress(), ipAddress: 'localhost' });
    expect(known.body).toEqual(unknown.body);
    expect(await callFunction('forgot-password', { email: 'someone@example.com' })).toMatchObject({
      status: 400,
      body: { error: 'Only @usc.edu email addresses are allowed.' },
    });
  });

  test('sets the new password and ends every session', async () => {
    const person = await quad.signIn();
    await callFunction('forgot-password', { email: person.email });
    const token = linkFor(person.email);
    expect((await callFunction('reset-password', { token, password: 'a-new-password-9' })).status).toBe(200);
    const me = await quad.app.inject({ url: '/auth/v1/user', headers: person.headers });
    expect(me.json()).toMatchObject({ code: 'session_not_found' });
    expect(
      (await callFunction('login-password', { email: person.email, password: testPassword })).status,
    ).toBe(401);
    expect(
      (await callFunction('login-password', { email: person.email, password: 'a-new-password-9' })).status,
    ).toBe(200);
  });

  test('refuses a common password and leaves the link valid', async () => {
    const email = newAddress();
    await signUpAndVerify(email);
    await callFunction('forgot-password', { email });
    const token = linkFor(email);
    expect(await callFunction('reset-password', { token, password: 'Password1' })).toMatchObject({
      status: 422,
      body: { code: 'weak_password', fields: { password: 'This password is too common and easy to guess' } },
    });
    expect((await callFunction('reset-password', { token, password: 'a-new-password-9' })).status).toBe(200);
  });

  test('promise 4: a link works once at 14:59, but not at 15:01 and not after a newer one', async () => {
    const email = newAddress();
    await signUpAndVerify(email);
    const ask = async () => {
      quad.clock.advance(31);
      await callFunction('forgot-password', { email });
      return linkFor(email);
    };
    const use = async (token: string) =>
      (await callFunction('reset-password', { token, password: 'another-pass-1' })).status;

    const inTime = await ask();
    quad.clock.advance(899);
    expect(await use(inTime)).toBe(200);
    const late = await ask();
    quad.clock.advance(901);
    expect(await use(late)).toBe(400);
    const older = await ask();
    const newer = await ask();
    expect(await use(older)).toBe(400);
    const uses = await Promise.all(Array.from({ length: 10 }, () => use(newer)));
    expect(uses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('refuses a missing token as an invalid link', async () => {
    expect((await callFunction('reset-password', { password: 'another-pass-1' })).body.error).toBe(
      'Invalid reset link',
    );
  });
});
