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

/** A PostgreSQL that is not supervised by our server; tests stop, kill, freeze and start it. */
export interface Postgres {
  url: string;
  /** Starts it (again) on its port; resolves when it accepts connections. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Kills it as a power cut would. */
  kill(): Promise<void>;
  /** Freezes all its processes: connections stay open without responses. */
  freeze(): void;
  thaw(): void;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

const parentOf = (pid: string): number | undefined => {
  try {
    // The command, in brackets, may contain anything; the fields after it are state and parent.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined;
  }
};

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);

const signalAll = (pids: number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A backend may have exited by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

/** Creates and starts one, in its own folder unless one is given, which is then not removed on close. */
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
      // It may exit immediately while backends of a killed server are still running.
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
      // The postmaster first, so that it starts no new backends.
      signalAll([pid], 'SIGSTOP');
      frozen = [pid, ...childrenOf(pid)];
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
