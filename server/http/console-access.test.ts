import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import { type ConsoleRole, consoleRoles } from '#contract/console.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { grantConsoleRole, signInToConsole } from '#server/testing/console.ts';

const callsWithRole = Object.entries(allCalls as Record<string, CallDeclaration>).filter(([, { access }]) =>
  consoleRoles.some((role) => role === access),
);

let testApp: TestApp;
let people: Record<ConsoleRole | 'user' | 'withoutSecondFactor', Person>;
beforeAll(async () => {
  testApp = await startTestApp();
  people = {
    user: await testApp.signIn(),
    moderator: await signInToConsole(testApp, 'moderator'),
    administrator: await signInToConsole(testApp, 'administrator'),
    withoutSecondFactor: await testApp.signIn(),
  };
  await grantConsoleRole(testApp, people.withoutSecondFactor, 'administrator', { secondFactor: false });
});
afterAll(() => testApp.close());

/** Sends a call with ids that do not exist and without a body, and returns the code of its error. */
const send = async ({ method, path }: CallDeclaration, person?: Person) => {
  const url = path.replace(/\{\w+\}/g, () => randomUUID());
  const reply = await testApp.server.inject({ method, url, headers: person?.headers ?? {} });
  return { status: reply.statusCode, code: reply.body.startsWith('{') ? reply.json().code : undefined };
};

test.each(callsWithRole)(
  'promise 82: %s refuses visitors, users, insufficient roles and sessions without a second factor',
  async (_, call) => {
    expect(await send(call)).toEqual({ status: 401, code: 'not_authenticated' });
    expect(await send(call, people.user)).toEqual({ status: 403, code: 'role_required' });
    expect(await send(call, people.withoutSecondFactor)).toEqual({
      status: 403,
      code: 'second_factor_required',
    });
    const forModerator = await send(call, people.moderator);
    if (call.access === 'administrator') expect(forModerator).toEqual({ status: 403, code: 'role_required' });
    else expect([401, 403]).not.toContain(forModerator.status);
    expect([401, 403]).not.toContain((await send(call, people.administrator)).status);
  },
);

test('every call under /rest/v1/moderation needs a role, and removing a role takes effect at once', async () => {
  const open = Object.values(allCalls as Record<string, CallDeclaration>).filter(
    ({ path, access }) =>
      path.startsWith('/rest/v1/moderation') && !consoleRoles.some((role) => role === access),
  );
  expect(open).toEqual([]);
  const person = await signInToConsole(testApp, 'moderator');
  expect(await send(calls.getConsoleAccess, person)).toMatchObject({ status: 200 });
  await testApp.sql`UPDATE private.credentials SET console_role = NULL WHERE user_id = ${person.userId}`;
  expect(await send(calls.getConsoleAccess, person)).toMatchObject({ status: 403 });
});
