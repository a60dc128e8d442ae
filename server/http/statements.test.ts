import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  createActors,
  createFixtures,
  type Fixtures,
  roles,
} from '#server/testing/authorization-fixtures.ts';
import { authorization } from '#server/testing/authorization-table.ts';

/**
 * Number of statements that each call sends to PostgreSQL when it succeeds (or, for log-in attempts, fails), including
 * BEGIN and COMMIT. A rate limit adds one statement per key, and a mail adds one.
 */
const statementsOfCalls: Record<keyof typeof calls, number> = {
  // Accounts
  signup: 5,
  sendVerificationCode: 4,
  sendOtp: 4,
  verifyOtp: 4,
  loginPassword: 2,
  forgotPassword: 3,
  resetPassword: 1,
  // Profiles
  getMe: 1,
  updateMe: 5,
  getUser: 1,
  deleteMe: 18,
  // The export is streamed in several queries (conversations one at a time), so that memory use does not grow with the
  // amount of data.
  downloadMyData: 12,
  // Listings
  // One statement for the page and, when no total is cached, one for the total.
  listListings: 2,
  // One statement finds similar known words, the other the listings that contain them.
  listSimilarMatches: 2,
  suggestListings: 1,
  getListing: 1,
  listSimilar: 1,
  createListing: 6,
  listMyListings: 1,
  getMyListing: 1,
  setListingStatus: 6,
  deleteListing: 8,
  // Conversations
  listConversations: 1,
  countUnread: 1,
  openConversation: 3,
  findConversation: 2,
  getConversation: 1,
  // The participants and the messages are read concurrently.
  listMessages: 2,
  sendMessage: 1,
  markRead: 2,
  notifySellerNewMessage: 4,
  // Forms
  sendReport: 3,
  sendContact: 3,
  requestDataDeletion: 3,
};

/** Number of statements to render each page with a loader, by route id; a cached page sends none. */
const statementsOfPages: Record<string, { path: (fixtures: Fixtures) => string; statements: number }> = {
  'routes/home': { path: () => '/', statements: 1 },
  // The page and its total are read concurrently.
  'routes/category': { path: () => '/category/furniture', statements: 2 },
  // A sample of how common the text is, then the page with the plan that suits it; as it has few matches, the known
  // words that are similar and listings that contain them.
  'routes/search': { path: () => '/search?q=oak', statements: 4 },
  // The listing and similar listings are read concurrently.
  'routes/listing': { path: ({ listing }) => `/listing/${listing.slug}`, statements: 2 },
  'routes/product': { path: ({ listing }) => `/product/${listing.slug}`, statements: 2 },
};

let server: TestApp;
let actors: Actors;
let clientFolder: string;
const sent: string[] = [];

beforeAll(async () => {
  const pages = await loadPagesBuild();
  ({ clientFolder } = pages);
  server = await startTestApp({ deps: { pages }, onStatement: (statement) => sent.push(statement) });
  actors = await createActors(server);
});
afterAll(() => server.close());

const statementsDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  sent.length = 0;
  await work();
  // A new connection reads the PostgreSQL types once, whatever the call.
  return sent.filter((statement) => !statement.includes('pg_catalog.pg_type'));
};

describe('a call sends exactly the expected number of statements', () => {
  test.each(Object.entries(calls))('%s', async (name, { method, path }) => {
    const row = authorization[`${method} ${path}`];
    if (!row) throw new Error(`${method} ${path} has no row in the authorization table`);
    const fixtures = await createFixtures(server, actors);
    const role = roles.findLast((candidate) => row.status[candidate] < 300) ?? 'owner';
    const headers = role === 'visitor' ? {} : actors[role].headers;
    const { params = {}, query, body } = row.request(fixtures);
    const url = path.replace(/\{(\w+)\}/g, (_, param: string) => String(params[param]));
    // This request caches the session check for some seconds, so that it is not counted below.
    await server.app.inject({ url: '/rest/v1/me', headers });
    const statements = await statementsDuring(() =>
      server.app.inject({
        method,
        url: query ? `${url}?${query}` : url,
        headers,
        ...(body && { payload: body }),
      }),
    );
    if (row.final) actors = await createActors(server);
    const allowed = statementsOfCalls[name as keyof typeof calls];
    expect(statements.length, `${name} sent:\n${statements.join('\n')}`).toBe(allowed);
  });
});

describe('a page sends exactly the expected number of statements, and none once it is cached', () => {
  test('every page with a loader has a row', async () => {
    const folder = join(clientFolder, 'assets');
    const manifest = (await readdir(folder)).find((name) => /^manifest-.*\.js$/.test(name)) ?? '';
    const text = await readFile(join(folder, manifest), 'utf8');
    const { routes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const reading = Object.keys(routes).filter((id) => routes[id].hasLoader);
    expect(reading.sort()).toEqual([...Object.keys(statementsOfPages), 'root', 'routes/not-found'].sort());
  });

  test.each(Object.entries(statementsOfPages))('%s', async (_id, { path, statements: allowed }) => {
    const url = path(await createFixtures(server, actors));
    const statements = await statementsDuring(() => server.app.inject({ url }));
    expect(statements.length, statements.join('\n')).toBe(allowed);
    expect(await statementsDuring(() => server.app.inject({ url }))).toEqual([]);
  });

  test.each(['/terms', '/login', '/messages', '/no/such/page', '/category/left-shoes'])(
    '%s sends none',
    async (url) => {
      expect(await statementsDuring(() => server.app.inject({ url }))).toEqual([]);
    },
  );
});
