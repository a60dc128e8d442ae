import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({
    environment: {
      QUAD_CAMPUS_DOMAIN: 'usc.edu',
      QUAD_CAMPUS_DOMAINS: 'alumni.example, *.usc.edu',
      QUAD_CAMPUS_ONLY: 'true',
    },
  });
});
afterAll(() => testApp.close());

const post = (name: string, payload: object) =>
  testApp.server.inject({ method: 'POST', url: `/functions/v1/${name}`, payload });

test.each([
  ['usc.edu', true],
  ['alumni.example', true],
  ['med.usc.edu', true],
  ['usc.edu.evil.example', false],
  ['xusc.edu', false],
  ['mail.alumni.example', false],
])('promise 114: sign-up, badge, reset links and added addresses at %s: %s', async (domain, belongs) => {
  const email = `tommy@${domain}`;
  const signedUp = await post('signup', { email, password: testPassword, fullName: 'Tommy Trojan' });
  expect(signedUp.statusCode).toBe(belongs ? 200 : 400);
  if (belongs) {
    const code = testApp.codeFor(email);
    expect((await post('verify-otp', { email, code, password: testPassword })).statusCode).toBe(200);
    const [person] = await testApp.sql`SELECT usc_verified FROM users WHERE email = ${email}`;
    expect(person).toEqual({ usc_verified: true });
  } else expect(signedUp.json().error).toBe('Only @usc.edu email addresses are allowed.');

  const forgot = await post('forgot-password', { email });
  expect(forgot.statusCode).toBe(belongs ? 200 : 400);

  const addresses = createCampusAddressClient(testApp);
  const outside = await addresses.signInOutside();
  const added = await addresses.request(outside, `other@${domain}`);
  expect(added.status).toBe(belongs ? 200 : 400);
});
