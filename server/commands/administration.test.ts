import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { decrypt, loadSecrets } from '#server/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { runCommand } from '#server/testing/run-command.ts';

let database: TestDatabase;
let sql: Sql;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 3 });
  dataDir = await mkdtemp(join(tmpdir(), 'quad-administration-'));
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const runTestCommand = (name: string, ...args: string[]) =>
  runCommand(name, args, { QUAD_DATA_DIR: dataDir, QUAD_DATABASE_URL: database.url, INIT_CWD: dataDir });
const reasonArguments = ['--reason', 'Asked by the dean'];
const readQueuedMail = async () => {
  const { pepper } = await loadSecrets(dataDir);
  const jobs =
    await sql`SELECT data ->> 'sealed' AS sealed FROM pgboss.job WHERE name = 'mail' ORDER BY created_on`;
  return jobs.map(({ sealed }) => JSON.parse(decrypt(pepper, sealed)));
};

test('the user command lists which memberships end when', { timeout: 60_000 }, async () => {
  expect(await runTestCommand('user', 'memberships')).toMatchObject({
    code: 0,
    out: 'No membership ends.\n',
  });
  await sql`
    WITH person AS (
      INSERT INTO users (email, created_at, updated_at)
      SELECT name || '@usc.edu', now(), now() FROM unnest(ARRAY ['due', 'ending', 'ended']) name RETURNING id, email)
    INSERT INTO private.memberships (user_id, due_on, ends_on, ended_at, is_denied)
    SELECT id, '2027-03-02', CASE WHEN email <> 'due@usc.edu' THEN '2027-04-01'::date END,
      CASE WHEN email = 'ended@usc.edu' THEN '2027-04-01T07:00:00Z'::timestamptz END, email = 'ending@usc.edu'
    FROM person`;
  expect((await runTestCommand('user', 'memberships')).out).toBe(
    [
      'ends 2027-04-01  ending@usc.edu  (no member, by the sign-on)',
      'to confirm by 2027-03-02  due@usc.edu',
      'ended 2027-04-01  ended@usc.edu\n',
    ].join('\n'),
  );
  expect(JSON.parse((await runTestCommand('user', 'memberships', '--json')).out)).toMatchObject([
    { email: 'ending@usc.edu', ends_on: '2027-04-01', is_denied: true },
    { email: 'due@usc.edu', due_on: '2027-03-02', ends_on: null },
    { email: 'ended@usc.edu', ended_at: '2027-04-01T07:00:00.000Z' },
  ]);
  await sql`DELETE FROM users`;
});

test('the deal command reports when no rental is out, and refuses unknown accounts and deals', {
  timeout: 60_000,
}, async () => {
  await sql`
    WITH person AS (
      INSERT INTO users (email, created_at, updated_at) VALUES ('nothing-out@usc.edu', now(), now()) RETURNING id
    )
    INSERT INTO private.credentials (user_id, updated_at) SELECT id, now() FROM person`;
  expect(await runTestCommand('deal', 'rentals', 'Nothing-Out@usc.edu')).toEqual({
    code: 0,
    out: 'No rental is out.\n',
    err: '',
  });
  expect(await runTestCommand('deal', 'rentals', 'nobody@usc.edu')).toEqual({
    code: 1,
    out: '',
    err: 'There is no account nobody@usc.edu\n',
  });
  expect(await runTestCommand('deal', 'end-rental', 'one', ...reasonArguments)).toMatchObject({
    code: 1,
    err: 'There is no deal one\n',
  });
  await sql`DELETE FROM users`;
});

