import { describe, expect, test } from 'vitest';
import { parseReturnPath, toLoginPath, toSignupPath } from './return-path.ts';

describe('the return path after logging in', () => {
  test.each([
    ['/messages?c=1', '/messages?c=1'],
    ['/listing/desk-ab12?message=1#top', '/listing/desk-ab12?message=1#top'],
    ['/', '/'],
    ['/search?q=https://evil.example', '/search?q=https://evil.example'],
  ])('accepts %s', (from, expected) => expect(parseReturnPath(from)).toBe(expected));

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
  ])('refuses %j', (from) => expect(parseReturnPath(from)).toBeUndefined());

  test('is encoded in the query, and omitted for the home page', () => {
    expect(toLoginPath('/post-ad?edit=1&x=2')).toBe('/login?from=%2Fpost-ad%3Fedit%3D1%26x%3D2');
    expect(toSignupPath('/')).toBe('/signup');
    expect(toSignupPath('//evil.example')).toBe('/signup');
    expect(toLoginPath()).toBe('/login');
  });
});
