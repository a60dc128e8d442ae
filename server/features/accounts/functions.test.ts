import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createCookieClient } from '#server/testing/cookie-client.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const callAccountFunction = async (name: string, payload: object, remoteAddress = '127.0.0.1') => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: `/functions/v1/${name}`,
    payload,
    remoteAddress,
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};
const requestPasswordGrant = async (email: string, password: string) => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    payload: { email, password },
  });
  return { status: response.statusCode, body: response.json() };
};
let emailAddressCount = 0;
const newEmailAddress = (domain = 'usc.edu') => {
  emailAddressCount += 1;
  return `functions-${emailAddressCount}@${domain}`;
};
const signUp = (email: string, password = testPassword) =>
  callAccountFunction('signup', { email, password, fullName: 'Tommy Trojan' });
const signUpAndVerify = async (email: string, password = testPassword) => {
  await signUp(email, password);
  return callAccountFunction('verify-otp', {
    email,
    code: testApp.codeFor(email),
    password,
    rememberMe: true,
  });
};

describe('signing up', () => {
  test('mails a code, which is exchanged for a credential and then for a session', async () => {
    const email = newEmailAddress();
    const browser = createCookieClient(testApp.server);
    const form = { email: `  ${email.toUpperCase()} `, password: testPassword, fullName: 'Tommy Trojan' };
    expect(await browser.post('/functions/v1/signup', form)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const code = { email, code: testApp.codeFor(email), rememberMe: true };
    const verified = await browser.post('/functions/v1/verify-otp', code);
    expect(verified).toMatchObject({ status: 200, body: { passwordNeeded: false } });
    const session = await requestPasswordGrant(email, verified.body.authPassword);
    expect(session.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { email, user_metadata: { full_name: 'Tommy Trojan' } },
    });
  });

  test('returns all field errors together, each with its message', async () => {
    const { status, body } = await callAccountFunction('signup', {
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
    const { body } = await signUp(newEmailAddress(), password);
    expect(body.fields).toEqual({ password: sentence });
  });

  test('refuses common passwords in any letter case and stores nothing', async () => {
    const email = newEmailAddress();
    const sentence = 'This password is too common and easy to guess';
    for (const password of ['password1', 'Trustno1', 'qwerty123!']) {
      expect(await signUp(email, password)).toMatchObject({
        status: 422,
        body: { code: 'weak_password', error: sentence, fields: { password: sentence } },
      });
    }
    expect(await testApp.sql`SELECT id FROM users WHERE email = ${email}`).toHaveLength(0);
  });

  test('is refused for a confirmed address', async () => {
    const email = newEmailAddress();
    await signUpAndVerify(email);
    expect(await signUp(email)).toMatchObject({
      status: 409,
      body: { code: 'account_exists', error: 'Account already exists. Please log in.' },
    });
  });

  test('marks campus addresses, and no others, as verified', async () => {
    const [campus, foreign] = [newEmailAddress(), newEmailAddress('example.com')];
    await signUpAndVerify(campus);
    await signUpAndVerify(foreign);
    const rows =
      await testApp.sql`SELECT email FROM users WHERE usc_verified AND email IN (${campus}, ${foreign})`;
    expect(rows.map((row) => row.email)).toEqual([campus]);
  });

  test('promise 13: parallel sign-ups with the same address in varying case and with spaces create one account', async () => {
    const email = newEmailAddress();
    const forms = [email, email.toUpperCase(), ` ${email} `, `${email.replace('f', 'F')}\n`];
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => forms.map((form) => signUp(form))).flat(),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
    const rows = await testApp.sql`SELECT id FROM users WHERE lower(trim(email)) = ${email}`;
    expect(rows).toHaveLength(1);
    const mails = testApp.mails.filter((mail) => mail.to === email);
    expect(mails).toHaveLength(1);
    const verified = await callAccountFunction('verify-otp', { email, code: testApp.codeFor(email) });
    expect(await requestPasswordGrant(email, verified.body.authPassword)).toMatchObject({ status: 200 });
  });

  test('refuses an address with a character that becomes ASCII only in lower case', async () => {
    const refused = await signUp('\u212Aelvin@usc.edu');
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { email: 'Please enter a valid email address.' } },
    });
    expect(await testApp.sql`SELECT id FROM users WHERE email = 'kelvin@usc.edu'`).toHaveLength(0);
  });

  test('twice with different passwords before confirmation leaves no usable password for either person', async () => {
    const email = newEmailAddress();
    await signUp(email, 'the-first-password-1');
    await signUp(email, 'the-second-password-2');
    const verified = await callAccountFunction('verify-otp', { email, code: testApp.codeFor(email) });
    expect(verified.body.passwordNeeded).toBe(true);
    for (const password of ['the-first-password-1', 'the-second-password-2']) {
      expect(await callAccountFunction('login-password', { email, password })).toMatchObject({
        status: 401,
        body: { code: 'invalid_credentials' },
      });
    }
  });
});