test('accounts are created, confirmed, sent a reset link and deleted from the shell', {
  timeout: 120_000,
}, async () => {
  const email = 'new.student@usc.edu';
  const created = await runTestCommand('user', 'create', ' New.Student@USC.edu ', ...reasonArguments);
  expect(created).toMatchObject({ code: 0, err: '' });
  expect(created.out).toMatch(/^new\.student@usc\.edu .*\n.*\n.*\n {2}confirmed {3}no$/m);
  expect(created.out).toContain('A code to sign in with was mailed');
  expect(await readQueuedMail()).toMatchObject([
    { kind: 'signup_code', to: email, code: expect.stringMatching(/^\d{6}$/) },
  ]);
  expect(await runTestCommand('user', 'create', email, ...reasonArguments)).toMatchObject({
    code: 1,
    err: 'Account already exists. Please log in.\n',
  });
  expect(await runTestCommand('user', 'create', 'nonsense', ...reasonArguments)).toMatchObject({
    code: 1,
    err: 'Please enter a valid email address.\n',
  });

  const confirmed = await runTestCommand('user', 'confirm', email, ...reasonArguments);
  expect(confirmed.out).toMatch(/confirmed {3}2\d{3}-/);
  const reset = await runTestCommand('user', 'send-reset', email, ...reasonArguments);
  expect(reset).toMatchObject({ code: 0, err: '' });
  expect((await readQueuedMail()).at(-1)).toMatchObject({ kind: 'reset_link', to: email });

  const promoted = await runTestCommand('user', 'role', email, 'moderator', ...reasonArguments);
  expect(promoted.out).toMatch(/^ {2}role {8}moderator$/m);
  expect(await runTestCommand('user', 'role', email, 'dean', ...reasonArguments)).toMatchObject({ code: 2 });

  const unsure = await runTestCommand('user', 'delete', email, ...reasonArguments);
  expect([unsure.code, unsure.err]).toEqual([2, expect.stringMatching(/^delete needs --yes/)]);
  const gone = await runTestCommand('user', 'delete', email, ...reasonArguments, '--yes');
  expect([gone.code, gone.out]).toEqual([0, expect.stringMatching(/^Deleted new\.student@usc\.edu \(/)]);
  expect(await sql`SELECT FROM users`).toHaveLength(0);
  const entries = await sql`SELECT event, actor, reason FROM private.security_events ORDER BY id`;
  expect(entries.map(({ event }) => event)).toEqual([
    'account_created',
    'account_confirmed',
    'reset_link_sent',
    'role_changed',
    'account_deleted',
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ actor: expect.stringMatching(/^shell:./), reason: 'Asked by the dean' });
  }
});

test('no command removes the last administrator', { timeout: 120_000 }, async () => {
  const email = 'only.admin@usc.edu';
  await sql`
    WITH person AS (INSERT INTO users (email, created_at, updated_at) VALUES (${email}, now(), now()) RETURNING id)
    INSERT INTO private.credentials (user_id, confirmed_at, updated_at, console_role)
    SELECT id, now(), now(), 'administrator' FROM person`;
  for (const args of [['suspend'], ['delete', '--yes'], ['role', 'user'], ['role', 'moderator']]) {
    const [what = '', ...rest] = args;
    expect(await runTestCommand('user', what, email, ...rest, ...reasonArguments), what).toMatchObject({
      code: 1,
      out: '',
      err: 'There must be at least one administrator.\n',
    });
  }
  const accounts = await sql`SELECT console_role, suspended_at FROM private.credentials`;
  expect(accounts).toEqual([{ console_role: 'administrator', suspended_at: null }]);
  await sql`DELETE FROM users`;
});

test('promise 88: confirming an account from the shell lets the owner of a suspended address return', {
  timeout: 120_000,
}, async () => {
  const email = 'returning@usc.edu';
  const run = async (what: string, ...rest: string[]) =>
    expect(await runTestCommand('user', what, email, ...rest, ...reasonArguments), what).toMatchObject({
      code: 0,
    });
  await run('create');
  await run('confirm');
  await run('suspend', '--days', '30');
  await run('delete', '--yes');
  expect(await sql`SELECT FROM private.suspended_addresses`).toHaveLength(1);
  await run('create');
  expect(await sql`SELECT FROM private.suspended_addresses`).toHaveLength(1);
  await run('confirm');
  expect(await sql`SELECT FROM private.suspended_addresses`).toHaveLength(0);
  await sql`DELETE FROM users`;
});

