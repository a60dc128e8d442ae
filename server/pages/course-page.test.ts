import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let testApp: TestApp;
let seller: Person;
let administrator: Person;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  seller = await testApp.signIn();
  administrator = await signInToConsole(testApp, 'administrator');
});
afterAll(() => testApp.close());

const fetchPage = (url: string) => testApp.server.inject({ url });
const importCourses = (csv: string) =>
  expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/moderation/courses',
      headers: administrator.headers,
      payload: { csv, reason: 'A new term' },
    }),
  );
const offer = async (form: object) =>
  (await submitListingForm(testApp, seller, { category: 'textbooks', ...form })).body.listing;

test('the page of a course is cached, lists its books and offers, and follows changes of both at once', async () => {
  expect((await fetchPage('/course/MATH-125')).statusCode).toBe(404);
  await importCourses('MATH 125,Calculus I,Fall 2026');
  const empty = await fetchPage('/course/MATH-125');
  expect(empty.statusCode).toBe(200);
  expect(empty.body).toContain('No books for this course right now');
  expect(empty.body).toContain('noindex');
  await fetchPage('/course/MATH-125');
  const { slug } = await offer({ title: 'Calculus, hardly used', course: 'math125' });
  const { body } = await fetchPage('/course/MATH-125');
  expect(body).toContain(`href="/product/${slug}"`);
  expect(body).toContain('Calculus I · Fall 2026');
  const structured = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(body)?.[1] ?? '');
  expect(structured).toMatchObject({
    about: { '@type': 'Course', courseCode: 'MATH 125', name: 'Calculus I' },
    mainEntity: { itemListElement: [{ position: 1, name: 'Calculus, hardly used' }] },
  });
  await testApp.sql`INSERT INTO books (isbn, title) VALUES ('9781285740621', 'Calculus by Stewart')`;
  await importCourses('MATH 125,Calculus One,,9781285740621');
  const changed = (await fetchPage('/course/MATH-125')).body;
  expect(changed).toContain('Calculus One');
  expect(changed).toContain('Calculus by Stewart');
  expect((await fetchPage('/sitemap.xml')).body).toContain('/course/MATH-125</loc>');
});

test.each(['/course/math125', '/course/MATH%20125', '/course/math-125'])(
  '%s leads to the one address of the course',
  async (url) => {
    await importCourses('MATH 125,Calculus I');
    const { statusCode, headers } = await fetchPage(url);
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 301,
      location: '/course/MATH-125',
    });
  },
);

test('an unknown course has a helpful page, and one that only listings name has its own', async () => {
  const missing = await fetchPage('/course/BISC-220');
  expect(missing.statusCode).toBe(404);
  expect(missing.body).toContain('Course not found');
  expect(missing.body).toContain('href="/category/textbooks"');
  const { slug } = await offer({ title: 'Biology, tenth edition', course: 'BISC 220' });
  expect((await fetchPage('/course/BISC-220')).body).toContain(`href="/product/${slug}"`);
});
