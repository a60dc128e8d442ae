import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { getAccessToken } from '#web/lib/session.ts';
import { createTestApi, networkFailure, undeclaredCalls } from './api.ts';
import { nextTask } from './next-task.ts';
import { createTestSession, signIn, storeSession } from './session.ts';

// The auth client starts its timers when it is loaded.
vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
afterAll(() => void vi.useRealTimers());

const api = createTestApi();
const call = undeclaredCalls.createSession;
let renewals: number;
const renew = () => ({ ...createTestSession(), refresh_token: `renewed-${++renewals}` });
api.answer(call, renew);

const readRefreshToken = () => JSON.parse(localStorage.getItem('quad.session') ?? 'null')?.refresh_token;
const listSentTokens = () =>
  api.listRequests(call).map(({ body }) => (body as { refresh_token: string }).refresh_token);
const signInWith = (session: object) => storeSession({ ...createTestSession(), ...session });

/** Signs in with an expired session, as on a computer that wakes up after more than an hour. */
const wakeUp = () =>
  signInWith({ access_token: 'one.that.expired', expires_at: Math.floor(Date.now() / 1000) - 600 });

/**
 * Advances the clock by a number of seconds, in steps of `step` seconds. After each step, waits for responses and for
 * the lock that the client holds during a refresh, so that the clock does not run ahead of them.
 */
const advanceClock = async (seconds: number, step: number) => {
  for (let passed = 0; passed < seconds; passed += step) {
    await vi.advanceTimersByTimeAsync(step * 1000);
    for (let turn = 0; turn < 4; turn += 1) {
      await navigator.locks.request('quad.refresh', nextTask);
      await nextTask();
    }
  }
};

const failWith = (failure: () => Error | Response) =>
  api.answer(call, () => {
    throw failure();
  });
const failures: [string, () => Error | Response][] = [
  ...[429, 502, 503, 504].map(
    (status) => [`${status}`, () => new Response('not now', { status })] as [string, () => Response],
  ),
  ['a lost connection', networkFailure],
];

beforeEach(async () => {
  renewals = 0;
  // Loads the client.
  signIn();
  await getAccessToken();
});

test.each(failures)(
  'promise 8: %s during a refresh keeps the session, and the refresh is retried',
  async (_, failure) => {
    failWith(failure);
    wakeUp();
    const token = getAccessToken();
    await advanceClock(2, 0.2);
    expect(listSentTokens().length).toBeGreaterThan(2);
    expect(readRefreshToken()).toBe('test-refresh-token');
    api.answer(call, renew);
    await advanceClock(5, 0.5);
    expect(await token).toBe('test-access-token');
    expect(readRefreshToken()).toBe('renewed-1');
    expect(new Set(listSentTokens())).toEqual(new Set(['test-refresh-token']));
  },
);

test('promise 8: an outage longer than the back-off keeps the session until the server is back', async () => {
  failWith(() => new Response('not now', { status: 503 }));
  wakeUp();
  void getAccessToken();
  await advanceClock(40, 1);
  expect(readRefreshToken()).toBe('test-refresh-token');
  // The client retries for 30 s. The first delay is 200 ms, and each further delay is twice as long.
  const attempts = listSentTokens().length;
  expect(attempts).toBeGreaterThanOrEqual(5);
  expect(attempts).toBeLessThanOrEqual(9);
  api.answer(call, renew);
  await advanceClock(120, 5);
  expect(readRefreshToken()).toBe('renewed-1');
});

test('promise 8: after a failed refresh, a tab uses the session of another tab and never sends the old token again', async () => {
  failWith(() => new Response('not now', { status: 503 }));
  wakeUp();
  const token = getAccessToken();
  await advanceClock(2, 0.2);
  const before = listSentTokens().length;
  const renewed = { ...createTestSession(), access_token: 'of another tab', refresh_token: 'of another tab' };
  localStorage.setItem('quad.session', JSON.stringify(renewed));
  api.answer(call, renew);
  await advanceClock(30, 1);
  expect(await token).toBe('of another tab');
  expect(listSentTokens().slice(before)).not.toContain('test-refresh-token');
});

test('the timer that runs every 30 s renews a token that expires within 90 s', async () => {
  signInWith({ expires_at: Math.floor(Date.now() / 1000) + 300 });
  await getAccessToken();
  await advanceClock(150, 5);
  expect(listSentTokens()).toEqual([]);
  // The token is due for renewal from 210 s on, so it is renewed after 240 s at the latest.
  await advanceClock(90, 5);
  expect(listSentTokens()).toEqual(['test-refresh-token']);
  expect(readRefreshToken()).toBe('renewed-1');
});
