import type { RouteConfigEntry } from '@react-router/dev/routes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCacheKey } from './cache-key.ts';
import routes from './routes.ts';

const findCacheKeyUrl = (url: string) => findCacheKey(url)?.address;

test.each([
  ['/', '/'],
  ['/?utm_source=poster', '/'],
  ['/safety?x=1&y=2', '/safety'],
  ['/login?from=%2Fmessages', '/login'],
  ['/listing/oak-desk-1a?message=1', '/listing/oak-desk-1a'],
  ['/product/oak-desk-1a', '/product/oak-desk-1a'],
  ['/users/0f8fad5b-d9cb-469f-a165-70867728950e?x=1', '/users/0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['/category/game-day', '/category/game-day'],
  ['/category/game-day?sort=price&x=1&kind=tickets', '/category/game-day?sort=price&kind=tickets'],
  ['/category/game-day?kind=tickets&sort=price', '/category/game-day?sort=price&kind=tickets'],
  ['/category/game-day?size=xl&kind=boats&sort=location', '/category/game-day'],
  ['/category/game-day?sort=newest', '/category/game-day?sort=newest'],
  ['/category/furniture?sort=newest', '/category/furniture'],
  ['/category/textbooks?size=xl', '/category/textbooks'],
  ['/category/textbooks?condition=good&price=0-50', '/category/textbooks?price=0-50&condition=good'],
  ['/browse', '/browse'],
  ['/browse?sort=price&price=0-50&category=free', '/browse?sort=price&category=free&price=0-50'],
  ['/browse?price=10-80&min_price=&max_price=&sort=', '/browse?price=10-80'],
  ['/search?q=desk&sort=newest&condition=good', '/search?q=desk&sort=newest&condition=good'],
  ['/search?q=desk&sort=relevance', '/search?q=desk'],
  ['/browse.data?q=desk&_routes=routes%2Fbrowse', '/browse.data?_routes=routes%2Fbrowse'],
  ['/search', '/search'],
  ['/search?q=++&category=furniture', '/search'],
  ['/search?q=desk?x', '/search?q=desk%3Fx'],
  ['/search?q=desk?x&category=furniture', '/search?q=desk%3Fx&category=furniture'],
  ['/search?category=furniture&q=+oak%20desk+&page=7', '/search?q=oak+desk&category=furniture'],
  ['/_.data?_routes=routes%2Fhome&x=1', '/_.data?_routes=routes%2Fhome'],
  ['/search.data?q=oak', '/search.data?q=oak'],
  [
    '/category/furniture.data?_routes=routes%2Fcategory&price=100-',
    '/category/furniture.data?price=100-&_routes=routes%2Fcategory',
  ],
])('%s is cached under the key %s', (url, address) => {
  expect(findCacheKeyUrl(url)).toBe(address);
});

test.each([
  ['private screens', '/messages'],
  ['private screens', '/profile/edit'],
  ['private screens', '/my-listings'],
  ['private screens', '/post-ad?edit=1'],
  ['URLs with a secret', '/reset-password/s3cr3t'],
  ['URLs with a secret', '/auth/callback?code=s3cr3t'],
  ['unknown paths of a known section', '/messages/no/such'],
  ['paths with escapes', '/%6Cogin'],
  ['paths with two slashes', '//login'],
  ['paths with dots', '/x/../login'],
  ['paths in upper case', '/LOGIN'],
  ['data of unknown paths', '/nothing.data'],
  ['ids that cannot exist', '/users/me'],
  ['unknown categories', '/category/left-shoes'],
  ['unknown categories', '/category/constructor'],
  ['other spellings of a path', '/category/Furniture'],
  ['other spellings of a path', '/category/furniture/'],
  ['other spellings of a path', '/category/%66urniture'],
  ['other spellings of a path', '//category/furniture'],
  ['other spellings of a path', '/listing/OAK'],
  ['amounts as typed', '/browse?price=&min_price=10&max_price=80&sort='],
  ['very long slugs', `/listing/${'a'.repeat(201)}`],
  ['very long searches', `/search?q=${'a'.repeat(101)}`],
  ['data of other routes', '/_.data?_routes=routes/category'],
  ['data of other routes', '/category/furniture.data?_routes=routes%2Fcategory%2Croot'],
  ['data requests of pages without a loader', '/safety.data'],
])('%s are not cached: %s', (_what, url) => {
  expect(findCacheKey(url)).toBeUndefined();
});

test.each(['/no/such/page', '/wp-login.php?x=1', '/.env', '/no/such/%zz'])(
  '%s, at which there is no page, shares a key with all such URLs',
  (url) => {
    expect(findCacheKey(url)).toEqual({ address: '/*', isFiltered: false, isMissing: true });
  },
);

test('no route counts as missing', () => {
  const listPaths = (entries: RouteConfigEntry[]): string[] =>
    entries.flatMap(({ path, children = [] }) => [...(path ? [path] : []), ...listPaths(children)]);
  const paths = listPaths(routes).filter((path) => path !== '*');
  expect(paths).toContain('/messages');
  for (const path of paths) expect(findCacheKey(path)?.isMissing, path).toBeUndefined();
});

test('a URL counts as filtered only if it has a filter, a sort order or a search text', () => {
  const isFiltered = (url: string) => findCacheKey(url)?.isFiltered;
  expect(isFiltered('/category/furniture?x=1')).toBe(false);
  expect(isFiltered('/_.data?_routes=routes%2Fhome')).toBe(false);
  expect(isFiltered('/category/furniture?sort=price')).toBe(true);
  expect(isFiltered('/search.data?q=oak')).toBe(true);
});

test('a canonical URL is its own cache key', () => {
  const names = [
    'q',
    'sort',
    'kind',
    'price',
    'size',
    'course',
    'game_date',
    'verified',
    'available',
    'category',
    '_routes',
  ];
  const values = ['price', 'tickets', '0-50', 'xl', 'this-week', 'true', 'any', 'furniture', 'routes/search'];
  const paths = [
    '/',
    '/_.data',
    '/browse',
    '/search',
    '/search.data',
    '/category/game-day',
    '/category/textbooks',
    '/category/rentals.data',
  ];
  const pairs = fc.array(
    fc.tuple(
      fc.constantFrom(...names),
      fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'grapheme' })),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...paths), pairs, (path, query) => {
      const address = findCacheKeyUrl(`${path}?${new URLSearchParams(query)}`);
      if (address !== undefined) expect(findCacheKeyUrl(address)).toBe(address);
    }),
  );
});