test('promise 109: the data of somebody who cannot log in is exported from the shell', {
  timeout: 120_000,
}, async () => {
  const email = 'left.campus@usc.edu';
  await sql`
    WITH person AS (INSERT INTO users (email, created_at, updated_at) VALUES (${email}, now(), now()) RETURNING id)
    INSERT INTO private.credentials (user_id, confirmed_at, updated_at) SELECT id, now(), now() FROM person`;
  expect(await runTestCommand('user', 'export', email)).toMatchObject({ code: 2, out: '' });
  const { code, out } = await runTestCommand('user', 'export', email, ...reasonArguments);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ profile: { email }, listings: [] });
  const [event] = await sql`
    SELECT actor FROM private.security_events WHERE event = 'data_exported'`;
  expect(event?.actor).toMatch(/^shell:/);
});

test('a lost second factor is removed from the shell', { timeout: 120_000 }, async () => {
  const email = 'lost.phone@usc.edu';
  await sql`
    WITH person AS (INSERT INTO users (email, created_at, updated_at) VALUES (${email}, now(), now()) RETURNING id),
    account AS (
      INSERT INTO private.credentials (user_id, confirmed_at, updated_at) SELECT id, now(), now() FROM person
    )
    INSERT INTO private.second_factors (user_id, kind, sealed_secret, created_at, verified_at, updated_at)
    SELECT id, 'totp', 'sealed', now(), now(), now() FROM person`;
  expect(await runTestCommand('user', 'remove-second-factor', email)).toMatchObject({ code: 2 });
  expect((await runTestCommand('user', 'show', email)).out).toMatch(/^ {2}2nd factor {2}yes$/m);
  const removed = await runTestCommand('user', 'remove-second-factor', email, ...reasonArguments);
  expect(removed).toMatchObject({ code: 0, err: '' });
  expect(removed.out).toMatch(/^ {2}2nd factor {2}no$/m);
  expect(removed.out).toContain(
    'Authenticator app, recovery codes and passkeys were removed; the person is notified.',
  );
  const [entry] = await sql`
    SELECT actor, reason FROM private.security_events WHERE event = 'second_factor_removed'`;
  expect(entry).toEqual({ actor: expect.stringMatching(/^shell:./), reason: 'Asked by the dean' });
  expect(await runTestCommand('user', 'remove-second-factor', email, ...reasonArguments)).toMatchObject({
    code: 1,
    out: '',
  });
  await sql`DELETE FROM users`;
});

test('the university’s sign-on is disconnected from the shell', { timeout: 120_000 }, async () => {
  const email = 'new.netid@usc.edu';
  await sql`
    WITH person AS (INSERT INTO users (email, created_at, updated_at) VALUES (${email}, now(), now()) RETURNING id),
    account AS (
      INSERT INTO private.credentials (user_id, confirmed_at, updated_at) SELECT id, now(), now() FROM person
    )
    INSERT INTO private.identities (user_id, issuer, subject, created_at, last_used_at)
    SELECT id, 'https://login.usc.edu', 'earlier', now(), now() FROM person`;
  const disconnect = () => runTestCommand('user', 'disconnect-sign-on', email, ...reasonArguments);
  expect(await disconnect()).toMatchObject({
    code: 0,
    err: '',
    out: `The sign-on was disconnected from ${email}; the person is notified.\n`,
  });
  expect(await sql`SELECT FROM private.identities`).toHaveLength(0);
  const [entry] = await sql`
    SELECT actor, reason FROM private.security_events WHERE event = 'sign_on_disconnected'`;
  expect(entry).toEqual({ actor: expect.stringMatching(/^shell:./), reason: 'Asked by the dean' });
  expect(await disconnect()).toMatchObject({ code: 1, out: '' });
  await sql`DELETE FROM users`;
});

