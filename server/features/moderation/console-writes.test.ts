import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleCalls } from '#contract/console-calls.ts';
import { maxFormReplies } from '#contract/console-forms.ts';
import { parameterlessPersonActions } from '#contract/console-people.ts';
import { addDefaultMeetingSpots } from '#server/features/handovers/public.ts';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';

let testApp: TestApp;
let administrator: Person;
let person: Person;
let form: string;

beforeAll(async () => {
  testApp = await startTestApp();
  administrator = await signInToConsole(testApp, 'administrator');
});
beforeEach(async () => {
  person = await testApp.signIn({ fullName: 'Pia Person' });
  form = await sendForm();
});
afterAll(() => testApp.close());

const sendForm = async (): Promise<string> => {
  testApp.clock.advance(1);
  const content = { name: 'Pia', email: person.email, topic: 'Other', message: 'Where is my lamp?' };
  await expectOk(testApp.server.inject({ method: 'POST', url: '/rest/v1/forms/contact', payload: content }));
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.forms ORDER BY created_at DESC, id LIMIT 1`;
  return row?.id ?? '';
};
const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
  const response = await testApp.server.inject({
    method,
    url: `/rest/v1/moderation/${path}`,
    headers: administrator.headers,
    ...(payload && { payload }),
  });
  return { status: response.statusCode, body: response.json() };
};
const act = (id: string, body: object) =>
  call('POST', `people/${id}/actions`, { reason: 'Asked by phone', ...body });
const findSpot = async (): Promise<string> => {
  await testApp.sql`DELETE FROM meeting_spots`;
  await addDefaultMeetingSpots(testApp.sql, { domain: 'usc.edu' });
  return (await call('GET', 'spots')).body.items[0].id;
};

const noFacts = {
  landmark: null,
  is_indoors: null,
  is_lit: null,
  has_camera_or_phone: null,
  opening_hours: null,
};
const times = { begins_at: '2026-03-02T10:00:00.000Z', ends_at: '2026-03-03T10:00:00.000Z' };

type CallName = keyof typeof consoleCalls;
/** One request for each call of the console that changes data. */
const writes: Partial<Record<CallName, (reason: string) => Promise<{ status: number }>>> = {
  createPerson: (reason) => call('POST', 'people', { email: `${randomUUID()}@usc.edu`, reason }),
  actOnPerson: (reason) => act(person.userId, { action: 'verify', reason }),
  deletePerson: (reason) => call('DELETE', `people/${person.userId}`, { email: person.email, reason }),
  changeForm: (reason) => call('PATCH', `forms/${form}`, { done: true, reason }),
  answerForm: (reason) =>
    call('POST', `forms/${form}/answers`, { id: randomUUID(), text: 'At the desk', reason }),
  addSpot: (reason) => call('POST', 'spots', { name: `Gate ${randomUUID()}`, ...noFacts, reason }),
  changeSpot: async (reason) =>
    call('PATCH', `spots/${await findSpot()}`, { landmark: 'The fountain', reason }),
  confirmSpot: async (reason) => call('POST', `spots/${await findSpot()}/confirm`, { reason }),
  removeSpot: async (reason) => call('DELETE', `spots/${await findSpot()}`, { reason }),
  setAnnouncement: (reason) => call('PUT', 'announcement', { text: 'Closed on Friday', ...times, reason }),
  removeAnnouncement: async (reason) => {
    await call('PUT', 'announcement', { text: 'Closed on Friday', ...times, reason: 'Holiday' });
    return call('DELETE', 'announcement', { reason });
  },
  importCourses: (reason) => call('POST', 'courses', { csv: 'MATH 125,Calculus', reason }),
  removeCourse: async (reason) => {
    await call('POST', 'courses', { csv: 'MATH 126,Calculus II', reason: 'A new term' });
    return call('DELETE', 'courses/MATH%20126', { reason });
  },
  removeDemoData: (reason) => call('DELETE', 'demo-data', { reason }),
  chooseAction: async (reason) => {
    const now = testApp.clock.now();
    const [row] = await testApp.sql<{ id: string }[]>`
      INSERT INTO private.moderation_cases (subject, subject_id, title, risk, opened_at, updated_at)
      VALUES ('message', gen_random_uuid(), 'A message', 1, ${now}, ${now}) RETURNING id`;
    const response = await call('POST', `cases/${row?.id}/actions`, { action: 'dismiss', reason });
    // The action takes effect, and is audited, when it can no longer be undone.
    await applyModerationActions(testApp);
    return response;
  },
};
/** These calls only reserve a case or undo an action before it takes effect, so they leave no audit entry. */
const callsWithoutEffect: readonly CallName[] = ['assignCase', 'undoAction'];

const listReasons = (reason: string) =>
  testApp.sql<{ actor: string }[]>`SELECT actor FROM private.security_events WHERE reason = ${reason}`;

describe('promise 85: every console call that writes leaves an audit entry with the actor and the reason', () => {
  test('this test covers every console call that writes', () => {
    const writing = Object.entries(consoleCalls).filter(([, { method }]) => (method as string) !== 'GET');
    expect([...Object.keys(writes), ...callsWithoutEffect].sort()).toEqual(
      writing.map(([name]) => name).sort(),
    );
  });

  test.each(Object.entries(writes))('%s', async (_name, send) => {
    const reason = `Because of ${randomUUID()}`;
    expect((await send(reason)).status).toBe(200);
    const entries = await listReasons(reason);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.map(({ actor }) => actor)).toEqual(entries.map(() => administrator.userId));
  });

  test.each(Object.entries(writes))('%s refuses an empty reason', async (name, send) => {
    expect((await send('')).status, name).toBe(400);
    expect(await listReasons('')).toEqual([]);
  });
});

const listTitles = async (who: Pick<Person, 'headers'>): Promise<string[]> => {
  await testApp.jobs.runAll();
  const { items } = await expectOk(
    testApp.server.inject({ url: '/rest/v1/notifications', headers: who.headers }),
  );
  return items.map(({ title }: { title: string }) => title);
};

describe('promise 85: the affected person is notified', () => {
  test.each([
    ['verify', {}, 'You have the verified badge'],
    ['remove_badge', {}, 'The verified badge was removed from your account'],
    ['set_role', { role: 'moderator' }, 'You are a moderator now'],
  ])('of the action %s, in the app', async (action, more, title) => {
    if (action === 'verify') await act(person.userId, { action: 'remove_badge' });
    expect((await act(person.userId, { action, ...more })).status).toBe(200);
    expect(await listTitles(person)).toContain(title);
  });

  test('of a new role, but not of the role that the person has already', async () => {
    for (const role of ['user', 'moderator', 'moderator'])
      expect((await act(person.userId, { action: 'set_role', role })).status).toBe(200);
    expect(await listTitles(person)).toEqual(['You are a moderator now']);
    const entries = await testApp.sql<{ detail: string }[]>`
      SELECT detail FROM private.security_events WHERE user_id = ${person.userId} AND event = 'role_changed'`;
    expect(entries.map(({ detail }) => detail)).toEqual(['moderator']);
  });

  test('of a temporary suspension and its lifting, by email with reason and end', async () => {
    const until = new Date(testApp.clock.now().getTime() + 3 * 24 * 3600_000).toISOString();
    const suspended = await act(person.userId, { action: 'suspend', days: 3 });
    expect(suspended.body).toMatchObject({ suspended_until: until, sessions: 0 });
    expect(testApp.mails.at(-1)).toMatchObject({
      kind: 'account_suspended',
      to: person.email,
      until,
      reason: 'Asked by phone',
    });
    expect((await act(person.userId, { action: 'lift' })).body).toMatchObject({ suspended_at: null });
    expect(testApp.mails.at(-1)).toMatchObject({ kind: 'suspension_lifted', to: person.email });
  });

  test('of a reset link, by email', async () => {
    expect((await act(person.userId, { action: 'send_reset_link' })).status).toBe(200);
    expect(testApp.mails.at(-1)).toMatchObject({ kind: 'reset_link', to: person.email });
  });

  test('of a new account, by email with a log-in code', async () => {
    const email = `${randomUUID()}@usc.edu`;
    const created = await call('POST', 'people', { email, reason: 'Guest lecturer' });
    expect(created).toMatchObject({ status: 200, body: { email, confirmed_at: null } });
    expect(testApp.codeFor(email)).toMatch(/^\d{6}$/);
    expect((await call('POST', 'people', { email, reason: 'Guest lecturer' })).body.code).toBe(
      'account_exists',
    );
  });
});

test.each(parameterlessPersonActions)('%s of an account that does not exist is refused', async (action) => {
  expect(await act(randomUUID(), { action })).toMatchObject({
    status: 404,
    body: { code: 'account_not_found' },
  });
});

describe('administrators cannot lock themselves out or remove their own second factor in the console', () => {
  test.each([
    { action: 'suspend', days: null },
    { action: 'set_role', role: 'user' },
    { action: 'remove_second_factor' },
  ])('by the action $action', async (body) => {
    expect(await act(administrator.userId, body)).toMatchObject({
      status: 409,
      body: { code: 'own_account' },
    });
  });

  test('by deleting their own account', async () => {
    const body = { email: administrator.email, reason: 'By mistake' };
    expect(await call('DELETE', `people/${administrator.userId}`, body)).toMatchObject({
      status: 409,
      body: { code: 'own_account' },
    });
  });
});

test('an account is not deleted if the address entered as confirmation is not its own', async () => {
  const wrong = { email: 'another@usc.edu', reason: 'Asked by letter' };
  expect(await call('DELETE', `people/${person.userId}`, wrong)).toMatchObject({
    status: 400,
    body: { fields: { email: 'This is not the address of the account' } },
  });
  expect((await call('GET', `people/${person.userId}`)).status).toBe(200);
});

test('a deletion request is marked as done once its account was deleted', async () => {
  await expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/forms/deletion-request',
      payload: { email: person.email },
      headers: person.headers,
    }),
  );
  const { items } = (await call('GET', 'forms?kind=deletion-request')).body;
  const { id } = items.find(({ email }: { email: string }) => email === person.email);
  const account = { id: person.userId, email: person.email };
  expect((await call('GET', `forms/${id}`)).body).toMatchObject({ sender: account, named_account: account });
  await call('DELETE', `people/${person.userId}`, {
    email: person.email,
    form_id: id,
    reason: 'Asked by form',
  });
  const after = (await call('GET', `forms/${id}`)).body;
  expect(after).toMatchObject({ named_account: null, sender: null });
  expect(after.done_at).not.toBeNull();
});

test('a deletion request that names an added campus address shows the account and its log-in address', async () => {
  const campus = createCampusAddressClient(testApp);
  const owner = await campus.signInOutside();
  const email = campus.newAddress();
  const post = (url: string, payload: object) =>
    expectOk(testApp.server.inject({ method: 'POST', url, payload, headers: owner.headers }));
  await post('/rest/v1/forms/deletion-request', { email });
  const { id } = (await call('GET', 'forms?kind=deletion-request')).body.items[0];
  const readForm = async () => (await call('GET', `forms/${id}`)).body;
  const account = { id: owner.userId, email: owner.email };
  await campus.request(owner, email);
  const code = testApp.codeFor(email);
  expect(await readForm()).toMatchObject({ email, sender: account, named_account: null });
  // An unconfirmed sign-up does not prove who owns the address.
  await post('/functions/v1/signup', { email, password: 'somebody-else-5', fullName: 'Nina New' });
  expect(await readForm()).toMatchObject({ email, sender: account, named_account: null });
  await campus.verify(owner, code);
  expect(await readForm()).toMatchObject({ email, sender: account, named_account: account });
});

test('a reply to a form is stored and mailed once, and shown with its author', async () => {
  const body = { id: randomUUID(), text: 'Ask at the desk.\n\nThe lamp is there.' };
  const before = testApp.mails.length;
  const replied = await call('POST', `forms/${form}/answers`, body);
  expect(replied.body.answers).toMatchObject([{ id: body.id, text: body.text, author: 'Mona Monroe' }]);
  expect((await call('POST', `forms/${form}/answers`, body)).body).toEqual(replied.body);
  expect(testApp.mails.slice(before)).toMatchObject([
    {
      kind: 'form_answer',
      to: person.email,
      subject: 'Other',
      text: body.text,
      question: 'Where is my lamp?',
    },
  ]);
  const reused = await call('POST', `forms/${await sendForm()}/answers`, body);
  expect(reused.status).toBe(400);
});

test('a form accepts 20 replies; a further one is neither stored nor mailed, and resending an earlier one succeeds', async () => {
  const id = await sendForm();
  const replies = Array.from({ length: maxFormReplies }, () => ({ id: randomUUID(), text: 'At the desk' }));
  const send = (body: object) => call('POST', `forms/${id}/answers`, body);
  for (const body of replies) expect((await send(body)).status).toBe(200);
  const before = testApp.mails.length;
  const refused = await send({ id: randomUUID(), text: 'Once more' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_answers' } });
  expect((await send(replies[0] ?? {})).body.answers).toHaveLength(maxFormReplies);
  expect(testApp.mails).toHaveLength(before);
});

test('a form without an address cannot be answered', async () => {
  await expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/forms/report',
      payload: { subject: 'Noise', details: 'At night' },
    }),
  );
  const { items } = (await call('GET', 'forms?kind=report')).body;
  expect(items[0]).toMatchObject({ title: 'Noise', email: null });
  const body = { id: randomUUID(), text: 'Thank you' };
  expect(await call('POST', `forms/${items[0].id}/answers`, body)).toMatchObject({
    status: 409,
    body: { code: 'form_without_address' },
  });
});

test('the overview counts sign-ups per day for 28 days and per week for 12 weeks', async () => {
  await testApp.sql`DELETE FROM private.moderation_cases`;
  testApp.clock.advance(61);
  const overview = (await call('GET', 'overview')).body;
  expect(overview.days).toHaveLength(28);
  expect(overview.weeks).toHaveLength(12);
  const [row] = await testApp.sql<{ people: number }[]>`SELECT count(*) AS people FROM users`;
  const total = (periods: { sign_ups: number }[]) => periods.reduce((sum, it) => sum + it.sign_ups, 0);
  expect(total(overview.days)).toBe(row?.people);
  expect(total(overview.weeks)).toBe(row?.people);
  expect(overview).toMatchObject({ open_cases: 0, oldest_case_at: null, median_seconds_to_action: null });
});

test('the overview states how long cases wait for their first action', async () => {
  await testApp.sql`DELETE FROM private.moderation_cases`;
  testApp.clock.advance(61);
  const openedAt = testApp.clock.now();
  await testApp.sql`
    WITH cases AS (
      INSERT INTO private.moderation_cases (subject, subject_id, title, risk, opened_at, updated_at)
      SELECT 'message', gen_random_uuid(), n::text, 1, ${openedAt}, ${openedAt} FROM generate_series(1, 4) AS n
      RETURNING id, title::int AS n
    )
    INSERT INTO private.moderation_actions (case_id, action, reason, chosen_at, takes_effect_at, applied_at)
    SELECT id, 'warn', 'Counterfeit', ${openedAt}, ${openedAt}, ${openedAt}::timestamptz + make_interval(hours => n * later)
    FROM cases, unnest(ARRAY[1, 5]) AS later WHERE n < 4`;
  testApp.clock.advance(61);
  expect((await call('GET', 'overview')).body).toMatchObject({
    open_cases: 4,
    oldest_case_at: openedAt.toISOString(),
    median_seconds_to_action: 2 * 3600,
  });
});
