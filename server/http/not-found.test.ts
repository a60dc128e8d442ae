import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { errorCatalog } from '#contract/errors.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createNonexistentFixtures } from '#server/testing/authorization-fixtures.ts';
import { sendTableRequest } from '#server/testing/authorization-requests.ts';
import { authorizationTable, type RequestParts } from '#server/testing/authorization-table.ts';
import { signInToConsole } from '#server/testing/console.ts';

let testApp: TestApp;
let administrator: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  administrator = await signInToConsole(testApp, 'administrator');
});
afterAll(() => testApp.close());

const callsWithNotFound = Object.values<CallDeclaration>(allCalls)
  .filter(({ notFound, path }) => notFound && path.includes('{'))
  .map((call) => ({ ...call, name: `${call.method} ${call.path}` }));

/** These calls succeed without what does not exist: there is nothing to remove, or nothing known about a book. */
const callsWithoutNotFound = new Set([
  'DELETE /rest/v1/me/saved-listings/{listing_id}',
  'DELETE /rest/v1/me/saved-searches/{id}',
  'DELETE /rest/v1/me/blocks/{user_id}',
  'GET /rest/v1/books/{isbn}',
]);

/**
 * Sends the request of a call's row in the authorization table as an administrator, with ids that do not exist, or
 * with other path parameters.
 */
const send = async (name: string, params?: RequestParts['params']) => {
  const row = authorizationTable[name];
  if (!row) throw new Error(`${name} has no row`);
  const fixtures = createNonexistentFixtures();
  const parts = { ...row.request(fixtures), ...(params && { params }) };
  const { headers } = administrator;
  const { status, text } = await sendTableRequest(testApp, name, { request: () => parts }, fixtures, headers);
  return { status, code: JSON.parse(text).code };
};

/** Without parameters, the path contains `undefined`, which is not an id. */
const noParams = {};

test.each(callsWithNotFound)(
  'returns the documented error for an id that does not exist: $name',
  async ({ name, notFound = 'not_found' }) => {
    const expected = { status: errorCatalog[notFound].status, code: notFound };
    expect(await send(name, noParams)).toEqual(expected);
    if (callsWithoutNotFound.has(name)) expect((await send(name)).status).toBe(200);
    else expect(await send(name)).toEqual(expected);
  },
);