test('a renamed issuer of the sign-on is moved from the shell', { timeout: 120_000 }, async () => {
  const [earlier, later] = ['https://login.usc.edu', 'https://sso.usc.edu/realms/usc'];
  await sql`
    WITH people AS (
      INSERT INTO users (email, created_at, updated_at)
      SELECT 'person' || n || '@usc.edu', now(), now() FROM generate_series(1, 3) AS n RETURNING id, email
    )
    INSERT INTO private.identities (user_id, issuer, subject, created_at, last_used_at)
    SELECT id, ${earlier}, email, now(), now() FROM people`;
  const move = (...more: string[]) =>
    runTestCommand('user', 'move-sign-on', earlier, later, ...reasonArguments, ...more);
  expect(await move()).toMatchObject({ code: 2, out: '' });
  expect(await move('--yes')).toMatchObject({ code: 0, out: `3 people are connected with ${later} now.\n` });
  expect(await sql`SELECT FROM private.identities WHERE issuer = ${later}`).toHaveLength(3);
  const [entry] = await sql`SELECT detail, reason FROM private.security_events WHERE event = 'sign_on_moved'`;
  expect(entry).toEqual({ detail: `3 from ${earlier} to ${later}`, reason: 'Asked by the dean' });
  expect(await move('--yes')).toMatchObject({ code: 1, out: '' });
  await sql`
    WITH person AS (
      INSERT INTO users (email, created_at, updated_at) VALUES ('person4@usc.edu', now(), now()) RETURNING id
    )
    INSERT INTO private.identities (user_id, issuer, subject, created_at, last_used_at)
    SELECT id, ${earlier}, 'person1@usc.edu', now(), now() FROM person`;
  expect(await move('--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('disconnect them first'),
  });
  await sql`DELETE FROM users`;
});

test('forms are listed, shown, marked as done, and their resumes written to a file', {
  timeout: 120_000,
}, async () => {
  const id = '0a1b2c3d-0000-4000-8000-000000000001';
  const resume = {
    key: `forms/${id}/resume.pdf`,
    name: 'my cv.pdf',
    contentType: 'application/pdf',
    bytes: 4,
  };
  const content = { opening: 'Product Designer', name: 'Ada', email: 'ada@usc.edu', resume };
  await createDiskFileStore({ root: join(dataDir, 'files') }).put(resume.key, Buffer.from('%PDF'), resume);
  await sql`
    INSERT INTO private.forms (id, kind, email, content, created_at)
    VALUES (${id}, 'application', 'ada@usc.edu', ${json(content)}, now())`;

  expect((await runTestCommand('forms', 'list', '--limit', '1')).out).toMatch(
    new RegExp(
      `^${id} .* application +open {2}ada@usc\\.edu {2}Product Designer\\nOlder ones: --before ${id}\\n$`,
    ),
  );
  expect((await runTestCommand('forms', 'list', '--kind', 'report')).out).toBe('There are no such forms.\n');
  const shown = await runTestCommand('forms', 'show', id);
  expect(shown.out).toMatch(/^name {7}Ada$/m);
  expect(shown.out).toMatch(/^resume {5}my cv\.pdf, 4 bytes$/m);
  expect(shown.out).not.toContain('forms/');
  const { out: printed } = await runTestCommand('forms', 'show', id, '--json');
  expect(JSON.parse(printed)).toMatchObject({
    content: { name: 'Ada' },
    resume: { name: 'my cv.pdf', bytes: 4 },
  });
  expect(printed).not.toContain('forms/');

  expect(await runTestCommand('forms', 'resume', id, 'ada.pdf')).toMatchObject({
    code: 0,
    out: `Wrote 4 bytes to ${join(dataDir, 'ada.pdf')}\n`,
  });
  expect(await readFile(join(dataDir, 'ada.pdf'), 'utf8')).toBe('%PDF');
  expect((await stat(join(dataDir, 'ada.pdf'))).mode & 0o777).toBe(0o600);
  // The command refuses to overwrite an existing file.
  expect(await runTestCommand('forms', 'resume', id, 'ada.pdf')).toMatchObject({ code: 1 });

  expect((await runTestCommand('forms', 'done', id, ...reasonArguments)).out).toMatch(
    / done 2\S+Z by shell:./,
  );
  expect((await runTestCommand('forms', 'list')).out).toBe('There are no such forms.\n');
  expect((await runTestCommand('forms', 'list', '--state', 'done')).out).toContain(id);
  expect((await runTestCommand('forms', 'reopen', id, ...reasonArguments)).out).toContain(' open ');
});