describe('codes', () => {
  test('promise 1: at most 5 of 100 parallel wrong codes are evaluated, then the code is invalidated', async () => {
    const email = newEmailAddress();
    await signUp(email);
    const right = testApp.codeFor(email);
    const wrong = right === '000000' ? '000001' : '000000';
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => callAccountFunction('verify-otp', { email, code: wrong })),
    );
    const evaluated = responses.filter((response) => response.body.code === 'code_invalid');
    expect(evaluated).toHaveLength(5);
    expect(await callAccountFunction('verify-otp', { email, code: right })).toMatchObject({
      status: 429,
      body: { error: 'Too many attempts. Request a new code.' },
    });
  });

  test('promise 2: one of 50 parallel correct codes opens a session', async () => {
    const email = newEmailAddress();
    await signUp(email);
    const code = testApp.codeFor(email);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => callAccountFunction('verify-otp', { email, code })),
    );
    const [accepted, ...others] = responses.filter((response) => response.status === 200);
    expect(others).toEqual([]);
    const grants = await Promise.all(
      Array.from({ length: 20 }, () => requestPasswordGrant(email, accepted?.body.authPassword)),
    );
    expect(grants.filter((grant) => grant.status === 200)).toHaveLength(1);
    const sessions = await testApp.sql`
      SELECT s.id FROM private.sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`;
    expect(sessions).toHaveLength(1);
  });

  test('promise 3: new codes do not reset the daily limit of attempts, whatever client address requests them', async () => {
    const visitors = Array.from({ length: 40 }, (_, index) => `203.0.113.${index + 1}`).values();
    const email = newEmailAddress();
    await signUp(email);
    for (let round = 0; round < 4; round += 1) {
      if (round > 0) {
        testApp.clock.advance(31);
        const sent = await callAccountFunction('send-verification-code', { email }, visitors.next().value);
        expect(sent).toMatchObject({ status: 200 });
      }
      const wrong = testApp.codeFor(email) === '000000' ? '000001' : '000000';
      await Promise.all(
        Array.from({ length: 5 }, () =>
          callAccountFunction('verify-otp', { email, code: wrong }, visitors.next().value),
        ),
      );
    }
    testApp.clock.advance(31);
    await callAccountFunction('send-verification-code', { email });
    const code = testApp.codeFor(email);
    for (const visitor of visitors) {
      expect(await callAccountFunction('verify-otp', { email, code }, visitor)).toMatchObject({
        status: 429,
      });
    }
    testApp.clock.advance(24 * 3600);
    await callAccountFunction('send-verification-code', { email });
    expect(await callAccountFunction('verify-otp', { email, code: testApp.codeFor(email) })).toMatchObject({
      status: 200,
    });
  });

  const useUp = async (email: string) => {
    const wrong = testApp.codeFor(email) === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1)
      await callAccountFunction('verify-otp', { email, code: wrong });
  };
  const mailsTo = (email: string) => testApp.mails.filter((mail) => mail.to === email);

  test('signing up again within 30 s sends a new code when the first one has no attempts left', async () => {
    const email = newEmailAddress();
    await signUp(email);
    await useUp(email);
    expect(await signUp(email)).toMatchObject({ status: 200 });
    expect(mailsTo(email)).toHaveLength(2);
    const verified = await callAccountFunction('verify-otp', { email, code: testApp.codeFor(email) });
    expect(verified).toMatchObject({ status: 200 });
  });

  test('signing up again within 30 s sends no second code while the first one is valid', async () => {
    const email = newEmailAddress();
    await signUp(email);
    expect(await signUp(email)).toMatchObject({ status: 200 });
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('signing up sends a code although one was requested before the account existed', async () => {
    const email = newEmailAddress();
    await callAccountFunction('send-otp', { email });
    expect(await signUp(email)).toMatchObject({ status: 200 });
    expect(await callAccountFunction('verify-otp', { email, code: testApp.codeFor(email) })).toMatchObject({
      status: 200,
    });
  });

  test('logging in before the address is confirmed sends a new code when the first one has no attempts left', async () => {
    const email = newEmailAddress();
    await signUp(email);
    await useUp(email);
    await callAccountFunction('login-password', { email, password: testPassword });
    expect(await callAccountFunction('verify-otp', { email, code: testApp.codeFor(email) })).toMatchObject({
      status: 200,
    });
  });

  test('promise 5: a code without attempts left does not shorten the 30 s wait for a resend', async () => {
    const email = newEmailAddress();
    await signUp(email);
    await useUp(email);
    for (const name of ['send-verification-code', 'send-otp']) {
      expect(await callAccountFunction(name, { email })).toMatchObject({ status: 429 });
    }
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('promise 3: repeated sign-ups send at most 20 codes a day, then are refused', async () => {
    const email = newEmailAddress();
    const statuses: number[] = [];
    for (let round = 0; round < 21; round += 1) {
      statuses.push((await signUp(email)).status);
      // Use up the code's attempts directly in the database, because entering wrong codes would count toward the
      // daily limit.
      await testApp.sql`UPDATE private.codes SET attempts = 5 WHERE email = ${email}`;
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    expect(mailsTo(email)).toHaveLength(20);
  });

  test('promise 4: a code works at 9:59 and not at 10:01', async () => {
    const [early, late] = [newEmailAddress(), newEmailAddress()];
    await signUp(early);
    testApp.clock.advance(599);
    expect(
      (await callAccountFunction('verify-otp', { email: early, code: testApp.codeFor(early) })).status,
    ).toBe(200);
    await signUp(late);
    testApp.clock.advance(601);
    expect(
      await callAccountFunction('verify-otp', { email: late, code: testApp.codeFor(late) }),
    ).toMatchObject({
      status: 400,
      body: { error: 'Invalid or expired code.' },
    });
  });

  test.each(['/functions/v1/verify-otp', '/auth/v1/verify'])(
    '%s accepts a code with spaces, hyphens and full-width digits',
    async (url) => {
      for (const write of [
        (code: string) => `${code.slice(0, 3)}\u00A0${code.slice(3)} `,
        (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
        (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      ]) {
        const email = newEmailAddress();
        await signUp(email);
        const code = write(testApp.codeFor(email));
        const payload = { email, code, token: code, type: 'signup' };
        expect((await testApp.server.inject({ method: 'POST', url, payload })).statusCode).toBe(200);
      }
    },
  );

  test('a new code invalidates the previous one', async () => {
    const email = newEmailAddress();
    await signUp(email);
    const first = testApp.codeFor(email);
    testApp.clock.advance(30);
    await callAccountFunction('send-verification-code', { email });
    const second = testApp.codeFor(email);
    if (first !== second)
      expect((await callAccountFunction('verify-otp', { email, code: first })).status).toBe(400);
    expect((await callAccountFunction('verify-otp', { email, code: second })).status).toBe(200);
  });

  test.each(['send-verification-code', 'send-otp'])(
    'promise 5: %s again within 30 s is refused identically for known and unknown addresses',
    async (name) => {
      const [known, unknown] = [newEmailAddress(), newEmailAddress()];
      await signUp(known);
      testApp.clock.advance(60);
      for (const email of [known, unknown]) {
        const body = { email, ipAddress: 'localhost' };
        expect((await callAccountFunction(name, body)).status).toBe(200);
        testApp.clock.advance(29);
        const refused = await callAccountFunction(name, body);
        expect(refused).toMatchObject({
          status: 429,
          body: { error: 'Too many requests. Try again in a few minutes.', resend_after: 1 },
        });
        expect(refused.headers['retry-after']).toBe('1');
        testApp.clock.advance(1);
        expect((await callAccountFunction(name, body)).status).toBe(200);
      }
      expect(testApp.mails.some((mail) => mail.to === unknown)).toBe(false);
    },
  );

  test('wrong codes get the same response whether or not the address has an account', async () => {
    const email = newEmailAddress();
    await callAccountFunction('send-otp', { email, ipAddress: 'localhost' });
    const responses: string[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      responses.push((await callAccountFunction('verify-otp', { email, code: '123456' })).body.code);
    }
    expect(responses).toEqual([...Array(5).fill('code_invalid'), 'code_attempts_used']);
  });
});

describe('logging in', () => {
  test('with address and password returns a credential for a session', async () => {
    const email = newEmailAddress();
    await signUpAndVerify(email);
    const response = await callAccountFunction('login-password', {
      email,
      password: testPassword,
      rememberMe: true,
    });
    expect((await requestPasswordGrant(email, response.body.authPassword)).status).toBe(200);
  });

  test('works however the device encodes the letters of the password', async () => {
    for (const [chosen, entered] of [
      ['contraseña-y-café-1', 'contrasen\u0303a-y-cafe\u0301-1'],
      ['contrasen\u0303a-y-cafe\u0301-1', 'contraseña-y-café-1'],
    ] as const) {
      const email = newEmailAddress();
      await signUpAndVerify(email, chosen);
      for (const password of [chosen, entered])
        expect(await callAccountFunction('login-password', { email, password })).toMatchObject({
          status: 200,
        });
      const wrong = chosen.normalize('NFD').replaceAll(/\p{M}/gu, '');
      expect((await callAccountFunction('login-password', { email, password: wrong })).status).toBe(401);
    }
  });

  test('works with a password that was hashed before passwords were normalized', async () => {
    const email = newEmailAddress();
    const password = 'contrasen\u0303a-y-cafe\u0301-1';
    await signUpAndVerify(email);
    await testApp.sql`
      UPDATE private.credentials SET password_hash = ${await hash(password)}
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`;
    expect(await callAccountFunction('login-password', { email, password })).toMatchObject({ status: 200 });
    expect((await callAccountFunction('login-password', { email, password: `${password}x` })).status).toBe(
      401,
    );
  });

  test('fails with a specific message for each cause', async () => {
    const [verified, unverified] = [newEmailAddress(), newEmailAddress()];
    await signUpAndVerify(verified);
    await signUp(unverified);
    const attempt = async (email: string, password: string) =>
      (await callAccountFunction('login-password', { email, password })).body.error;
    expect(await attempt('nobody@usc.edu', testPassword)).toBe('No account found. Please sign up.');
    expect(await attempt(verified, 'wrong-password-1')).toBe('Invalid email or password');
    expect(await attempt(unverified, testPassword)).toBe(
      'Please verify your email. Check your inbox for the verification code.',
    );
    expect((await callAccountFunction('login-password', { email: verified })).body.fields).toEqual({
      password: 'Please enter your password',
    });
  });

  test('the account password alone does not open a session', async () => {
    const email = newEmailAddress();
    await signUpAndVerify(email);
    expect(await requestPasswordGrant(email, testPassword)).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials' },
    });
  });

  test('promise 6: the credential is refused on second use, after 60 s, and for another account', async () => {
    const [email, other] = [newEmailAddress(), newEmailAddress()];
    await signUpAndVerify(email);
    await signUpAndVerify(other);
    const fresh = async () =>
      (await callAccountFunction('login-password', { email, password: testPassword })).body.authPassword;

    const once = await fresh();
    const uses = await Promise.all(Array.from({ length: 20 }, () => requestPasswordGrant(email, once)));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await requestPasswordGrant(email, once)).status).toBe(400);

    const young = await fresh();
    testApp.clock.advance(59);
    expect((await requestPasswordGrant(email, young)).status).toBe(200);

    const stale = await fresh();
    testApp.clock.advance(60);
    expect((await requestPasswordGrant(email, stale)).status).toBe(400);

    expect((await requestPasswordGrant(other, await fresh())).status).toBe(400);
  });
});

describe('resetting a password', () => {
  const linkFor = (email: string): string => {
    const mail = testApp.mails.findLast(
      (candidate) => candidate.to === email && candidate.kind === 'reset_link',
    );
    if (mail?.kind !== 'reset_link') throw new Error('no link was mailed');
    return mail.token;
  };

  test('a link is mailed only to campus addresses, and the response does not reveal whether the account exists', async () => {
    const email = newEmailAddress();
    await signUpAndVerify(email);
    const known = await callAccountFunction('forgot-password', { email, ipAddress: 'localhost' });
    const unknown = await callAccountFunction('forgot-password', {
      email: newEmailAddress(),
      ipAddress: 'localhost',
    });
    expect(known.body).toEqual(unknown.body);
    expect(await callAccountFunction('forgot-password', { email: 'someone@example.com' })).toMatchObject({
      status: 400,
      body: { error: 'Only @usc.edu email addresses are allowed.' },
    });
  });

  test('sets the new password and ends every session', async () => {
    const person = await testApp.signIn();
    await callAccountFunction('forgot-password', { email: person.email });
    const token = linkFor(person.email);
    expect(
      (await callAccountFunction('reset-password', { token, password: 'a-new-password-9' })).status,
    ).toBe(200);
    const me = await testApp.server.inject({ url: '/auth/v1/user', headers: person.headers });
    expect(me.json()).toMatchObject({ code: 'session_not_found' });
    expect(
      (await callAccountFunction('login-password', { email: person.email, password: testPassword })).status,
    ).toBe(401);
    expect(
      (await callAccountFunction('login-password', { email: person.email, password: 'a-new-password-9' }))
        .status,
    ).toBe(200);
  });

  test('refuses a common password and leaves the link valid', async () => {
    const email = newEmailAddress();
    await signUpAndVerify(email);
    await callAccountFunction('forgot-password', { email });
    const token = linkFor(email);
    expect(await callAccountFunction('reset-password', { token, password: 'Password1' })).toMatchObject({
      status: 422,
      body: { code: 'weak_password', fields: { password: 'This password is too common and easy to guess' } },
    });
    expect(
      (await callAccountFunction('reset-password', { token, password: 'a-new-password-9' })).status,
    ).toBe(200);
  });

  test('promise 4: a link works once at 14:59, but not at 15:01 and not after a newer one', async () => {
    const email = newEmailAddress();
    await signUpAndVerify(email);
    const ask = async () => {
      testApp.clock.advance(31);
      await callAccountFunction('forgot-password', { email });
      return linkFor(email);
    };
    const use = async (token: string) =>
      (await callAccountFunction('reset-password', { token, password: 'another-pass-1' })).status;

    const inTime = await ask();
    testApp.clock.advance(899);
    expect(await use(inTime)).toBe(200);
    const late = await ask();
    testApp.clock.advance(901);
    expect(await use(late)).toBe(400);
    const older = await ask();
    const newer = await ask();
    expect(await use(older)).toBe(400);
    const uses = await Promise.all(Array.from({ length: 10 }, () => use(newer)));
    expect(uses.filter((status) => status === 200)).toHaveLength(1);
  });

  test.each([
    ['usc.edu', 'reset it now.', '/forgot-password'],
    [
      'home.example',
      'log in with "Email me a code" and set a new one in Settings.',
      '/profile?tab=settings&page=security',
    ],
  ])(
    'the notification of a changed password tells the owner of an address at %s how to set another one',
    async (domain, advice, path) => {
      const { headers } = await testApp.signIn({ email: newEmailAddress(domain) });
      const change = {
        method: 'PUT',
        url: '/auth/v1/user',
        payload: { password: 'a-new-password-9' },
      } as const;
      expect((await testApp.server.inject({ ...change, headers })).statusCode).toBe(200);
      await testApp.jobs.runAll();
      const { items } = (await testApp.server.inject({ url: '/rest/v1/notifications', headers })).json();
      expect(items).toMatchObject([{ title: 'Your password was changed', path }]);
      expect(items[0].text).toMatch(new RegExp(`If it was not you, ${advice}$`));
    },
  );

  test('refuses a missing token as an invalid link', async () => {
    expect((await callAccountFunction('reset-password', { password: 'another-pass-1' })).body.error).toBe(
      'Invalid reset link',
    );
  });
});
