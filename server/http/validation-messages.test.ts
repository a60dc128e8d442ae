import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  type AuthorizationFixtures,
  callerRoles,
  createActors,
  createAuthorizationFixtures,
} from '#server/testing/authorization-fixtures.ts';
import { authorizationTable } from '#server/testing/authorization-table.ts';

let testApp: TestApp;
let actors: Actors;
let fixtures: AuthorizationFixtures;

beforeAll(async () => {
  testApp = await startTestApp();
  actors = await createActors(testApp);
  fixtures = await createAuthorizationFixtures(testApp, actors);
});
afterAll(() => testApp.close());

/** Matches the default messages of the schema library, which appear where a schema defines no message. */
const libraryMessagePattern =
  /\bexpected\b|received|NaN|^Unrecognized|^Too (big|small)|^Invalid (input|option|string|UUID|ISO)\b/;
const invalidQueryValues = ['', 'x', '-1', '1e9', '%00', 'true', 'a'.repeat(20_000)];

const collectErrorMessages = async (
  name: string,
  call: CallDeclaration,
  change: { query?: string; body?: unknown },
) => {
  const row = authorizationTable[`${call.method} ${call.path}`];
  const role = callerRoles.findLast((candidate) => (row?.status[candidate] ?? 500) < 300) ?? 'owner';
  const { params = {} } = row?.request(fixtures) ?? {};
  const url = call.path.replace(/\{(\w+)\}/g, (_, param: string) => String(params[param]));
  const reply = await testApp.server.inject({
    method: call.method,
    url: change.query ? `${url}?${change.query}` : url,
    headers: role === 'visitor' ? {} : actors[role].headers,
    ...(change.body === undefined ? {} : { payload: change.body as object }),
  });
  if (reply.statusCode !== 400) return [];
  const { error, fields = {} } = reply.json();
  return [error, ...Object.values(fields)].map((sentence) => `${name}: ${sentence}`);
};

const listSchemaFields = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object })?.shape ?? {});

test('an invalid query value is refused with a message of our own, not of the schema library', async () => {
  const messages: string[] = [];
  for (const [name, call] of Object.entries(allCalls) as [string, CallDeclaration][]) {
    for (const field of listSchemaFields(call.query)) {
      for (const value of invalidQueryValues)
        messages.push(...(await collectErrorMessages(name, call, { query: `${field}=${value}` })));
      messages.push(...(await collectErrorMessages(name, call, { query: `${field}=1&${field}=2` })));
    }
  }
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((line) => libraryMessagePattern.test(line.slice(line.indexOf(': ') + 2)))).toEqual(
    [],
  );
});

test('an invalid body is refused with a message of our own, not of the schema library', async () => {
  const messages: string[] = [];
  for (const [name, call] of Object.entries(allCalls) as [string, CallDeclaration][]) {
    const row = authorizationTable[`${call.method} ${call.path}`];
    if (!call.body || row?.final) continue;
    const good = row?.request(fixtures).body ?? {};
    const bodies = [
      {},
      [],
      ...Object.keys(good).flatMap((key) => [
        { ...good, [key]: {} },
        { ...good, [key]: 7 },
      ]),
    ];
    for (const body of bodies) messages.push(...(await collectErrorMessages(name, call, { body })));
  }
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((line) => libraryMessagePattern.test(line.slice(line.indexOf(': ') + 2)))).toEqual(
    [],
  );
});
