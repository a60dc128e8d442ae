import { describe, expect, test } from 'vitest';
import { getAccessToken, getSessionSnapshot, parseStoredSession, unknownSession } from './session.ts';

const completeSession = { access_token: 'a', refresh_token: 'r', expires_at: 1, user: { id: 'someone' } };

describe('the stored session', () => {
  test('is used when it is complete', () => {
    expect(parseStoredSession(JSON.stringify(completeSession))).toEqual(completeSession);
  });
  test.each([
    [null],
    [''],
    ['not JSON'],
    ['null'],
    ['"text"'],
    ['{}'],
    [JSON.stringify({ ...completeSession, access_token: '' })],
    [JSON.stringify({ ...completeSession, refresh_token: undefined })],
    [JSON.stringify({ ...completeSession, user: {} })],
    [JSON.stringify({ ...completeSession, user: null })],
  ])('%j is treated as no session', (text) => expect(parseStoredSession(text)).toBeNull());
});

test('on the server there is no session and no token', async () => {
  expect(getSessionSnapshot()).toBe(unknownSession);
  expect(getSessionSnapshot()).toMatchObject({ loading: true, isAuthenticated: false });
  expect(await getAccessToken()).toBeUndefined();
});
