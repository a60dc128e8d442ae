import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { embeddedRole, openCluster } from '#server/platform/postgres/embedded-cluster.ts';
import { embeddedUrl } from '#server/platform/postgres/embedded-database.ts';
import { findPostmaster, launchPostmaster, stopPostmaster } from '#server/platform/postgres/postmaster.ts';
import { freePort } from './quad.ts';

/** A PostgreSQL server that Quad does not supervise, so that tests can stop, kill, freeze and start it. */
export interface Postgres {
  url: string;
  /** Starts the stopped server on its port; resolves when it accepts connections. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Kills all processes with SIGKILL, which simulates a power cut. */
  kill(): Promise<void>;
  /** Pauses all processes: connections stay open, but get no responses. */
  freeze(): void;
  thaw(): void;
  /** Stops the server and removes its files. */
  close(): Promise<void>;
}

const getParentPid = (pid: string): number | undefined => {
  try {
    // The parent's id is the second field after the command name, which is in parentheses and may contain any character.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined;
  }
};

const listChildPids = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && getParentPid(name) === parent)
    .map(Number);

const signalAll = (pids: number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // ESRCH: a backend process may have exited by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

/** Creates and starts a PostgreSQL server, in a temporary folder or in the given one, which `close` does not remove. */
export const startPostgres = async (givenFolder?: string): Promise<Postgres> => {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), 'quad-postgres-')));
  const cluster = await openCluster(folder, { sync: false });
  const port = await freePort();
  const password = readFileSync(cluster.passwordFile, 'utf8').trim();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '100' };
  let frozen: number[] = [];

  const postmaster = (): number => {
    const found = findPostmaster(cluster.folder);
    if (!found) throw new Error('PostgreSQL does not run');
    return found.pid;
  };

  const start = async (): Promise<void> => {
    let hasEnded = () => true;
    for (let tries = 0; findPostmaster(cluster.folder)?.status !== 'ready'; tries += 1) {
      if (tries > 3_000) throw new Error('PostgreSQL does not start');
      // While backends of a killed server are still running, the new server may exit immediately; then it is started again.
      if (hasEnded()) hasEnded = launchPostmaster({ ...cluster, cluster: cluster.folder, settings }, port);
      await delay(20);
    }
  };

  await start();
  const sql = postgres({ host: '127.0.0.1', port, username: embeddedRole, password, database: 'postgres' });
  await sql`CREATE DATABASE quad`;
  await sql.end();

  const thaw = (): void => signalAll(frozen.splice(0).reverse(), 'SIGCONT');
  const stop = (): Promise<void> => stopPostmaster(cluster.folder);
  return {
    url: embeddedUrl({ port, password }),
    start,
    stop,
    kill: async () => {
      const pid = postmaster();
      signalAll([pid], 'SIGKILL');
      while (findPostmaster(cluster.folder)?.pid === pid) await delay(20);
    },
    freeze: () => {
      const pid = postmaster();
      // The postmaster is paused first, so that it starts no new backends.
      signalAll([pid], 'SIGSTOP');
      frozen = [pid, ...listChildPids(pid)];
      signalAll(frozen, 'SIGSTOP');
    },
    thaw,
    close: async () => {
      thaw();
      await stop();
      if (givenFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};
