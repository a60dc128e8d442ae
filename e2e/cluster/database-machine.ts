import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { readConfigurationExample, readExampleEnvironment } from './configuration.ts';
import { type MachineProcess, startProcess } from './machine-process.ts';
import type { ClusterNetwork } from './network.ts';

export const databaseMachineNames = ['db1', 'db2', 'db3'] as const;
export type DatabaseMachineName = (typeof databaseMachineNames)[number];

export interface DatabasePasswords {
  superuser: string;
  replication: string;
  rest: string;
}

export interface ReplicationState {
  isPrimary: boolean;
  timeline: number;
  /**
   * Names of the standbys that currently receive the write-ahead log. `syncStandbys` are the ones that
   * commits wait for.
   */
  standbys: string[];
  syncStandbys: string[];
}

/** A machine of a cluster with PostgreSQL, Patroni and etcd. */
export interface DatabaseMachine {
  name: DatabaseMachineName;
  folder: string;
  start(): void;
  startEtcd(): void;
  startPatroni(): void;
  /** Stops Patroni, which also stops PostgreSQL. */
  stopPatroni(): Promise<void>;
  /** Kills PostgreSQL with SIGKILL; Patroni keeps running. */
  crashPostgres(): void;
  killEtcd(): void;
  /** Kills all processes of the machine with SIGKILL, as if the machine had failed. */
  kill(): void;
  freeze(): void;
  thaw(): void;
  /**
   * Returns the replication state that PostgreSQL reports, or undefined when it does not respond within a
   * second.
   */
  findState(): Promise<ReplicationState | undefined>;
  /**
   * Returns the name of the standby that may become the primary, according to Patroni. Returns undefined when
   * there is none, or when Patroni does not respond.
   */
  findSuccessor(): Promise<string | undefined>;
  /** Opens a superuser connection to PostgreSQL through its Unix socket. */
  open(database?: string): Sql;
  /** Runs a program on this machine as the user postgres and returns its output. */
  run(command: string[]): Promise<string>;
}

const asPostgres = (command: string[]): string[] => [
  'setpriv',
  '--reuid=postgres',
  '--regid=postgres',
  '--init-groups',
  ...command,
];

/**
 * Creates a database machine with its configuration in `folder`, made from the examples in `ops/cluster/`.
 */
export const createDatabaseMachine = (
  network: ClusterNetwork,
  name: DatabaseMachineName,
  folder: string,
  repository: string,
  passwords: DatabasePasswords,
): DatabaseMachine => {
  const at = (part: string): string => join(folder, part);
  for (const part of ['', 'data', 'run', 'spool', 'lock', 'log', 'etcd'])
    mkdirSync(at(part), { mode: 0o700 });
  const paths = {
    '/var/lib/postgresql/15/quad': at('data'),
    '/var/run/postgresql': at('run'),
  };
  writeFileSync(
    at('patroni.yml'),
    readConfigurationExample('patroni.yml', {
      ...paths,
      '/var/lib/postgresql/.pgpass-patroni': at('pgpass'),
    }),
  );
  writeFileSync(
    at('pgbackrest.conf'),
    readConfigurationExample('pgbackrest.conf', {
      ...paths,
      '/var/lib/pgbackrest': repository,
      '/var/spool/pgbackrest': at('spool'),
      '/tmp/pgbackrest': at('lock'),
      '/var/log/pgbackrest': at('log'),
    }),
  );
  execFileSync('chown', ['-R', 'postgres:postgres', folder]);
  const env = {
    ...process.env,
    ...readExampleEnvironment('patroni.env', {
      db1: name,
      'superuser-password': passwords.superuser,
      'replication-password': passwords.replication,
      'rest-password': passwords.rest,
    }),
    HOME: folder,
    // By default pgBackRest reads /etc/pgbackrest.conf; use this machine's own file instead.
    PGBACKREST_CONFIG: at('pgbackrest.conf'),
  };
  const { ETCD_INITIAL_CLUSTER = '' } = readExampleEnvironment('etcd.env');
  const etcdEnvironment = {
    ...process.env,
    ...readExampleEnvironment('etcd.env', { db1: name, '/var/lib/etcd/quad': at('etcd') }),
    ETCD_INITIAL_CLUSTER,
  };
  let etcd: MachineProcess | undefined;
  let patroni: MachineProcess | undefined;
  const open = (database = 'postgres'): Sql =>
    openDatabase(
      `postgres://postgres:${encodeURIComponent(passwords.superuser)}@${encodeURIComponent(at('run'))}/${database}`,
      {
        max: 1,
      },
    );
  const machine: DatabaseMachine = {
    name,
    folder,
    start: () => {
      machine.startEtcd();
      machine.startPatroni();
    },
    startEtcd: () => {
      etcd = startProcess(
        network.commandOn(name, asPostgres(['/usr/bin/etcd'])),
        at('etcd.log'),
        etcdEnvironment,
      );
    },
    startPatroni: () => {
      const command = asPostgres(['/usr/bin/patroni', at('patroni.yml')]);
      patroni = startProcess(network.commandOn(name, command), at('patroni.log'), env, folder);
    },
    stopPatroni: async () => {
      patroni?.signal('SIGTERM');
      await patroni?.ended;
    },
    crashPostgres: () =>
      process.kill(Number(readFileSync(at('data/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    killEtcd: () => etcd?.signal('SIGKILL'),
    kill: () => network.signal(name, 'SIGKILL'),
    freeze: () => network.signal(name, 'SIGSTOP'),
    thaw: () => network.signal(name, 'SIGCONT'),
    open,
    findState: async () => {
      const sql = open();
      const timer = setTimeout(() => void sql.end({ timeout: 0 }).catch(() => {}), 1_000);
      try {
        const [state] = await sql<[ReplicationState]>`
          SELECT NOT pg_is_in_recovery() AS "isPrimary",
            (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
            coalesce(array_agg(application_name) FILTER (WHERE state = 'streaming'), '{}') AS standbys,
            coalesce(array_agg(application_name) FILTER (WHERE sync_state = 'sync'), '{}') AS "syncStandbys"
          FROM pg_stat_replication`;
        return state;
      } catch {
        return undefined;
      } finally {
        clearTimeout(timer);
        await sql.end({ timeout: 0 }).catch(() => {});
      }
    },
    findSuccessor: async () => {
      const request = ['curl', '--silent', '--fail', '--max-time', '2', `http://${name}:8008/cluster`];
      const body = await network.run(name, request).catch(() => '{"members":[]}');
      const { members }: { members: { name: string; role: string }[] } = JSON.parse(body);
      return members.find(({ role }) => role === 'sync_standby')?.name;
    },
    run: (command) => network.run(name, asPostgres(command), { ...env, PGPASSWORD: passwords.superuser }),
  };
  return machine;
};
