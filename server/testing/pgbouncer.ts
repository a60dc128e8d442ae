import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { findPgBouncer } from '../../tools/pgbouncer.ts';
import { findFreePort } from './free-port.ts';

/** A real PgBouncer on loopback that only this test uses. */
export interface TestPgBouncer {
  /** Connection string of the same database through the pooler. */
  url: string;
  stop(): Promise<void>;
}

const program = findPgBouncer();
if (typeof program === 'string') process.stderr.write(`Tests with PgBouncer are skipped: ${program}\n`);
/** Whether PgBouncer is available; tests that need it are skipped otherwise. */
export const hasPgBouncer = typeof program !== 'string';

/** Starts a PgBouncer in front of the server that `databaseUrl` names. */
export const startPgBouncer = async (
  databaseUrl: string,
  { mode, poolSize = 40 }: { mode: 'session' | 'transaction'; poolSize?: number },
): Promise<TestPgBouncer> => {
  if (typeof program === 'string') throw new Error(program);
  const { url, hosts } = parseDatabaseUrl(databaseUrl);
  const { username, password, pathname } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'quad-pgbouncer-'));
  const port = await findFreePort();
  await writeFile(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${hosts[0]?.host} port=${hosts[0]?.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'users.txt')}`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 200',
      // The settings that our documentation recommends, but with a shorter timeout. Without a timeout,
      // clients wait for two minutes while PostgreSQL is down.
      'query_wait_timeout = 1',
      'server_login_retry = 1',
      // PgBouncer refuses to run as root.
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ].join('\n'),
  );
  await chmod(folder, 0o755);
  const child = spawn(program.path, [join(folder, 'pgbouncer.ini')], {
    env: program.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((ready, failed) => {
    let printed = '';
    child.once('error', failed);
    child.once('exit', () => failed(new Error(`PgBouncer exited:\n${printed}`)));
    child.stderr.on('data', (chunk) => {
      printed += chunk;
      if (/process up/.test(printed)) ready();
    });
  });
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
