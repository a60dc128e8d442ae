import { describe, expect, test } from 'vitest';
import { loginPath, returnPath, signupPath } from './return-path.ts';

describe('the way back after logging in', () => {
  test.each([
    ['/messages?c=1', '/messages?c=1'],
    ['/listing/desk-ab12?message=1#top', '/listing/desk-ab12?message=1#top'],
    ['/', '/'],
    ['/search?q=https://evil.example', '/search?q=https://evil.example'],
  ])('%s is honoured', (from, expected) => expect(returnPath(from)).toBe(expected));

  test.each([
    ['https://evil.example/'],
    ['//evil.example'],
    ['/\\evil.example'],
    ['/\t/evil.example'],
    ['\\/evil.example'],
    ['/..//evil.example'],
    ['/.//evil.example'],
    ['javascript:alert(1)'],
    ['messages'],
    [''],
    ['/login?from=/login'],
    ['/signup'],
    ['/auth/callback'],
    [undefined],
    [{ pathname: '/messages' }],
  ])('%j is refused', (from) => expect(returnPath(from)).toBeUndefined());

  test('travels in the query, encoded, and is left out where it would say nothing', () => {
    expect(loginPath('/post-ad?edit=1&x=2')).toBe('/login?from=%2Fpost-ad%3Fedit%3D1%26x%3D2');
    expect(signupPath('/')).toBe('/signup');
    expect(signupPath('//evil.example')).toBe('/signup');
    expect(loginPath()).toBe('/login');
  });
});
