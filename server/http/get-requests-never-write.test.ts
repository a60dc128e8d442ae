import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  type AuthorizationFixtures,
  type CallerRole,
  callerRoles,
  createActors,
  createAuthorizationFixtures,
  digestDatabase,
} from '#server/testing/authorization-fixtures.ts';
import { authorizationTable } from '#server/testing/authorization-table.ts';

let testApp: TestApp;
let actors: Actors;
let fixtures: AuthorizationFixtures;

beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  actors = await createActors(testApp);
  fixtures = await createAuthorizationFixtures(testApp, actors);
});
afterAll(() => testApp.close());

const getHeaders = (role: CallerRole): Record<string, string> =>
  role === 'visitor' ? {} : actors[role].headers;

/** Requests a URL as every role; expects a status below 500 and no change in the database. */
const expectNoChange = async (url: string): Promise<void> => {
  // The first request of a session updates the session's row. Send one now, so that the comparison
  // below does not attribute that change to the tested call.
  for (const role of callerRoles)
    await testApp.server.inject({ url: '/rest/v1/me', headers: getHeaders(role) });
  const before = await digestDatabase(testApp);
  for (const role of callerRoles) {
    const reply = await testApp.server.inject({ url, headers: getHeaders(role) });
    expect(reply.statusCode, `${url} for ${role}`).toBeLessThan(500);
    expect(await digestDatabase(testApp), `${url} for ${role}`).toBe(before);
  }
};

const getRouteNames = Object.keys(authorizationTable).filter((name) => name.startsWith('GET '));

describe('promise 56: GET requests never write', () => {
  test('promise 56: the table contains every call that reads', () => {
    const gets = Object.values(allCalls).filter(({ method }) => method === 'GET');
    expect(gets.map(({ path }) => `GET ${path}`).filter((name) => !getRouteNames.includes(name))).toEqual([]);
  });

  test.each(getRouteNames)('promise 56: %s changes no row', async (name) => {
    const row = authorizationTable[name];
    const path = /^GET (\S+)/.exec(name)?.[1] ?? '';
    const { params = {}, query } = row?.request(fixtures) ?? {};
    const url = path.replace(/\{([\w*]+)\}/g, (_, param: string) => String(params[param]));
    await expectNoChange(query ? `${url}?${query}` : url);
  });

  test.each([
    '/',
    '/category/game-day',
    '/category/textbooks?sort=price',
    '/search?q=desk',
    '/listing/{slug}',
    '/product/{slug}',
    '/listing/{slug}?message=1',
    '/users/{owner}',
    '/listing/no-such-listing',
    ...privateScreenPaths,
    '/login',
    '/signup',
    '/reset-password/guessed',
    '/safety',
    '/sitemap.xml',
    '/no/such/page',
  ])('promise 56: opening %s changes no row', async (path) => {
    await expectNoChange(
      path.replace('{slug}', fixtures.listing.slug).replace('{owner}', fixtures.owner.userId),
    );
  });
});
