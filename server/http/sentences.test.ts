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

/** What the schema library says where a schema has no sentence of its own. */
const ofLibrary =
  /\bexpected\b|received|NaN|^Unrecognized|^Too (big|small)|^Invalid (input|option|string|UUID|ISO)\b/;
const wrong = ['', 'x', '-1', '1e9', '%00', 'true', 'a'.repeat(20_000)];

const ask = async (name: string, call: CallShape, change: { query?: string; body?: unknown }) => {
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

const fieldsOf = (schema: unknown): string[] => Object.keys((schema as { shape?: object })?.shape ?? {});

test('a wrong value of a query is refused in the words of the product', async () => {
  const said: string[] = [];
  for (const [name, call] of Object.entries(calls) as [string, CallShape][]) {
    for (const field of fieldsOf(call.query)) {
      for (const value of wrong) said.push(...(await ask(name, call, { query: `${field}=${value}` })));
      said.push(...(await ask(name, call, { query: `${field}=1&${field}=2` })));
    }
  }
  expect(said.length).toBeGreaterThan(20);
  expect(said.filter((line) => ofLibrary.test(line.slice(line.indexOf(': ') + 2)))).toEqual([]);
});

test('a wrong body is refused in the words of the product', async () => {
  const said: string[] = [];
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
    for (const body of bodies) said.push(...(await ask(name, call, { body })));
  }
  expect(said.length).toBeGreaterThan(20);
  expect(said.filter((line) => ofLibrary.test(line.slice(line.indexOf(': ') + 2)))).toEqual([]);
});
