import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';

let testApp: TestApp;
let first: Person;
let second: Person;

beforeAll(async () => {
  testApp = await startTestApp();
});
beforeEach(async () => {
  await testApp.sql`UPDATE private.credentials SET console_role = NULL`;
  first = await signInToConsole(testApp, 'administrator');
  second = await signInToConsole(testApp, 'administrator');
});
afterAll(() => testApp.close());

const send = async (actor: Person, method: 'POST' | 'DELETE', path: string, payload: object) => {
  const url = `/rest/v1/moderation/${path}`;
  const response = await testApp.server.inject({ method, url, headers: actor.headers, payload });
  return { status: response.statusCode, code: response.json().code as string | undefined };
};
type Removal = (actor: Person, person: Person) => ReturnType<typeof send>;
const removals: Record<string, Removal> = {
  suspend: (actor, { userId }) =>
    send(actor, 'POST', `people/${userId}/actions`, { action: 'suspend', days: null, reason: 'Left' }),
  demote: (actor, { userId }) =>
    send(actor, 'POST', `people/${userId}/actions`, { action: 'set_role', role: 'user', reason: 'Left' }),
  delete: (actor, { userId, email }) => send(actor, 'DELETE', `people/${userId}`, { email, reason: 'Left' }),
  'delete themselves': async (_, person) => {
    const { status, body } = await createAccountClient(testApp).deleteAccount(person);
    return { status, code: body.code };
  },
};
const refusal = { status: 409, code: 'last_administrator' };

const listAdministrators = async (): Promise<string[]> => {
  const rows = await testApp.sql<{ user_id: string }[]>`
    SELECT user_id FROM private.credentials WHERE console_role = 'administrator' AND suspended_at IS NULL`;
  return rows.map((row) => row.user_id);
};

/**
 * Starts all actions while it locks both accounts, so that all of them have passed their first checks before one
 * commits.
 */
const runSimultaneously = async <Result>(actions: (() => Promise<Result>)[]): Promise<Result[]> => {
  let started: Promise<Result>[] = [];
  await testApp.sql.begin(async (tx) => {
    await tx`
      SELECT FROM private.credentials WHERE user_id IN (${first.userId}, ${second.userId}) FOR UPDATE`;
    started = actions.map((action) => action());
    await vi.waitFor(
      async () => {
        const waiting = await testApp.sql`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(waiting).toHaveLength(actions.length);
      },
      { interval: 5, timeout: 20_000 },
    );
  });
  return Promise.all(started);
};

const entries = Object.entries(removals);
const pairs = entries.flatMap(([name, one], index) =>
  entries.slice(index).map(([otherName, other]) => ({ names: `${name}, ${otherName}`, one, other })),
);

test.each(pairs)(
  'of two simultaneous removals of the only two administrators ($names), one is refused',
  async ({ one, other }) => {
    const results = await runSimultaneously([() => one(first, second), () => other(second, first)]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(results).toContainEqual(refusal);
    expect(await listAdministrators()).toHaveLength(1);
  },
);

describe('the last administrator', () => {
  beforeEach(async () => {
    await testApp.sql`UPDATE private.credentials SET console_role = 'moderator' WHERE user_id = ${first.userId}`;
  });

  test('cannot delete their account before somebody else is an administrator', async () => {
    const accounts = createAccountClient(testApp);
    expect(await accounts.deleteAccount(second)).toMatchObject({
      status: 409,
      body: { code: 'last_administrator', error: 'There must be at least one administrator.' },
    });
    await testApp.sql`UPDATE private.credentials SET console_role = 'administrator' WHERE user_id = ${first.userId}`;
    expect(await accounts.deleteAccount(second)).toMatchObject({ status: 200 });
    expect(await listAdministrators()).toEqual([first.userId]);
  });

  const openCase = async (person: Person): Promise<string> => {
    const now = testApp.clock.now();
    const [row] = await testApp.sql<{ id: string }[]>`
      INSERT INTO private.moderation_cases (subject, person_id, title, risk, opened_at, updated_at)
      VALUES ('user', ${person.userId}, 'A person', 1, ${now}, ${now}) RETURNING id`;
    return row?.id ?? '';
  };
  const suspension = { action: 'suspend', reason: 'Scam', days: 7 };

  test('cannot be suspended by a case', async () => {
    const id = await openCase(second);
    const suspend = () => send(first, 'POST', `cases/${id}/actions`, suspension);
    expect(await suspend()).toEqual({ status: 403, code: 'administrator_required' });
    // The other administrator has not confirmed the email address and thus cannot log in, so the person to be
    // suspended is still the last administrator.
    await testApp.sql`
      UPDATE private.credentials SET console_role = 'administrator', confirmed_at = NULL WHERE user_id = ${first.userId}`;
    expect(await suspend()).toEqual(refusal);
    await testApp.sql`UPDATE private.credentials SET console_role = NULL WHERE user_id = ${first.userId}`;
    expect(await listAdministrators()).toEqual([second.userId]);
  });

  test('is not suspended by a pending case action if the other administrator lost the role meanwhile', async () => {
    await testApp.sql`UPDATE private.credentials SET console_role = 'administrator' WHERE user_id = ${first.userId}`;
    const id = await openCase(second);
    expect(await send(first, 'POST', `cases/${id}/actions`, suspension)).toMatchObject({ status: 200 });
    await testApp.sql`UPDATE private.credentials SET console_role = NULL WHERE user_id = ${first.userId}`;
    await applyModerationActions(testApp);
    expect(await listAdministrators()).toEqual([second.userId]);
    const [state] = await testApp.sql`
      SELECT c.resolved_at, a.applied_at, a.undone_at FROM private.moderation_cases c
      JOIN private.moderation_actions a ON a.case_id = c.id WHERE c.id = ${id}`;
    expect(state).toEqual({ resolved_at: null, applied_at: null, undone_at: testApp.clock.now() });
  });

  test('is still the last one if all other administrators are suspended or unconfirmed', async () => {
    const third = await signInToConsole(testApp, 'administrator');
    await testApp.sql`
      UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${third.userId}`;
    const fourth = await signInToConsole(testApp, 'administrator');
    await testApp.sql`UPDATE private.credentials SET confirmed_at = NULL WHERE user_id = ${fourth.userId}`;
    const accounts = createAccountClient(testApp);
    expect(await accounts.deleteAccount(second)).toMatchObject({ status: 409 });
  });
});
