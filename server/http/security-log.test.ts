import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProblem } from '#contract/errors.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { validListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let owner: Person;
let stranger: Person;
let logLines: string[] = [];

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  testApp = await startTestApp({ replace: { logger: pino({ level: 'info' }, stream) } });
  [owner, stranger] = [await testApp.signIn(), await testApp.signIn()];
});
beforeEach(() => {
  logLines = [];
});
afterAll(() => testApp.close());

const readSecurityEvents = () =>
  logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'security');

test('log-in attempts are logged with outcome and client address, without credentials', async () => {
  const logIn = (password: string) =>
    testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/login-password',
      payload: { email: owner.email, password },
      remoteAddress: '192.0.2.7',
    });
  await logIn('not-the-password-1');
  const { authPassword } = (await logIn(testPassword)).json();
  const entry = {
    event: 'entrance',
    method: 'POST',
    route: '/functions/v1/login-password',
    address: '192.0.2.7',
  };
  expect(readSecurityEvents()).toMatchObject([
    { ...entry, status: 401 },
    { ...entry, status: 200 },
  ]);
  for (const secret of [testPassword, 'not-the-password-1', authPassword, owner.email]) {
    expect(logLines.join('')).not.toContain(secret);
  }
});

test('requests for data of others are logged with the account', async () => {
  const saved = await testApp.server.inject({
    method: 'POST',
    url: '/functions/v1/create-listing',
    headers: owner.headers,
    payload: validListingForm,
  });
  const { id } = saved.json().listing;
  await testApp.server.inject({
    method: 'DELETE',
    url: `/rest/v1/me/listings/${id}`,
    headers: stranger.headers,
  });
  await testApp.server.inject({ url: '/rest/v1/me', headers: { authorization: `Bearer ${owner.token}x` } });
  expect(readSecurityEvents()).toMatchObject([
    { event: 'refused', route: '/rest/v1/me/listings/:id', status: 404, user: stranger.userId },
    { event: 'refused', route: '/rest/v1/me', status: 401 },
  ]);
  expect(logLines.join('')).not.toContain(owner.token);
});

test('exceeded limits are logged', async () => {
  const limited = await startTestApp({
    replace: {
      limits: {
        ...noRateLimits,
        consume: async () => {
          throw createProblem('rate_limited', { retryAfter: 5 });
        },
      },
      logger: pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) }),
    },
  });
  await limited.server.inject({ method: 'POST', url: '/rest/v1/forms/report', payload: {} });
  expect(readSecurityEvents()).toMatchObject([
    { event: 'too much', route: '/rest/v1/forms/report', status: 429 },
  ]);
  await limited.close();
});
