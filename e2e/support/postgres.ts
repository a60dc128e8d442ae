import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { findOrCreateCluster } from '#server/platform/postgres/embedded-cluster.ts';
import { buildEmbeddedDatabaseUrl } from '#server/platform/postgres/embedded-database.ts';
import { findPostmaster, launchPostmaster, stopPostmaster } from '#server/platform/postgres/postmaster.ts';
import { getFreePort } from './quad-server.ts';

/** A PostgreSQL server that Quad does not supervise, so that tests can stop, kill, freeze and start it. */
export interface Postgres {
  url: string;
  /** Starts the stopped server on its port; resolves when it accepts connections. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Kills all processes with SIGKILL, to simulate a power cut. */
  kill(): Promise<void>;
  /** Pauses all processes: connections stay open, but get no responses. */
  freeze(): void;
  thaw(): void;
  /** Stops the server and removes its folder if it is a temporary one. */
  close(): Promise<void>;
}

const getParentPid = (pid: string): number | undefined => {
  try {
    // In /proc/<pid>/stat, the parent's id is the second field after the command name, which is in
    // parentheses and may contain any character.
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

const signalProcesses = (pids: number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // ESRCH means that the process no longer exists: a PostgreSQL backend may exit on its own.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

/**
 * Creates and starts a PostgreSQL server in the given folder or in a temporary one. `close` removes
 * only a temporary folder.
 */
export const startPostgres = async (givenFolder?: string): Promise<Postgres> => {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), 'quad-postgres-')));
  const cluster = await findOrCreateCluster(folder, { sync: false });
  const port = await getFreePort();
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
      // A new server may exit immediately while backends of a killed server are still running, so
      // start it again whenever it has exited.
      if (hasEnded()) hasEnded = launchPostmaster({ ...cluster, cluster: cluster.folder, settings }, port);
      await delay(20);
    }
  };

  await start();
  const sql = openDatabase(buildEmbeddedDatabaseUrl({ port, password, database: 'postgres' }), { max: 1 });
  await sql`CREATE DATABASE quad`;
  await sql.end();

  const thaw = (): void => signalProcesses(frozen.splice(0).reverse(), 'SIGCONT');
  const stop = (): Promise<void> => stopPostmaster(cluster.folder);
  return {
    url: buildEmbeddedDatabaseUrl({ port, password }),
    start,
    stop,
    kill: async () => {
      const pid = postmaster();
      signalProcesses([pid], 'SIGKILL');
      while (findPostmaster(cluster.folder)?.pid === pid) await delay(20);
    },
    freeze: () => {
      const pid = postmaster();
      // Pause the postmaster (PostgreSQL's main process) before its backends, so that it starts no
      // new backends.
      signalProcesses([pid], 'SIGSTOP');
      frozen = [pid, ...listChildPids(pid)];
      signalProcesses(frozen, 'SIGSTOP');
    },
    thaw,
    close: async () => {
      thaw();
      await stop();
      if (givenFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};
