import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import {
  embeddedRole,
  findOrCreateCluster,
  type PostgresCluster,
} from '#server/platform/postgres/embedded-cluster.ts';
import { findPostmaster, launchPostmaster, stopPostmaster } from '#server/platform/postgres/postmaster.ts';
import { findFreePort } from './free-port.ts';

/** One of the two PostgreSQL servers of a replicated database. */
export interface DatabaseNode {
  port: number;
  /** Sends a signal to all processes of the server. */
  signal(signal: NodeJS.Signals): void;
  start(): Promise<void>;
  /** Makes a standby the primary and resolves when it accepts writes. */
  promote(): Promise<void>;
}

/** Two PostgreSQL servers on loopback: a primary and a standby that replicates from it. */
export interface ReplicatedDatabase {
  primary: DatabaseNode;
  standby: DatabaseNode;
  /** Connection string with both servers, for the database `postgres`. */
  url: string;
  /** Connection string with only this server. */
  urlOf(node: DatabaseNode): string;
  close(): Promise<void>;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  // PostgreSQL requires that a standby allows at least as many connections as its primary.
  max_connections: '100',
  wal_level: 'replica',
  hot_standby: 'on',
};

const signalServer = (cluster: PostgresCluster, signal: NodeJS.Signals): void => {
  const pid = findPostmaster(cluster.folder)?.pid;
  if (pid === undefined) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  for (const each of [pid, ...children.map(Number)]) {
    try {
      process.kill(each, signal);
    } catch (error) {
      // Ignore a process that has ended in the meantime, such as that of a closed connection.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

const expectReplication = async (url: string, synchronous: boolean): Promise<void> => {
  const sql = openDatabase(url, { max: 1 });
  try {
    const standbys = await sql<{ sync_state: string }[]>`
      SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'`;
    if (!standbys.some(({ sync_state }) => !synchronous || sync_state === 'sync')) throw new Error('not yet');
  } finally {
    await sql.end({ timeout: 1 });
  }
};

/**
 * Starts a primary and a standby that is a copy of its files. With `synchronous`, the primary confirms a commit when the
 * standby has it too.
 */
export const startReplicatedDatabase = async ({ synchronous = false } = {}): Promise<ReplicatedDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-replicated-'));
  const cluster = await findOrCreateCluster(join(folder, 'one'), { sync: false });
  const password = readFileSync(cluster.passwordFile, 'utf8').trim();
  const account = `${embeddedRole}:${password}`;
  const ports = [await findFreePort(), await findFreePort()] as const;
  const urlOf = (port: number) => `postgres://${account}@127.0.0.1:${port}/postgres`;

  const createNode = (
    nodeCluster: PostgresCluster,
    port: number,
    more: Record<string, string> = {},
  ): DatabaseNode => {
    const run = async (statement: (sql: Sql) => Promise<unknown>) => {
      const sql = openDatabase(urlOf(port), { max: 1 });
      try {
        await statement(sql);
      } finally {
        await sql.end({ timeout: 1 });
      }
    };
    return {
      port,
      signal: (signal) => signalServer(nodeCluster, signal),
      start: async () => {
        launchPostmaster(
          { ...nodeCluster, cluster: nodeCluster.folder, settings: { ...settings, ...more } },
          port,
        );
        await vi.waitFor(() => run((sql) => sql`SELECT 1`), { timeout: 20_000, interval: 20 });
      },
      promote: () => run((sql) => sql`SELECT pg_promote()`),
    };
  };

  const copy = { ...cluster, folder: join(folder, 'two'), logFile: join(folder, 'two.log') };
  cpSync(cluster.folder, copy.folder, { recursive: true });
  // PostgreSQL refuses a data folder that other accounts may read.
  chmodSync(copy.folder, 0o700);
  writeFileSync(join(copy.folder, 'standby.signal'), '');
  const primary = createNode(cluster, ports[0], synchronous ? { synchronous_standby_names: '*' } : {});
  const standby = createNode(copy, ports[1], {
    primary_conninfo: `host=127.0.0.1 port=${ports[0]} user=${embeddedRole} password=${password}`,
  });
  await primary.start();
  await standby.start();
  // Wait for the standby: without one, a synchronous primary cannot commit, and a test that kills an
  // asynchronous primary could lose commits.
  await vi.waitFor(() => expectReplication(urlOf(ports[0]), synchronous), { timeout: 20_000, interval: 20 });
  return {
    primary,
    standby,
    url: `postgres://${account}@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
    urlOf: ({ port }) => urlOf(port),
    close: async () => {
      for (const stopped of [copy, cluster]) {
        signalServer(stopped, 'SIGCONT');
        await stopPostmaster(stopped.folder);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
