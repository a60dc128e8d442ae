import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { allCalls } from '#contract/all-calls.ts';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { defaultCampus } from '#contract/campus.ts';
import { isConsoleRole } from '#contract/console.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type AuthorizationFixtures,
  createActors,
  createAuthorizationFixtures,
} from '#server/testing/authorization-fixtures.ts';
import { toRouteName } from '#server/testing/authorization-requests.ts';
import { authorizationTable } from '#server/testing/authorization-table.ts';
import { signInToConsole } from '#server/testing/console.ts';
import {
  createWorstCaseText,
  listTextFields,
  measureJsonBytes,
  measureUrlLength,
  replaceAt,
  worstCaseUnits,
} from '#server/testing/worst-case-texts.ts';
import { maxCredentialBodyBytes, maxJsonBodyBytes } from './http-server-options.ts';

/**
 * Maximum CPU time of the server's thread per request, in ms. CPU time does not depend on how busy the machine is, and
 * it is at least the time for which the request blocks others.
 */
const maxCpuMs = 250;
/** Length of the request line up to which the server accepts a request, with some space for headers. */
const maxUrlLength = 12_000;
const kinds = Object.keys(worstCaseUnits);

let testApp: TestApp;
let fixtures: AuthorizationFixtures;
let userHeaders: Record<string, string>;
let consoleHeaders: Record<string, string>;

beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  const actors = await createActors(testApp);
  fixtures = await createAuthorizationFixtures(testApp, actors);
  userHeaders = actors.owner.headers;
  consoleHeaders = (await signInToConsole(testApp, 'administrator')).headers;
});
afterAll(() => testApp.close());

/** Sends a request, and expects that it takes little CPU time. Returns its status. */
const expectQuickResponse = async (request: InjectOptions, what: string): Promise<number> => {
  const before = process.threadCpuUsage();
  const { statusCode } = await testApp.server.inject(request);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000, `CPU time in ms of ${what}`).toBeLessThan(maxCpuMs);
  return statusCode;
};

const resolveBody = ({ body }: CallDeclaration): z.ZodType | undefined =>
  typeof body === 'function' ? body('2026-03-02', defaultCampus) : body;

/** Returns the longest text of a kind that the schema accepts at the path, so that the handler receives it. */
const findAcceptedText = (schema: z.ZodType, base: unknown, path: string[], kind: string) =>
  [4000, 2000, 1000, 500, 200, 120, 100, 60, 30, 10]
    .map((length) => createWorstCaseText(kind, length))
    .find((text) => schema.safeParse(replaceAt(base, path, text)).success);

const describeCall = (call: CallDeclaration) => {
  const name = `${call.method} ${call.path}`;
  const row = Object.entries(authorizationTable).find(([key]) => toRouteName(key) === name)?.[1];
  const { params = {}, body = {}, query = '' } = row?.request(fixtures) ?? {};
  const toUrl = (values: Record<string, string>, search: string) =>
    call.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? '')) +
    (search && `?${search}`);
  const headers = isConsoleRole(call.access) ? consoleHeaders : userHeaders;
  return { params, body, query, toUrl, headers };
};

const callsByName = Object.values<CallDeclaration>(allCalls)
  // Calls that may delete what the others need run last.
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  .map((call) => [`${call.method} ${call.path}`, call] as const);

describe('no text blocks the server', () => {
  test.each(callsByName.filter(([, { body }]) => body))('in the body of %s', async (_name, call) => {
    const { params, body, query, toUrl, headers } = describeCall(call);
    const url = toUrl(params, query);
    const schema = resolveBody(call);
    if (!schema) return;
    const limit = (call.access === 'anyone' ? maxCredentialBodyBytes : maxJsonBodyBytes) - 2000;
    for (const path of listTextFields(schema)) {
      for (const kind of kinds) {
        const texts = [
          createWorstCaseText(kind, limit, measureJsonBytes),
          findAcceptedText(schema, body, path, kind),
        ];
        for (const text of texts) {
          if (text === undefined) continue;
          const payload = replaceAt(body, path, text) as object;
          const what = `${path.join('.')} with ${text.length} characters: ${kind}`;
          const status = await expectQuickResponse({ method: call.method, url, headers, payload }, what);
          const unexpected = call.access === 'anyone' ? [413, 500] : [401, 413, 500];
          expect(status, `${what} did not reach the validation`).not.toBeOneOf(unexpected);
        }
      }
    }
  });

  test.each(callsByName.filter(([, { query }]) => query))('in the query of %s', async (_name, call) => {
    const { params, toUrl, headers } = describeCall(call);
    if (!call.query) return;
    for (const [field = ''] of listTextFields(call.query)) {
      for (const kind of kinds) {
        const text = createWorstCaseText(kind, maxUrlLength, measureUrlLength);
        const url = toUrl(params, new URLSearchParams({ [field]: text }).toString());
        await expectQuickResponse({ method: call.method, url, headers }, `${field}: ${kind}`);
      }
    }
  });

  test.each(callsByName.filter(([, { path }]) => path.includes('{')))(
    'in the path of %s',
    async (_name, call) => {
      const { params, body, toUrl, headers } = describeCall(call);
      for (const field of Object.keys(params)) {
        for (const kind of kinds) {
          const text = createWorstCaseText(kind, maxUrlLength, measureUrlLength);
          const url = toUrl({ ...params, [field]: text }, '');
          const payload = call.body ? { payload: body } : {};
          await expectQuickResponse({ method: call.method, url, headers, ...payload }, `${field}: ${kind}`);
        }
      }
    },
  );

  test.each([
    '/TEXT',
    '/search?q=TEXT',
    '/listing/TEXT',
    '/category/TEXT',
    '/users/TEXT',
    '/reset-password/TEXT',
  ])('in the URL of the page %s', async (pattern) => {
    // The first page takes longer, because it compiles the code that renders pages.
    await testApp.server.inject({ url: pattern });
    for (const kind of kinds) {
      const text = createWorstCaseText(kind, maxUrlLength, measureUrlLength);
      await expectQuickResponse({ url: pattern.replace('TEXT', encodeURIComponent(text)) }, kind);
    }
  });

  const headerNames = [
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'content-type',
    'cookie',
  ];
  test.each([...headerNames, 'if-none-match', 'origin', 'range', 'referer', 'user-agent', 'x-forwarded-for'])(
    'in the header %s',
    async (name) => {
      // Header values are limited to printable ASCII characters here, which is what attackers can send.
      for (const kind of kinds.filter((it) => /^[ -~]+$/.test(worstCaseUnits[it]?.unit ?? ''))) {
        const value = createWorstCaseText(kind, maxUrlLength).trim();
        const headers = { ...userHeaders, [name]: name === 'authorization' ? `Bearer ${value}` : value };
        await expectQuickResponse({ url: '/rest/v1/me', headers }, `${name}: ${kind}`);
        const payload = JSON.stringify({ email: 'someone@usc.edu', password: 'wrong-password-1' });
        const logIn = { method: 'POST', url: '/functions/v1/login-password', payload } as const;
        await expectQuickResponse(
          { ...logIn, headers: { 'content-type': 'application/json', ...headers } },
          `${name}: ${kind}`,
        );
      }
    },
  );
});
