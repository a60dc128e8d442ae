import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { resolveGameDateRange } from '#contract/game-days.ts';
import { layOutEmail } from '#server/mail/templates.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertPhoto, submitListingForm } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let testApp: TestApp;
let seller: Person;
let listingSlug: string;

beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  seller = await testApp.signIn({ fullName: 'Ada </script><script>alert(1)</script>' });
  await setRole(seller, 'Student');
  const photo = await insertPhoto(testApp, seller, 'desk.jpg');
  ({
    body: {
      listing: { slug: listingSlug },
    },
  } = await submitListingForm(testApp, seller, { photos: [photo] }));
});

afterAll(() => testApp.close());

const setRole = (person: Person, role: string) =>
  testApp.server.inject({ method: 'PATCH', url: '/rest/v1/me', headers: person.headers, payload: { role } });
const fetchPage = (url: string, headers: Record<string, string> = {}) =>
  testApp.server.inject({ url, headers });

const extractInlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '', text]) => text && !attributes.includes('ld+json'))
    .map(([, , text = '']) => text);

test('promise 35: the policy of every page allows exactly its inline scripts', async () => {
  const paths = [
    '/',
    '/category/furniture',
    '/category/kitchen',
    `/listing/${listingSlug}`,
    '/search?q=oak',
    '/nope',
    '/login',
  ];
  for (const path of paths) {
    const response = await fetchPage(path);
    const policy = String(response.headers['content-security-policy']);
    const allowed = [...policy.matchAll(/'sha256-([^']+)'/g)].map(([, hash]) => hash);
    const computed = extractInlineScripts(response.body).map((text) =>
      createHash('sha256').update(text).digest('base64'),
    );
    expect([...allowed].sort(), path).toEqual([...new Set(computed)].sort());
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  }
});

test('a name that looks like markup is escaped, in the page and in its data', async () => {
  const { body } = await fetchPage(`/listing/${listingSlug}`);
  expect(body).not.toContain('<script>alert(1)');
  expect(body).toContain('Ada &lt;/script&gt;');
});

