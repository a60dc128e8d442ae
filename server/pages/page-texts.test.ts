import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
});
afterAll(() => testApp.close());

/** Returns the text of a page, without tags, scripts and comments. */
const fetchVisibleText = async (url: string): Promise<string> => {
  const { statusCode, body } = await testApp.server.inject({ url });
  expect(statusCode).toBe(200);
  return body
    .replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
};

describe('the text on a listing page certifies only what was verified', () => {
  test.each([
    ['Student', 'usc.edu', 'Verified USC Student'],
    ['Staff', 'usc.edu', 'Verified USC Email · Staff'],
    ['Alumni', 'usc.edu', 'Verified USC Email · Alumni'],
    [null, 'usc.edu', 'Verified USC Email'],
    ['Staff', 'elsewhere.example', 'USC Community Member'],
  ])('for a seller with role %s at %s: %s', async (role, domain, expected) => {
    const seller = await testApp.signIn({ email: `seller-${role}@${domain}`.toLowerCase() });
    await testApp.sql`UPDATE users SET role = ${role} WHERE id = ${seller.userId}`;
    const { body } = await submitListingForm(testApp, seller);
    const text = await fetchVisibleText(`/product/${body.listing.slug}`);
    expect(text).toContain(expected);
    expect(text).not.toMatch(/Verified USC (Staff|Alumni)/);
  });
});

test('the Safety page explains what the badge and a rating mean', async () => {
  const text = await fetchVisibleText('/safety');
  expect(text).toContain('has confirmed a USC email address');
  expect(text).toContain('Ratings come from people who completed a deal with them');
});

test('the Privacy page names data stored in browsers, security events and retention periods', async () => {
  const text = await fetchVisibleText('/privacy');
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

test('the forgotten-password page offers to email a code', async () => {
  expect(await fetchVisibleText('/forgot-password')).toContain('Email me a code');
});
