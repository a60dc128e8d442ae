import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caseActions } from '#contract/moderation.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { listPathsAccessibleToOthers } from '#server/testing/file-modes.ts';
import { runCommand, runCommandInOwnProcess } from '#server/testing/run-command.ts';
import { formatCompletion } from './completion.ts';
import { createProgram } from './program.ts';

let testFolder: string;
let dataDir: string;
let databaseUrl: string;
let stopDatabase: () => Promise<void>;

const runTestCommand = (name: string, args: string[], settings: Record<string, string> = {}) =>
  runCommand(name, args, { QUAD_DATA_DIR: dataDir, INIT_CWD: testFolder, ...settings });

beforeAll(async () => {
  testFolder = await mkdtemp(join(tmpdir(), 'quad-commands-'));
  dataDir = join(testFolder, 'data');
  const database = await startEmbeddedDatabase({ dataDir, log: silentLog, settings: { fsync: 'off' } });
  stopDatabase = database.stop;
  databaseUrl = database.url;
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  await loadSecrets(dataDir);
  const sql = openDatabase(database.url, { max: 1 });
  await sql`INSERT INTO users (email, created_at, updated_at) VALUES ('a@usc.edu', now(), now())`;
  await sql`INSERT INTO private.credentials (user_id, confirmed_at, updated_at) SELECT id, now(), now() FROM users`;
  await sql`
    INSERT INTO private.sessions (user_id, method, created_at, last_used_at)
    SELECT id, 'otp', now(), now() FROM users`;
  await sql`
    INSERT INTO private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, device_name, created_at)
    SELECT user_id, id, 'https://push.example/1', '', '', 'Firefox', now() FROM private.sessions`;
  await sql.end();
});
afterAll(async () => {
  await stopDatabase();
  await rm(testFolder, { recursive: true });
});

test('promise 49: migrate updates the schema of a database that another process has started, and does nothing when run again', async () => {
  const older = join(testFolder, 'older');
  const database = await startEmbeddedDatabase({
    dataDir: older,
    log: silentLog,
    settings: { fsync: 'off' },
  });
  try {
    await migrateDatabase({ databaseUrl: database.url, log: silentLog, upTo: 3 });
    const first = await runTestCommand('migrate', [], { QUAD_DATA_DIR: older });
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^Migrated: 0004_\S+, /);
    expect((await runTestCommand('migrate', [], { QUAD_DATA_DIR: older })).out).toMatch(
      /^The schema was up to date\.\n/,
    );
  } finally {
    await database.stop();
  }
  expect((await runTestCommand('migrate', ['now'])).code).toBe(2);
});

