import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallShape, calls } from '#contract/calls.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  createActors,
  createFixtures,
  type Fixtures,
  roles,
} from '#server/testing/authorization-fixtures.ts';
import { authorization } from '#server/testing/authorization-table.ts';

let quad: TestApp;
let actors: Actors;
let fixtures: Fixtures;

beforeAll(async () => {
  quad = await startTestApp();
  actors = await createActors(quad);
  fixtures = await createFixtures(quad, actors);
});
afterAll(() => quad.close());

/** Matches the default messages of the schema library, which appear where a schema defines no message. */
const libraryMessagePattern =
  /\bexpected\b|received|NaN|^Unrecognized|^Too (big|small)|^Invalid (input|option|string|UUID|ISO)\b/;
const wrongValues = ['', 'x', '-1', '1e9', '%00', 'true', 'a'.repeat(20_000)];

const collectMessages = async (name: string, call: CallShape, change: { query?: string; body?: unknown }) => {
  const row = authorization[`${call.method} ${call.path}`];
  const role = roles.findLast((candidate) => (row?.status[candidate] ?? 500) < 300) ?? 'owner';
  const { params = {} } = row?.request(fixtures) ?? {};
  const url = call.path.replace(/\{(\w+)\}/g, (_, param: string) => String(params[param]));
  const reply = await quad.app.inject({
    method: call.method,
    url: change.query ? `${url}?${change.query}` : url,
    headers: role === 'visitor' ? {} : actors[role].headers,
    ...(change.body === undefined ? {} : { payload: change.body as object }),
  });
  if (reply.statusCode !== 400) return [];
  const { error, fields = {} } = reply.json();
  return [error, ...Object.values(fields)].map((sentence) => `${name}: ${sentence}`);
};

const listFields = (schema: unknown): string[] => Object.keys((schema as { shape?: object })?.shape ?? {});

test('a wrong query value is refused with a message of ours, not of the schema library', async () => {
  const messages: string[] = [];
  for (const [name, call] of Object.entries(calls) as [string, CallShape][]) {
    for (const field of listFields(call.query)) {
      for (const value of wrongValues)
        messages.push(...(await collectMessages(name, call, { query: `${field}=${value}` })));
      messages.push(...(await collectMessages(name, call, { query: `${field}=1&${field}=2` })));
    }
  }
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((line) => libraryMessagePattern.test(line.slice(line.indexOf(': ') + 2)))).toEqual(
    [],
  );
});

test('a wrong body is refused with a message of ours, not of the schema library', async () => {
  const messages: string[] = [];
  for (const [name, call] of Object.entries(calls) as [string, CallShape][]) {
    const row = authorization[`${call.method} ${call.path}`];
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
    for (const body of bodies) messages.push(...(await collectMessages(name, call, { body })));
  }
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((line) => libraryMessagePattern.test(line.slice(line.indexOf(': ') + 2)))).toEqual(
    [],
  );
});
