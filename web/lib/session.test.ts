import { describe, expect, test } from 'vitest';
import { getAccessToken, parseStoredSession, sessionNow, unknownSession } from './session.ts';

const whole = { access_token: 'a', refresh_token: 'r', expires_at: 1, user: { id: 'someone' } };

describe('the stored session', () => {
  test('is used when it is complete', () => {
    expect(parseStoredSession(JSON.stringify(whole))).toEqual(whole);
  });
  test.each([
    [null],
    [''],
    ['not JSON'],
    ['null'],
    ['"text"'],
    ['{}'],
    [JSON.stringify({ ...whole, access_token: '' })],
    [JSON.stringify({ ...whole, refresh_token: undefined })],
    [JSON.stringify({ ...whole, user: {} })],
    [JSON.stringify({ ...whole, user: null })],
  ])('%j counts as none', (text) => expect(parseStoredSession(text)).toBeNull());
});

test('on the server there is no session and no token', async () => {
  expect(sessionNow()).toBe(unknownSession);
  expect(sessionNow()).toMatchObject({ loading: true, isAuthenticated: false });
  expect(await getAccessToken()).toBeUndefined();
});