test('a backup is made while another process runs the embedded database, and restored into a new one', {
  timeout: 120_000,
}, async () => {
  const settings = { QUAD_DATA_DIR: dataDir, INIT_CWD: testFolder };
  expect(await runCommandInOwnProcess('backup', ['kept'], settings)).toEqual({
    code: 0,
    out: `Backed up 4 rows and 0 files to ${join(testFolder, 'kept')}\n`,
    err: '',
  });
  expect((await stat(join(testFolder, 'kept', 'secrets.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(testFolder, 'kept'))).mode & 0o777).toBe(0o700);

  const copy = { QUAD_DATA_DIR: join(testFolder, 'copy') };
  expect(await runTestCommand('restore', ['kept'], { ...copy, QUAD_POSTGRES_BIN: testFolder })).toMatchObject(
    {
      code: 1,
      err: `Wrong configuration: QUAD_POSTGRES_BIN: cannot run ${join(testFolder, 'postgres')}: ENOENT\n`,
    },
  );
  expect(await runTestCommand('restore', ['kept', '--trial'], copy)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Start with: QUAD_MAIL=off npm start'),
    err: '',
  });
  expect(await runTestCommand('restore', ['kept'], copy)).toMatchObject({
    code: 1,
    err: 'The database is not empty: a backup is restored into an empty one only.\n',
  });
  // The embedded database in the restored copy is not running, so the command starts it and then
  // stops it again. A trial copy has no push subscriptions.
  expect(await runTestCommand('backup', ['again'], copy)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Backed up 3 rows /),
    err: '',
  });
});

test('database, secrets and logs are readable only by the operating system account that created them', async () => {
  expect(await listPathsAccessibleToOthers(dataDir)).toEqual([]);
});

test('promise 12: a command that suspends an account notifies the running server of the ended sessions', {
  timeout: 120_000,
}, async () => {
  const sql = openDatabase(databaseUrl, { max: 2 });
  // Open the bus in the same way as a single server process with an embedded database: it receives bus
  // messages from other processes but sends none to them.
  const bus = await createPostgresBus(sql, silentLog, { publishes: false });
  const received: string[] = [];
  bus.subscribe(({ kind }) => received.push(kind));
  const [session] = await sql`SELECT id FROM private.sessions`;
  expect(session).toBeDefined();
  const response = await runTestCommand(
    'user',
    ['suspend', 'a@usc.edu', '--days', '3000', '--reason', 'Sold tickets twice'],
    {
      SUDO_USER: 'alice',
    },
  );
  expect(response).toMatchObject({ code: 0, err: '' });
  expect(response.out).toMatch(/suspended {3}2\d{3}-.*, until 2\d{3}-/);
  await expect.poll(() => received).toEqual(['sessions_ended', 'pages_changed']);
  expect(await sql`SELECT FROM private.sessions`).toHaveLength(0);
  expect(
    await sql`SELECT action, reason, days, actor_name, appeal_hash IS NOT NULL AS has_appeal_link FROM private.moderation_actions`,
  ).toEqual([
    {
      action: 'suspend',
      reason: 'Sold tickets twice',
      days: 3000,
      actor_name: expect.stringMatching(/^shell:/),
      has_appeal_link: true,
    },
  ]);
  const auditEntries = await runTestCommand('audit', ['--user', 'a@usc.edu', '--since', '1h']);
  expect(auditEntries.out).toMatch(/^\d+ {2}\S+ {2}account_suspended .*shell:alice .*Sold tickets twice$/m);
  expect(await runTestCommand('user', ['show', 'nobody@usc.edu'])).toMatchObject({
    code: 1,
    err: 'There is no account nobody@usc.edu\n',
  });
  await bus.close();
  await sql.end();
});

test.each([
  ['user', ['suspend'], 2, /^error: missing required argument 'who'/],
  ['user', ['suspend', 'a@usc.edu'], 2, /^suspend needs --reason/],
  [
    'user',
    ['suspend', 'a@usc.edu', '--days', '0', '--reason', 'x'],
    2,
    /^error: option '--days <days>' argument '0' is invalid/,
  ],
  ['user', ['verify', 'a@usc.edu', '--days', '3', '--reason', 'x'], 2, /^error: unknown option '--days'/],
  ['user', ['verify', 'a@usc.edu', '--reason', ' '], 2, /^verify needs --reason/],
  ['listing', ['restore', 'desk'], 2, /^restore needs --reason/],
  ['review', ['remove', 'one'], 2, /^remove needs --reason/],
  ['deal', ['end-rental', 'one'], 2, /^end-rental needs --reason/],
  ['audit', [], 2, /^Usage: quad audit /],
  ['audit', ['list', '--limit', 'all'], 2, /^error: option '--limit <number>' argument 'all' is invalid/],
  ['audit', ['list', '--since', 'easter'], 2, /^easter is not a time\.\n\nUsage: quad audit list /],
  ['listing', ['take-down', 'desk'], 2, /^take-down needs --reason/],
  ['spots', ['remove-default', 'Library', '--reason', 'One too many'], 2, /^error: too many arguments/],
  [
    'spots',
    ['change', 'Library', '--reason', 'No facts'],
    2,
    /^change needs a fact\.\n\nUsage: quad spots change /,
  ],
  [
    'spots',
    ['add', 'Library', '--lit', 'maybe', '--reason', 'Wrong'],
    2,
    /Allowed choices are yes, no, unknown\./,
  ],
  [
    'announcement',
    ['set', 'Hello', '--reason', 'No end'],
    2,
    /^error: required option '--until <time>' not specified/,
  ],
  ['announcement', ['set', 'Hello', '--until', 'tomorrow', '--reason', 'x'], 2, /^tomorrow is not a time/],
  ['announcement', ['remove'], 2, /^remove needs --reason/],
  ['spots', ['confirm', 'Library'], 2, /^confirm needs --reason/],
  ['restore', [], 2, /^error: missing required argument 'folder'/],
  [
    'backup',
    ['--helpp'],
    2,
    /^error: unknown option '--helpp'\n\(Did you mean --help\?\)\n\nUsage: quad backup /,
  ],
  ['usr', ['find'], 2, /^error: unknown command 'usr'\n\(Did you mean user\?\)/],
  ['restore', ['nowhere'], 1, /contains no complete backup: it has no manifest\.json\.\n$/],
])(
  '%s %j exits with the right code and says what is wrong',
  { timeout: 60_000 },
  async (name, args, code, line) => {
    const response = await runTestCommand(name, args, { QUAD_DATA_DIR: join(testFolder, 'unused') });
    expect(response.code).toBe(code);
    expect(response.err).toMatch(line);
  },
);

test('a command in its own process sets the exit code of the process', async () => {
  const response = await runCommandInOwnProcess('audit', [], { QUAD_DATA_DIR: join(testFolder, 'unused') });
  expect(response.code).toBe(2);
  expect(response.err).toMatch(/^Usage: quad audit /);
});

test('every command and subcommand prints its help to standard output and reads no settings', async () => {
  const program = createProgram();
  const paths = [
    [],
    ...program.commands.flatMap((it) => [[it.name()], ...it.commands.map((sub) => [it.name(), sub.name()])]),
  ];
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const [name = '--help', ...args] = [...path, '--help'];
    const { code, out, err } = await runCommand(name, args, {
      QUAD_PUBLIC_URL: 'nonsense',
      INIT_CWD: testFolder,
    });
    expect({ path, code, err }).toEqual({ path, code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: ${['quad', ...path].join(' ')}\\b`));
  }
  expect(await readdir(testFolder)).not.toContain('releases');
});

test('help says which actions decide a case', async () => {
  const { out } = await runCommand('cases', ['act', '--help'], {});
  expect(out.replace(/\s+/g, ' ')).toContain(`(choices: ${caseActions.map((it) => `"${it}"`).join(', ')})`);
});

test('what a command reads is printed as JSON with --json', async () => {
  const { out } = await runTestCommand('user', ['find', 'usc.edu', '--json']);
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ email: 'a@usc.edu', sessions: 0 })]);
  expect(JSON.parse((await runTestCommand('announcement', ['show', '--json'])).out)).toBeNull();
  expect(JSON.parse((await runTestCommand('cases', ['list', '--json'])).out)).toMatchObject({
    items: expect.any(Array),
  });
});

test.each([
  ['quad us', ['user']],
  ['quad user s', ['send-reset', 'show', 'suspend']],
  ['quad user suspend a@usc.edu --d', ['--days']],
  ['quad user role a@usc.edu mod', ['moderator']],
  ['quad forms list --state ', ['all', 'done', 'open']],
  ['quad restore --', ['--help', '--trial']],
])('bash completes %j', (line, expected) => {
  const words = line.split(' ');
  const script = `${formatCompletion(createProgram(), 'bash')}
    COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _quad
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const completed = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  expect(completed.sort()).toEqual(expected);
});
