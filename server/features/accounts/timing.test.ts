import { hash, verify } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});

let testApp: TestApp;
let knownEmail: string;
const sentStatements: string[] = [];
beforeAll(async () => {
  testApp = await startTestApp({ onStatement: (statement) => sentStatements.push(statement) });
  knownEmail = (await testApp.signIn()).email;
});
afterAll(() => testApp.close());
beforeEach(() => void vi.clearAllMocks());

/** Tries a wrong password. Returns the elapsed time and the CPU time in milliseconds. */
const measureLogInAttempt = async (email: string): Promise<{ clock: number; processor: number }> => {
  const payload = { email, password: 'not-the-password-1' };
  const [begun, used] = [performance.now(), process.cpuUsage()];
  await testApp.server.inject({ method: 'POST', url: '/functions/v1/login-password', payload });
  const { user, system } = process.cpuUsage(used);
  return { clock: performance.now() - begun, processor: (user + system) / 1000 };
};

/**
 * Returns the 99% confidence interval of the median difference, without assuming any distribution.
 */
const medianConfidenceInterval = (differences: number[]): [number, number] => {
  const sorted = [...differences].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const reach = 1.3 * Math.sqrt(sorted.length);
  const [low, high] = [sorted[Math.floor(middle - reach)], sorted[Math.ceil(middle + reach) - 1]];
  return [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY];
};

test('promise 9: verifies one hash of the same cost whether or not the address has an account', async () => {
  const unconfirmed = 'unconfirmed@usc.edu';
  const withoutPassword = 'without-password@usc.edu';
  const signUp = (email: string, password: string) =>
    testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/signup',
      payload: { email, password, fullName: 'A' },
    });
  await signUp(unconfirmed, testPassword);
  await signUp(withoutPassword, testPassword);
  await signUp(withoutPassword, 'another-password-2');
  for (const email of [knownEmail, 'nobody@usc.edu', unconfirmed, withoutPassword]) {
    vi.clearAllMocks();
    await measureLogInAttempt(email);
    expect(vi.mocked(hash), email).not.toHaveBeenCalled();
    expect(vi.mocked(verify), email).toHaveBeenCalledOnce();
    expect(vi.mocked(verify).mock.lastCall?.[0], email).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  }
});

test('promise 9: a wrong password takes the same time for known and unknown addresses', async () => {
  for (let warm = 0; warm < 10; warm += 1) await measureLogInAttempt(knownEmail);
  const ofKnown: Awaited<ReturnType<typeof measureLogInAttempt>>[] = [];
  const ofUnknown: typeof ofKnown = [];
  const comparePair = async (knownFirst: boolean) => {
    if (knownFirst) ofKnown.push(await measureLogInAttempt(knownEmail));
    ofUnknown.push(await measureLogInAttempt('nobody@usc.edu'));
    if (!knownFirst) ofKnown.push(await measureLogInAttempt(knownEmail));
  };
  const ratio = () =>
    median(ofKnown.map(({ processor }) => processor)) / median(ofUnknown.map(({ processor }) => processor));

  // CPU time hardly depends on the load of the machine; measuring more pairs averages out the
  // remaining noise.
  do {
    for (let pair = 0; pair < 50; pair += 1) await comparePair(pair % 2 === 0);
  } while (ofKnown.length < 200 && Math.abs(ratio() - 1) >= 0.05);
  expect(ratio()).toBeGreaterThan(0.95);
  expect(ratio()).toBeLessThan(1.05);

  // Elapsed time depends on the load of the machine, so only a statistically significant difference counts.
  const times = [...ofKnown, ...ofUnknown].map(({ clock }) => clock);
  const [low, high] = medianConfidenceInterval(
    ofKnown.map(({ clock }, at) => clock - (ofUnknown[at]?.clock ?? clock)),
  );
  const allowed = 0.05 * median(times);
  expect(low, 'extra milliseconds for known addresses').toBeLessThan(allowed);
  expect(high, 'extra milliseconds for known addresses').toBeGreaterThan(-allowed);
}, 60_000);

/** Sends a request, and returns its response with the SQL statements that it took. */
const record = async (url: string, payload: object) => {
  sentStatements.length = 0;
  const { statusCode, body } = await testApp.server.inject({ method: 'POST', url, payload });
  // The test's own query for emails is not counted.
  const statements = sentStatements.filter((statement) => !statement.includes('delete from testing.mail'));
  return { statusCode, body, statements };
};

test.each([
  ['/functions/v1/send-otp', {}, undefined],
  ['/functions/v1/verify-otp', { code: '000000' }, undefined],
  ['/functions/v1/verify-otp', { code: '000000' }, '/functions/v1/send-otp'],
  ['/functions/v1/forgot-password', {}, undefined],
  ['/auth/v1/otp', {}, undefined],
  ['/auth/v1/verify', { token: '000000', type: 'email' }, undefined],
  ['/auth/v1/verify', { token: '000000', type: 'email' }, '/auth/v1/otp'],
])(
  'promise 9: %s %j does and says the same for known and unknown addresses, after %s',
  async (url, more, first) => {
    const { email } = await testApp.signIn();
    const visit = async (address: string) => {
      if (first) await record(first, { email: address });
      return record(url, { email: address, ...more });
    };
    const known = await visit(email);
    const unknown = await visit(`nobody-${email}`);
    expect(known.statements.length).toBeGreaterThan(0);
    expect(unknown).toEqual(known);
  },
);

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