test('a form is answered from the shell as in the console', { timeout: 120_000 }, async () => {
  const id = '0a1b2c3d-0000-4000-8000-000000000002';
  const content = { name: 'Ada', email: 'ada@usc.edu', topic: 'Other', message: 'Where is my lamp?' };
  await sql`
    INSERT INTO private.forms (id, kind, email, content, created_at)
    VALUES (${id}, 'contact', 'ada@usc.edu', ${json(content)}, now())`;
  await writeFile(join(dataDir, 'answer.txt'), 'Ask at the desk.\n\nThe lamp is there.\n');
  const answered = await runTestCommand('forms', 'answer', id, '--file', 'answer.txt', ...reasonArguments);
  expect(answered).toEqual({
    code: 0,
    out: 'The answer was stored and is mailed to ada@usc.edu.\n',
    err: '',
  });
  expect((await readQueuedMail()).at(-1)).toMatchObject({
    kind: 'form_answer',
    to: 'ada@usc.edu',
    subject: 'Other',
    text: 'Ask at the desk.\n\nThe lamp is there.',
    question: 'Where is my lamp?',
  });
  expect((await runTestCommand('forms', 'show', id)).out).toMatch(
    /^state {6}open\n[\s\S]*^answer {5}2\S+Z by shell:\S+\n +Ask at the desk\.\n *\n +The lamp is there\.$/m,
  );
  const [entry] = await sql`
    SELECT actor, reason FROM private.security_events WHERE event = 'form_answered' AND detail = ${id}`;
  expect(entry).toEqual({ actor: expect.stringMatching(/^shell:./), reason: 'Asked by the dean' });

  const tooLong = await runTestCommand('forms', 'answer', id, '--text', 'x'.repeat(4001));
  expect(tooLong.code).toBe(2);
  expect(tooLong.err).toMatch(/^An answer has at most 4000 characters\n/);
  expect(await runTestCommand('forms', 'answer', id)).toMatchObject({ code: 2 });
  await sql`UPDATE private.forms SET email = NULL WHERE id = ${id}`;
  expect(await runTestCommand('forms', 'answer', id, '--text', 'Hello')).toMatchObject({ code: 1, out: '' });
});

test.each([
  ['forms', [], /^Usage: quad forms /],
  ['forms', ['list', '--state', 'lost'], /^error: option '--state <state>' argument 'lost' is invalid/],
  ['forms', ['list', '--kind', 'letter'], /^error: option '--kind <kind>' argument 'letter' is invalid/],
  ['forms', ['show', 'nonsense'], /It is not an id\.\n\nUsage: quad forms show /],
  ['forms', ['resume', '0a1b2c3d-0000-4000-8000-000000000001'], /^error: missing required argument 'file'/],
  ['forms', ['done', '0a1b2c3d-0000-4000-8000-000000000001'], /^done needs --reason/],
  ['user', ['delete', 'a@usc.edu', '--yes'], /^delete needs --reason/],
  ['user', ['create'], /^error: missing required argument 'address'/],
  ['user', ['create', 'a@usc.edu', '--password', 'x'], /^error: unknown option '--password'/],
])('%s %j prints its usage and exits with code 2', { timeout: 60_000 }, async (name, args, line) => {
  const { code, err } = await runTestCommand(name, ...args);
  expect(code).toBe(2);
  expect(err).toMatch(line);
});

test('an unknown form id is refused with a one-line error', { timeout: 60_000 }, async () => {
  const id = '0a1b2c3d-0000-4000-8000-00000000ffff';
  expect(await runTestCommand('forms', 'show', id)).toMatchObject({
    code: 1,
    err: `There is no form ${id}\n`,
  });
});
