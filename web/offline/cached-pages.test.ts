import { expect, test } from 'vitest';
import { routePatterns } from '#web/lib/links.ts';
import {
  appShellPaths,
  isPageWithListings,
  isPublicPage,
  toCacheKey,
  toPageDataUrl,
  toPageUrl,
} from './cached-pages.ts';

const fillPathParameters = (pattern: string): string => pattern.replace(/:\w+\??/g, 'some-word');

test('every route except four is a public page or has a document that is the same for everybody', () => {
  const uncachedPatterns = Object.values(routePatterns).filter(
    (pattern) => !isPublicPage(fillPathParameters(pattern)) && !appShellPaths.includes(pattern),
  );
  // These routes are never cached: the first two, because their URLs contain a secret or a temporary
  // code, and the console, because only few people use it.
  expect(uncachedPatterns).toEqual([
    routePatterns.resetPassword,
    routePatterns.appeal,
    routePatterns.authCallback,
    routePatterns.moderation,
  ]);
});

test('private screens and unknown paths are not treated as public pages', () => {
  for (const screen of appShellPaths) expect(isPublicPage(screen), screen).toBe(false);
  for (const path of [
    '/messages/1',
    '/profile/edit/',
    '/rest/v1/listings',
    '/reset-password/abc',
    '/appeal/abc',
    '/no/such',
  ]) {
    expect(isPublicPage(path), path).toBe(false);
  }
});

test.each([
  ['/', '/_.data'],
  ['/browse', '/browse.data'],
  ['/category/furniture', '/category/furniture.data'],
  ['/category/furniture?sort=price', '/category/furniture.data?sort=price'],
  ['/search?q=a+b', '/search.data?q=a+b'],
])('the page %s has its data at %s, which maps back to the page', (page, data) => {
  const at = (path: string) => new URL(path, 'http://quad.test');
  expect(toPageDataUrl(at(page)).href).toBe(at(data).href);
  expect(toPageUrl(at(data))?.href).toBe(at(page).href);
  expect(isPageWithListings(at(page).pathname)).toBe(true);
});

test('a partial data request has the same cache key as the complete one', () => {
  const part = new URL('http://quad.test/search.data?q=desk&_routes=routes%2Fsearch#top');
  expect(toCacheKey(part)).toBe('http://quad.test/search.data?q=desk');
  expect(toPageUrl(part)?.href).toBe('http://quad.test/search?q=desk#top');
});
