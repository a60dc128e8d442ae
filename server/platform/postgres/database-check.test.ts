import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { openDatabase, type Sql } from './database.ts';
import { assertUsableDatabase } from './database-check.ts';

const testRole = `clerk_${randomBytes(6).toString('hex')}`;
const password = 'hunter2-of-the-clerk';
let database: TestDatabase;
let adminSql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  adminSql = openDatabase(database.url, { max: 1 });
  await adminSql.query(`CREATE ROLE ${testRole} LOGIN PASSWORD '${password}'`);
});
afterAll(async () => {
  await adminSql.end();
  await database.drop();
  const server = openDatabase(inject('databaseServer'), { max: 1 });
  await server.query(`DROP ROLE ${testRole}`);
  await server.end();
});

const createRoleUrl = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  url.username = testRole;
  url.password = password;
  change(url);
  return url.href;
};

/** Returns the error message for a database, or undefined when it can be used. */
const findDatabaseProblem = async (url: string): Promise<string | undefined> => {
  const sql = openDatabase(url, { max: 1 });
  try {
    await assertUsableDatabase(sql, url);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await sql.end({ timeout: 1 });
  }
};

const unusableDatabaseCases: [string, (url: URL) => void, RegExp][] = [
  [
    'a wrong password',
    (url) => (url.password = 'wrong-password'),
    /password authentication failed for user "clerk_/,
  ],
  ['an unknown role', (url) => (url.username = 'nobody_here'), /(authentication failed|does not exist)/],
  [
    'an unknown database',
    (url) => (url.pathname = '/no_such_database'),
    /database "no_such_database" does not exist/,
  ],
  ['a closed port', (url) => (url.port = '1'), /nothing listens there \(ECONNREFUSED\)$/],
  ['an unresolvable host', (url) => (url.hostname = 'no-such-host.invalid'), /\((ENOTFOUND|EAI_AGAIN)\)$/],
];

describe('promise 51: an unusable database is reported in one line without its password', () => {
  test.each(unusableDatabaseCases)('%s', async (_what, change, reason) => {
    const url = createRoleUrl(change);
    const { host, pathname } = new URL(url);
    const problem = await findDatabaseProblem(url);
    expect(problem).toMatch(reason);
    expect(problem?.startsWith(`Cannot use PostgreSQL at QUAD_DATABASE_URL ${host}${pathname}: `)).toBe(true);
    expect(problem).not.toMatch(/\n|hunter2|wrong-password/);
  });

  test('missing privileges are reported with the statement that grants each of them', async () => {
    const url = createRoleUrl(() => {});
    const { pathname } = new URL(url);
    const grants: string[] = [];
    for (let problem = await findDatabaseProblem(url); problem; problem = await findDatabaseProblem(url)) {
      const [, grant = ''] = /may not create \w+: (GRANT .*)$/.exec(problem) ?? [];
      expect(grant).not.toBe('');
      grants.push(grant);
      await adminSql.query(grant);
    }
    expect(grants).toEqual([
      `GRANT CREATE ON DATABASE ${pathname.slice(1)} TO ${testRole}`,
      `GRANT CREATE ON SCHEMA public TO ${testRole}`,
    ]);
  });

  test('a read-only database and a database with another encoding are reported', async () => {
    const url = createRoleUrl((changed) => changed.searchParams.set('default_transaction_read_only', 'on'));
    expect(await findDatabaseProblem(url)).toMatch(/: it is read-only$/);
    const name = `latin_${randomBytes(6).toString('hex')}`;
    await adminSql.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING LATIN1 LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    const latin = createRoleUrl((changed) => (changed.pathname = `/${name}`));
    expect(await findDatabaseProblem(latin)).toMatch(
      /: the database has the encoding LATIN1, and UTF8 is needed$/,
    );
    await adminSql.query(`DROP DATABASE ${name}`);
  });
});

test('accepts a migrated database whose role cannot create anything', async () => {
  const migrated = await createTestDatabase();
  const url = new URL(migrated.url);
  const owner = openDatabase(migrated.url, { max: 1 });
  await owner`CREATE SCHEMA IF NOT EXISTS pgboss`;
  await owner.end();
  url.username = testRole;
  url.password = password;
  expect(await findDatabaseProblem(url.href)).toBeUndefined();
  await migrated.drop();
});