test('a listing appears on home, in its category, in search and on its own page', async () => {
  for (const path of ['/', '/category/furniture', '/search?q=OAK%20des']) {
    const response = await fetchPage(path);
    expect(response.statusCode, path).toBe(200);
    expect(response.body, path).toContain(`href="/product/${listingSlug}"`);
  }
  expect((await fetchPage('/search?q=oak')).body).toContain('1 result for &quot;oak&quot;');
  const { body } = await fetchPage(`/listing/${listingSlug}`);
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

test.each([
  ['Student', 'Verified USC Student'],
  ['Alumni', 'Verified USC Email · Alumni'],
  ['Staff', 'Verified USC Email · Staff'],
])('the card of a verified seller whose role is %s says "%s"', async (role, text) => {
  await setRole(seller, role);
  const { body } = await fetchPage(`/listing/${listingSlug}`);
  expect(body).toContain(text);
  expect(body.includes('Verified USC Student')).toBe(role === 'Student');
});

test('an unverified seller is a community member whatever their role', async () => {
  const other = await testApp.signIn({ email: 'someone@example.com' });
  await setRole(other, 'Student');
  const saved = await submitListingForm(testApp, other, { title: 'A lamp by somebody' });
  const { body } = await fetchPage(`/listing/${saved.body.listing.slug}`);
  expect(body).toContain('USC Community Member');
  expect(body).not.toContain('Verified USC');
  const reply = await fetchPage(`/rest/v1/listings/${saved.body.listing.slug}`);
  expect(reply.json().seller_role).toBeNull();
});

test('both URLs of a listing name /listing/ as canonical and include price and photo for link previews', async () => {
  for (const path of [`/listing/${listingSlug}`, `/product/${listingSlug}`]) {
    const { body } = await fetchPage(path);
    expect(body).toContain(`<link rel="canonical" href="http://quad.test/listing/${listingSlug}"/>`);
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

test('a page is byte for byte the same for a signed-in person and a visitor', async () => {
  const path = `/listing/${listingSlug}`;
  const [stranger, owner] = await Promise.all([fetchPage(path), fetchPage(path, seller.headers)]);
  expect(owner.body).toBe(stranger.body);
  expect(owner.headers).toEqual(stranger.headers);
});

test('cards show the age of a listing, at most a minute out of date', async () => {
  const ageOn = async (path: string) => {
    const { body } = await fetchPage(path);
    return /<time dateTime="[^"]+">([^<]+)<\/time>/.exec(body)?.[1];
  };
  await submitListingForm(testApp, seller, { category: 'study-items' });
  expect(await ageOn('/category/study-items')).toBe('1 min');
  testApp.clock.advance(2 * 3600);
  expect(await ageOn('/category/study-items')).toBe('2 h');
  testApp.clock.advance(3 * 24 * 3600);
  expect(await ageOn('/category/study-items')).toBe('3 d');
});

test('the game date filter shows the dates of the current week on campus', async () => {
  const firstDay = () => {
    const { from } = resolveGameDateRange('this-week', defaultCampus, testApp.clock.now());
    return new Date(from).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
  };
  const thisWeek = async () =>
    /This Week \(([^)]+)\)/.exec((await fetchPage('/category/game-day')).body)?.[1];
  expect(await thisWeek()).toMatch(new RegExp(`^${firstDay()} – `));
  testApp.clock.advance(7 * 24 * 3600);
  expect(await thisWeek()).toMatch(new RegExp(`^${firstDay()} – `));
});

test('a listing that does not exist returns 404 with its own page', async () => {
  for (const path of ['/listing/none', '/product/none']) {
    const response = await fetchPage(path);
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('Listing Not Found');
    expect(response.body).toContain('Back to Marketplace');
  }
});

test('an unknown path returns 404 with a page, or with a JSON error below the API prefix', async () => {
  const page = await fetchPage('/no/such/page');
  expect(page.statusCode).toBe(404);
  expect(page.body).toContain('Oops! Page not found');
  expect((await fetchPage('/nothing?x=1')).body).toBe(page.body);
  const call = await fetchPage('/rest/v1/nothing');
  expect(call.statusCode).toBe(404);
  expect(call.json()).toMatchObject({ code: 'not_found' });
});

test('an empty category shows its own text, and an unknown category shows a generic one', async () => {
  expect((await fetchPage('/category/rentals')).body).toContain('No rental listings available yet.');
  const generic = await fetchPage('/category/left-shoes');
  expect(generic.statusCode).toBe(200);
  for (const text of ['Left shoes', 'No items found', 'Be the first to list an item in this category!']) {
    expect(generic.body).toContain(text);
  }
});

test.each(['/category/%E2%80%AEgnp%00.evil', '/search?q=%E2%80%AEgnp%00.evil'])(
  'promise 54: %s is shown without direction-changing and control characters',
  async (path) => {
    // The search box contains the text as it was typed.
    const body = (await fetchPage(path)).body.replaceAll(/ value="[^"]*"/g, '');
    expect(body).toMatch(/gnp\.evil/i);
    expect(body).not.toMatch(/\0|\u202E/);
  },
);

test('a tab or line break in the text of a search link separates words', async () => {
  expect((await fetchPage('/search?q=desk%09lamp%0Ablue')).body).toContain('desk lamp blue');
});

test('the data of a page is served for navigation inside the app', async () => {
  const response = await fetchPage(`/listing/${listingSlug}.data`);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain('text/x-script');
  expect(response.body).toContain('Solid oak desk with two drawers');
});

test('promise 35: responses other than pages also have the security headers', async () => {
  const { headers } = await fetchPage('/rest/v1/listings');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  expect(headers['strict-transport-security']).toBeUndefined();
});

test.each(['/search?q=%00', '/listing/%00', '/product/%00', '/category/%00'])(
  '%s, which contains a NUL, does not cause a server error',
  async (path) => {
    expect((await fetchPage(path)).statusCode).toBeLessThan(500);
  },
);

test.each([
  ['/%', 'Oops! Page not found'],
  ['/%E0%A4%A', 'Oops! Page not found'],
  ['/no/such/%zz', 'Oops! Page not found'],
  ['/listing/%E0%A4%A', 'Listing Not Found'],
  ['/product/%', 'Listing Not Found'],
])('%s, a URL with a malformed escape, gets a 404 page', async (path, heading) => {
  const reply = await fetchPage(path);
  expect(reply.statusCode).toBe(404);
  expect(reply.headers['content-type']).toMatch(/^text\/html/);
  expect(reply.body).toContain(heading);
});

test('a call whose URL has a malformed escape returns 404 as JSON', async () => {
  const reply = await fetchPage('/rest/v1/listings/%E0%A4%A');
  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toMatchObject({ code: 'listing_not_found' });
});

test('pages and emails of a campus with a color have its palette', async () => {
  const colors = { brand: '#00457c', frame: { light: '#00457c', dark: '#001c32' } };
  const { config } = testApp.app;
  const colored = await startTestApp({
    replace: { pages: await loadPagesBuild(), config: { ...config, campus: { ...config.campus, colors } } },
  });
  onTestFinished(() => colored.close());
  const { body } = await colored.server.inject({ url: '/' });
  expect(body).toContain('<style>:root{--color-brand:light-dark(#00457c,');
  expect(body).toContain('content="#001c32"');
  const { html = '' } = layOutEmail(
    'ada@usc.edu',
    { subject: '', before: [], highlight: { label: 'Open', url: 'https://quad.test' }, after: [] },
    colored.app.config.campus,
  );
  expect(html).toContain('background:#00457c');
  expect(html).not.toContain('#990000');
});
