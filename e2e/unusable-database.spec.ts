import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { startServerExpectingFailure } from './support/failing-start.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { getFreePort, startQuad } from './support/quad-server.ts';
import { listWorkerPids } from './support/server-workers.ts';
import { test } from './support/test.ts';

const password = 'hunter2-of-quad';
let database: Postgres;
let adminSql: Sql;
let dataDirectory: string;

const createDatabaseUrl = (change: (url: URL) => void = () => {}): string => {
  const url = new URL(database.url);
  url.username = 'campus';
  url.password = password;
  url.pathname = '/campus';
  change(url);
  return url.href;
};

/**
 * Writes a file into PostgreSQL's data directory with an SQL command, so that the file belongs to
 * the system account that runs PostgreSQL.
 */
const writeServerFile = (name: string, content: string) =>
  adminSql.query(
    `COPY (SELECT unnest(string_to_array($quad$${content.trim()}$quad$, E'\\n')))
    TO PROGRAM 'umask 077 && cat > "${dataDirectory}/${name}"'`,
  );

test.beforeAll(async () => {
  database = await startPostgres();
  adminSql = openDatabase(database.url, { max: 1 });
  const [setting] = await adminSql<{ folder: string }[]>`SELECT current_setting('data_directory') AS folder`;
  dataDirectory = setting?.folder ?? '';
  await adminSql.query(`CREATE ROLE campus LOGIN PASSWORD '${password}'`);
  await adminSql.query('CREATE DATABASE campus');
});
test.afterAll(async () => {
  await adminSql?.end();
  await database?.close();
});

const failureCases: [string, () => Promise<string> | string, RegExp][] = [
  [
    'a wrong password',
    () => createDatabaseUrl((url) => (url.password = 'wrong')),
    /password authentication failed/,
  ],
  [
    'an unknown database',
    () => createDatabaseUrl((url) => (url.pathname = '/nowhere')),
    /"nowhere" does not exist/,
  ],
  [
    'a closed port',
    async () => {
      const port = String(await getFreePort());
      return createDatabaseUrl((url) => (url.port = port));
    },
    /ECONNREFUSED/,
  ],
  [
    'an unresolvable host',
    () => createDatabaseUrl((url) => (url.hostname = 'no-such-host.invalid')),
    /host name/,
  ],
  [
    'missing rights',
    () => createDatabaseUrl(),
    /may not create schemas: GRANT CREATE ON DATABASE campus TO campus/,
  ],
];
for (const [what, url, reason] of failureCases) {
  test(`promise 51: with one or several processes, ${what} aborts startup with a one-line error that omits the password`, async () => {
    for (const QUAD_WORKERS of ['1', '3']) {
      const { code, complaint } = await startServerExpectingFailure({
        PORT: '0',
        QUAD_WORKERS,
        QUAD_DATABASE_URL: await url(),
      });
      expect(code).toBe(1);
      expect(complaint).toMatch(/^Cannot use PostgreSQL at QUAD_DATABASE_URL \S+: [^\n]+\n$/);
      expect(complaint).toMatch(reason);
      expect(complaint).not.toMatch(/hunter2|wrong/);
    }
  });
}

test('promise 51: each TLS problem is reported in one line, and the correct sslmode encrypts every connection', async () => {
  const own = await mkdtemp(join(tmpdir(), 'quad-tls-'));
  const [key, certificate] = [join(own, 'key.pem'), join(own, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const outputs = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...outputs, ...subject]);
  await writeServerFile('server.key', await readFile(key, 'utf8'));
  await writeServerFile('server.crt', await readFile(certificate, 'utf8'));
  const refuse = (QUAD_DATABASE_URL: string) => startServerExpectingFailure({ PORT: '0', QUAD_DATABASE_URL });
  const withMode = (mode: string) => createDatabaseUrl((url) => (url.search = `?sslmode=${mode}`));

  const early = await refuse(withMode('require'));
  expect(early.complaint).toMatch(
    /^Cannot use PostgreSQL at QUAD_DATABASE_URL \S+: .*does it accept TLS.*\n$/,
  );

  await adminSql.query('ALTER SYSTEM SET ssl = on');
  await adminSql.query('ALTER DATABASE campus OWNER TO campus');
  const rules = ['hostssl campus campus all scram-sha-256', 'host all quad all scram-sha-256'];
  await writeServerFile('pg_hba.conf', rules.join('\n'));
  await adminSql`SELECT pg_reload_conf()`;

  await expect
    .poll(async () => (await refuse(createDatabaseUrl())).complaint)
    .toMatch(/no encryption; add \?sslmode=require to QUAD_DATABASE_URL\n$/);
  const distrusted = await refuse(withMode('verify-full'));
  expect(distrusted.code).toBe(1);
  expect(distrusted.complaint).toMatch(
    /^Cannot use PostgreSQL at QUAD_DATABASE_URL \S+: its certificate is not trusted .*\n$/,
  );
  expect((await refuse(withMode('prefer'))).complaint).toMatch(
    /^sslmode of QUAD_DATABASE_URL must be one of .*\n$/,
  );

  for (const search of ['?sslmode=require', `?sslmode=verify-full&sslrootcert=${certificate}`]) {
    const quad = await startQuad({
      QUAD_DATABASE_URL: createDatabaseUrl((url) => (url.search = search)),
      QUAD_WORKERS: '2',
    });
    const unencrypted = await adminSql`
      SELECT 1 FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE usename = 'campus' AND NOT ssl`;
    expect(unencrypted).toHaveLength(0);
    expect((await fetch(`${quad.url}/readyz`)).status).toBe(200);
    await quad.stop();
  }
  await rm(own, { recursive: true });
});

test('promise 51: an older server and its restarted workers refuse the schema of a newer version with a one-line error', async () => {
  const newer = await startPostgres();
  const quad = await startQuad({ QUAD_DATABASE_URL: newer.url, QUAD_WORKERS: '2' });
  const sql = openDatabase(newer.url, { max: 1 });
  try {
    await sql`INSERT INTO schema_migrations (name, run_on) VALUES ('9001_next', now())`;
    const line =
      'The database has the schema of a newer version (9001_next): start that version, or restore a backup to go back.';
    for (const QUAD_WORKERS of ['1', '2']) {
      const start = await startServerExpectingFailure({
        PORT: '0',
        QUAD_WORKERS,
        QUAD_DATABASE_URL: newer.url,
      });
      expect(start).toEqual({ code: 1, complaint: `${line}\n` });
    }
    // Running workers must keep handling requests, as they do during an upgrade, but a worker that
    // exits cannot be restarted.
    const [victim = 0] = listWorkerPids(quad);
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => quad.output()).toContain(`"why":"${line}"`);
    expect((await fetch(`${quad.url}/readyz`)).status).toBe(200);
  } finally {
    await sql.end();
    await quad.stop();
    await newer.close();
  }
});
