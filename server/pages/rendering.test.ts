import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { notePhoto, saveListing } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let server: TestApp;
let seller: Person;
let slug: string;

beforeAll(async () => {
  server = await startTestApp({ deps: { pages: await loadPagesBuild() } });
  seller = await server.signIn({ fullName: 'Ada </script><script>alert(1)</script>' });
  const photo = await notePhoto(server, seller, 'desk.jpg');
  ({
    body: {
      listing: { slug },
    },
  } = await saveListing(server, seller, { photos: [photo] }));
});

afterAll(() => server.close());

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '', text]) => text && !attributes.includes('ld+json'))
    .map(([, , text = '']) => text);

test('promise 35: the policy of every page names every inline script in it, and nothing else', async () => {
  const paths = [
    '/',
    '/category/furniture',
    '/category/kitchen',
    `/listing/${slug}`,
    '/search?q=oak',
    '/nope',
    '/login',
  ];
  for (const path of paths) {
    const reply = await get(path);
    const policy = String(reply.headers['content-security-policy']);
    const named = [...policy.matchAll(/'sha256-([^']+)'/g)].map(([, hash]) => hash);
    const made = inlineScripts(reply.body).map((text) => createHash('sha256').update(text).digest('base64'));
    expect([...named].sort(), path).toEqual([...new Set(made)].sort());
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  }
});

test('a name that looks like markup stays text, in the page and in its data', async () => {
  const { body } = await get(`/listing/${slug}`);
  expect(body).not.toContain('<script>alert(1)');
  expect(body).toContain('Ada &lt;/script&gt;');
});

test('a listing is found on home, in its category, by search and on its own page', async () => {
  for (const path of ['/', '/category/furniture', '/search?q=OAK%20des']) {
    const reply = await get(path);
    expect(reply.statusCode, path).toBe(200);
    expect(reply.body, path).toContain(`href="/product/${slug}"`);
  }
  expect((await get('/search?q=oak')).body).toContain('1 result for &quot;oak&quot;');
  const { body } = await get(`/listing/${slug}`);
  for (const text of [
    'Solid oak desk',
    '85.50',
    'Good',
    'Parkside, North Building',
    'mailto:seller@usc.edu',
    'Verified USC Student',
  ]) {
    expect(body).toContain(text);
  }
});

test('both addresses of a listing name the first as the one to be known by, with price and photo for previews', async () => {
  for (const path of [`/listing/${slug}`, `/product/${slug}`]) {
    const { body } = await get(path);
    expect(body).toContain(`<link rel="canonical" href="http://quad.test/listing/${slug}"/>`);
    expect(body).toMatch(/<meta property="og:image" content="http:\/\/quad\.test\/storage[^"]*@1024\.jpeg"/);
    expect(body).toContain('<meta property="product:price:amount" content="85.50"/>');
    const [, structured = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? [];
    expect(JSON.parse(structured)).toMatchObject({
      '@type': 'Product',
      name: 'Solid oak desk with two drawers',
      image: [expect.stringMatching(/^http:\/\/quad\.test\/storage\/v1\/.*desk\.jpg@1024\.jpeg$/)],
      offers: { '@type': 'Offer', price: '85.50', priceCurrency: 'USD' },
    });
  }
});

test('a page is the same, byte for byte, for a signed-in reader and for a stranger', async () => {
  const path = `/listing/${slug}`;
  const [stranger, owner] = await Promise.all([get(path), get(path, seller.headers)]);
  expect(owner.body).toBe(stranger.body);
  expect(owner.headers).toEqual(stranger.headers);
});

test('a listing that does not exist is answered 404 with its own words', async () => {
  for (const path of ['/listing/none', '/product/none']) {
    const reply = await get(path);
    expect(reply.statusCode).toBe(404);
    expect(reply.body).toContain('Listing Not Found');
    expect(reply.body).toContain('Back to Marketplace');
  }
});

test('an unknown path is answered 404 with the page for it; below the API with the error form', async () => {
  const page = await get('/no/such/page');
  expect(page.statusCode).toBe(404);
  expect(page.body).toContain('Oops! Page not found');
  const call = await get('/rest/v1/nothing');
  expect(call.statusCode).toBe(404);
  expect(call.json()).toMatchObject({ code: 'not_found' });
});

test('a category nobody has posted in says so in its own words, and any other slug has the generic page', async () => {
  expect((await get('/category/rentals')).body).toContain('No rental listings available yet.');
  const generic = await get('/category/left-shoes');
  expect(generic.statusCode).toBe(200);
  for (const text of ['Left shoes', 'No items found', 'Be the first to list an item in this category!']) {
    expect(generic.body).toContain(text);
  }
});

test('the data of a page is answered for navigation inside the app', async () => {
  const reply = await get(`/listing/${slug}.data`);
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['content-type']).toContain('text/x-script');
  expect(reply.body).toContain('Solid oak desk with two drawers');
});

test('promise 35: answers that are no pages carry the protective headers too', async () => {
  const { headers } = await get('/rest/v1/listings');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(headers['strict-transport-security']).toBeUndefined();
});

test.each(['/search?q=%00', '/listing/%00', '/product/%00', '/category/%00'])(
  '%s, which nothing can be called, is not found, and no error of ours',
  async (path) => {
    expect((await get(path)).statusCode).toBeLessThan(500);
  },
);

test.each(['/%', '/%E0%A4%A'])('%s, which is no path at all, is refused in the error form', async (path) => {
  const reply = await get(path);
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ code: 'malformed_request' });
});
