import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { saveListing } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ deps: { pages: await loadPagesBuild() } });
});
afterAll(() => server.close());

/** The text of a page, without tags, scripts and comments. */
const fetchText = async (url: string): Promise<string> => {
  const { statusCode, body } = await server.app.inject({ url });
  expect(statusCode).toBe(200);
  return body
    .replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
};

describe('the text about a seller certifies only what was verified', () => {
  test.each([
    ['Student', 'usc.edu', 'Verified USC Student'],
    ['Staff', 'usc.edu', 'Verified USC Email · Staff'],
    ['Alumni', 'usc.edu', 'Verified USC Email · Alumni'],
    [null, 'usc.edu', 'Verified USC Email'],
    ['Staff', 'elsewhere.example', 'USC Community Member'],
  ])('role %s at %s: %s', async (role, domain, expected) => {
    const seller = await server.signIn({ email: `seller-${role}@${domain}`.toLowerCase() });
    await server.sql`UPDATE users SET role = ${role} WHERE id = ${seller.userId}`;
    const { body } = await saveListing(server, seller);
    const text = await fetchText(`/product/${body.listing.slug}`);
    expect(text).toContain(expected);
    expect(text).not.toMatch(/Verified USC (Staff|Alumni)/);
  });
});

test('the Safety page promises no ratings or reviews', async () => {
  const text = await fetchText('/safety');
  expect(text).toContain('has confirmed a USC email address');
  expect(text).not.toMatch(/\b(ratings?|reviews?|stars?)\b/i);
});

test('the Privacy page names what browsers keep, security events and how long things are kept', async () => {
  const text = await fetchText('/privacy');
  for (const named of [
    'drafts of messages',
    'messages that wait for the connection',
    'copies of public pages',
    'Security events of your account',
    'Security events are kept for 90 days',
    'is kept for two years after we have dealt with it',
    'removed after 30 days',
  ])
    expect(text).toContain(named);
});

test('the page about a forgotten password mentions the code', async () => {
  expect(await fetchText('/forgot-password')).toContain('Email me a code');
});
