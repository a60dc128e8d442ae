import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { runCommand } from '#server/testing/run-command.ts';

const caseId = 'a64cf0d0-6f5c-4a3c-9d67-1f2bb0b0a001';
let folder: string;
let sql: Sql;
let stopDatabase: () => Promise<void>;

const run = (...args: string[]) =>
  runCommand('cases', args, { QUAD_DATA_DIR: join(folder, 'data'), INIT_CWD: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-cases-'));
  const database = await startEmbeddedDatabase({
    dataDir: join(folder, 'data'),
    log: silentLog,
    settings: { fsync: 'off' },
  });
  stopDatabase = database.stop;
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  await loadSecrets(join(folder, 'data'));
  sql = openDatabase(database.url, { max: 1 });
  await sql`INSERT INTO users (email, created_at, updated_at) VALUES ('a@usc.edu', now(), now())`;
  await sql`
    INSERT INTO private.credentials (user_id, confirmed_at, updated_at, console_role)
    SELECT id, now(), now(), 'moderator' FROM users`;
  await sql`
    INSERT INTO private.moderation_cases (id, subject, person_id, title, risk, opened_at, updated_at)
    SELECT ${caseId}, 'user', NULL, 'Sam Smith', 3, now(), now()`;
});
afterAll(async () => {
  await sql.end();
  await stopDatabase();
  await rm(folder, { recursive: true });
});

test('the cases command lists, shows, decides and reserves a case, and undoes a decision', async () => {
  expect((await run('list', '--risk', '3')).out).toMatch(new RegExp(`^${caseId}  .*high .*Sam Smith\n$`));
  expect((await run('show', caseId)).out).toContain('possible    dismiss\n');
  expect((await run('act', caseId, 'unpublish', '--reason', 'No')).err).toContain(
    'not possible for this case',
  );
  const chosen = await run('act', caseId, 'dismiss', '--reason', 'A mistake');
  expect(chosen).toMatchObject({ code: 0, err: '' });
  const [action] = await sql`SELECT id, actor_name, reason FROM private.moderation_actions`;
  expect(action).toMatchObject({ actor_name: expect.stringMatching(/^shell:/), reason: 'A mistake' });
  expect((await run('undo', action?.id)).out).toContain('dismiss  undone');
  expect((await run('assign', caseId, '--to', 'a@usc.edu')).out).toContain('assigned');
  expect((await run('act', caseId, 'dismiss', '--reason', 'A mistake')).err).toContain('Another moderator');
}, 90_000);

test('a case can be reserved only for an active moderator or administrator, and showing it includes the appeal', async () => {
  await sql`UPDATE private.moderation_cases SET assigned_to = NULL, assigned_until = NULL`;
  await sql`
    WITH person AS (
      INSERT INTO users (email, created_at, updated_at) VALUES ('student@usc.edu', now(), now()) RETURNING id
    )
    INSERT INTO private.credentials (user_id, confirmed_at, updated_at) SELECT id, now(), now() FROM person`;
  const refused = { code: 1, err: expect.stringContaining('is neither a moderator nor an administrator') };
  expect(await run('assign', caseId, '--to', 'student@usc.edu')).toMatchObject(refused);
  await sql`UPDATE private.credentials SET suspended_at = now() WHERE console_role IS NOT NULL`;
  expect(await run('assign', caseId, '--to', 'a@usc.edu')).toMatchObject(refused);
  await sql`UPDATE private.credentials SET suspended_at = NULL`;
  const [row] = await sql`SELECT assigned_to FROM private.moderation_cases`;
  expect(row).toEqual({ assigned_to: null });

  await sql`
    WITH action AS (
      INSERT INTO private.moderation_actions (case_id, action, reason, actor_name, chosen_at, takes_effect_at, applied_at)
      VALUES (${caseId}, 'warn', 'Counterfeit', 'shell:alice', now(), now(), now()) RETURNING id
    )
    INSERT INTO private.moderation_appeals (action_id, appeal_text, created_at)
    SELECT id, E'It is\ngenuine', now() FROM action`;
  expect((await run('show', caseId)).out).toMatch(/^ {4}appeal {4}undecided: It is genuine$/m);
}, 90_000);

test('wrong arguments print the usage', async () => {
  expect(await run('act', caseId, 'shout', '--reason', 'No')).toMatchObject({ code: 2 });
  expect(await run('list', '--state', 'lost')).toMatchObject({ code: 2 });
});
