import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#server/platform/process/log.ts';
import { openDatabase } from './database.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts';
import { locatePostgresPrograms } from './postgres-programs.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';

describe('the embedded database', () => {
  let dataDir: string;
  let cluster: string;
  const started: EmbeddedDatabase[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'quad-embedded-'));
    cluster = join(dataDir, 'database', 'cluster');
  });

  afterEach(async () => {
    for (const database of started.splice(0)) await database.stop();
    await stopPostmaster(cluster);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const startDatabase = async (bin?: string) => {
    const database = await startEmbeddedDatabase({
      dataDir,
      log: silentLog,
      bin,
      settings: { fsync: 'off' },
    });
    started.push(database);
    return database;
  };

  /** Runs one query over a separate connection. */
  const queryOnce = async (url: string, text: string) => {
    const sql = openDatabase(url, { max: 1 });
    try {
      return [...(await sql.query(text))];
    } finally {
      await sql.end({ timeout: 0 });
    }
  };

  /** Starts the database from a separate process, kills that process with SIGKILL, and returns the database's URL. */
  const startInKilledProcess = async () => {
    const module = new URL('./embedded-database.ts', import.meta.url).href;
    const script = `
      const { startEmbeddedDatabase } = await import(${JSON.stringify(module)});
      const log = { info() {}, warn() {} };
      const { url } = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { fsync: 'off' } });
      console.log(url);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    child.kill('SIGKILL');
    await once(child, 'exit');
    return url.trim();
  };

  test('keeps its rows across a restart and lowercases non-ASCII letters', async () => {
    const first = await startDatabase();
    expect(first.adopted).toBe(false);
    await queryOnce(first.url, "create table note as select 'kept' as text");
    await first.stop();
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
    const second = await startDatabase();
    expect(second.adopted).toBe(false);
    expect(await queryOnce(second.url, "select text, lower('ÄÉ') as folded from note")).toEqual([
      { text: 'kept', folded: 'äé' },
    ]);
  });

  test('is reachable by its socket only, requires a password and restricts its files to their owner', async () => {
    const { url } = await startDatabase();
    const address = new URL(url);
    const socketFolder = join(dataDir, 'database', 'socket');
    expect(decodeURIComponent(address.hostname)).toBe(socketFolder);
    expect(await queryOnce(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
    address.password = 'guess';
    await expect(queryOnce(address.href, 'select 1')).rejects.toThrow('password authentication failed');
    expect(statSync(join(dataDir, 'database')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'database', 'password')).mode & 0o777).toBe(0o600);
  });

  /** Writes a program that prints a version. */
  const writeProgram = (bin: string, name: string, version: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`, { mode: 0o755 });

  test('runs the programs in QUAD_POSTGRES_BIN, if they have the same major version', async () => {
    const bin = join(dataDir, 'bin');
    mkdirSync(bin);
    const refusal = (reason: string) => `Wrong configuration: QUAD_POSTGRES_BIN: ${reason}`;
    await expect(startDatabase(bin)).rejects.toThrow(refusal(`cannot run ${join(bin, 'postgres')}: ENOENT`));
    for (const name of ['postgres', 'initdb']) writeProgram(bin, name, '17.5');
    await expect(startDatabase(bin)).rejects.toThrow(
      refusal(`${join(bin, 'postgres')} has version 17.5, and 18 is needed`),
    );
    const { initdb, postgres } = locatePostgresPrograms();
    for (const program of [initdb, postgres]) {
      const link = join(bin, program.split('/').at(-1) ?? '');
      rmSync(link);
      symlinkSync(program, link);
    }
    const { url } = await startDatabase(bin);
    expect(await queryOnce(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each([
    ['is too long', 'a'.repeat(100)],
    ['has a comma', 'quad, copy'],
  ])('has its socket among the temporary files when the path of its own folder %s', async (_, name) => {
    dataDir = join(dataDir, name);
    cluster = join(dataDir, 'database', 'cluster');
    const { url } = await startDatabase();
    const socketFolder = decodeURIComponent(new URL(url).hostname);
    onTestFinished(() => rmSync(socketFolder, { recursive: true }));
    expect(socketFolder).toMatch(/\/quad-[0-9a-f]{12}$/);
    expect(await queryOnce(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a server of an earlier version, which listens on TCP, is started again with a socket', async () => {
    const settings = { fsync: 'off', listen_addresses: '127.0.0.1' };
    const script = `
      const { startEmbeddedDatabase } = await import(${JSON.stringify(new URL('./embedded-database.ts', import.meta.url).href)});
      await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {}, warn() {} }, settings: ${JSON.stringify(settings)} });
      process.kill(process.pid, 'SIGKILL');`;
    await once(spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }), 'exit');
    expect(findPostmaster(cluster)?.socketFolder).toBeUndefined();
    const { url } = await startDatabase();
    expect(await queryOnce(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  test('is adopted after the process that started it was killed', async () => {
    const url = await startInKilledProcess();
    await queryOnce(url, "create table note as select 'kept' as text");
    const database = await startDatabase();
    expect(database.adopted).toBe(true);
    expect(database.url).toBe(url);
    expect(await queryOnce(database.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  test('starts despite a stale postmaster.pid whose pid now belongs to another program', async () => {
    await (await startDatabase()).stop();
    writeFileSync(
      join(cluster, 'postmaster.pid'),
      `${process.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`,
    );
    writeFileSync(join(dataDir, 'database', 'socket', '.s.PGSQL.5432.lock'), `${process.pid}\n${cluster}\n`);
    const database = await startDatabase();
    expect(await queryOnce(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('refuses a second supervisor, names the first one and continues to serve', async () => {
    const first = await startDatabase();
    await expect(startDatabase()).rejects.toThrow(
      `Another Quad (process ${process.pid}) is running on ${dataDir}`,
    );
    expect(await queryOnce(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is created once when two processes start it for the first time concurrently', async () => {
    const results = await Promise.allSettled([startDatabase(), startDatabase()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refusal = results.find((result) => result.status === 'rejected');
    expect(String(refusal?.reason)).toContain('Another Quad');
    expect(readdirSync(dataDir)).toEqual(['database']);
  });

  test('restarts on the same port after a crash', async () => {
    const database = await startDatabase();
    await queryOnce(database.url, "create table note as select 'kept' as text");
    const pid = findPostmaster(cluster)?.pid as number;
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => queryOnce(database.url, 'select text from note').catch(() => 'down'), { timeout: 15_000 })
      .toEqual([{ text: 'kept' }]);
    expect(findPostmaster(cluster)?.pid).not.toBe(pid);
  });
});
