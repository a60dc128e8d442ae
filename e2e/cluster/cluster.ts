import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type AppHost, appHostNames, copySecrets, createAppHost } from './app-host.ts';
import {
  createDatabaseMachine,
  type DatabaseMachine,
  type DatabaseMachineName,
  databaseMachineNames,
} from './database-machine.ts';
import { waitForValue } from './machine-process.ts';
import {
  type ClusterNetwork,
  clusterFolderPrefix,
  createClusterNetwork,
  removeAbandonedClusters,
} from './network.ts';
import { type ProxyMachine, startProxyMachine } from './proxy-machine.ts';
import { type StorageMachine, startStorageMachine } from './storage-machine.ts';

const machineNames = [...databaseMachineNames, ...appHostNames, 'store1', 'proxy1'] as const;

/**
 * A deployment of Quad on several machines, which are network namespaces of the machine that runs the tests.
 */
export interface Cluster {
  url: string;
  folder: string;
  network: ClusterNetwork;
  databases: DatabaseMachine[];
  apps: AppHost[];
  store: StorageMachine;
  proxy: ProxyMachine;
  /** Reads the emails that the deployment has sent. */
  mail: { take(to: string): Promise<{ text: string }> };
  /**
   * Returns the database machine that accepts writes. If several machines claim to, returns the one with the
   * latest timeline.
   */
  findPrimary(): Promise<DatabaseMachine | undefined>;
  /** Waits until all three database machines replicate; returns the primary and its synchronous standby. */
  healthy(timeoutMs?: number): Promise<{ primary: DatabaseMachine; standby: DatabaseMachine }>;
  findEtcdLeader(): Promise<DatabaseMachine>;
  close(): void;
}

interface ClusterOptions {
  /** Port on the loopback address of the machine that runs the cluster. */
  port: number;
  /** Settings of Quad that replace those of `ops/cluster/quad.env`. */
  settings?: Record<string, string>;
  say(line: string): void;
}

const createPassword = (): string => randomBytes(16).toString('hex');
const formTimeoutMs = 90_000;

const findStates = async (databases: DatabaseMachine[]) =>
  (
    await Promise.all(databases.map(async (machine) => ({ machine, state: await machine.findState() })))
  ).flatMap(({ machine, state }) => (state ? [{ machine, state }] : []));

const findEtcdLeader = async (network: ClusterNetwork): Promise<DatabaseMachineName> => {
  // Ask each etcd member separately, because etcdctl fails when one of several members is unreachable.
  for (const name of databaseMachineNames) {
    const endpoint = `--endpoints=${name}:2379`;
    const env = { ...process.env, ETCDCTL_API: '3' };
    const output = await network
      .run('store1', ['etcdctl', endpoint, 'endpoint', 'status', '-w', 'json'], env)
      .catch(() => '[]');
    for (const { Status } of JSON.parse(output)) if (Status.leader === Status.header.member_id) return name;
  }
  throw new Error('etcd has no leader');
};

const createDatabase = async (primary: DatabaseMachine, password: string): Promise<void> => {
  const sql = primary.open();
  await sql.query(`CREATE ROLE quad LOGIN PASSWORD '${password}'`);
  await sql.query(`CREATE DATABASE quad OWNER quad ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`);
  await sql.end();
};

/**
 * Creates pgBackRest's repository for the write-ahead log. Retries while pgBackRest is locked by PostgreSQL's
 * attempts to archive.
 */
const createStanza = (primary: DatabaseMachine): Promise<true> =>
  waitForValue(
    'the lock of the archive',
    () =>
      primary.run(['pgbackrest', '--stanza=quad', 'stanza-create']).then(
        () => true as const,
        (error: Error) => {
          if (error.message.includes('unable to acquire lock')) return undefined;
          throw error;
        },
      ),
    formTimeoutMs,
  );

/**
 * Starts a cluster; resolves when it serves requests. Its folder and its machines are removed by `close`, or
 * when this process exits.
 */
export const startCluster = async ({ port, settings = {}, say }: ClusterOptions): Promise<Cluster> => {
  removeAbandonedClusters();
  const folder = mkdtempSync(clusterFolderPrefix);
  // The system user postgres needs access to this folder, because its own folders are inside.
  chmodSync(folder, 0o755);
  const network = createClusterNetwork<string>(folder, machineNames);
  let proxy: ProxyMachine | undefined;
  const close = (): void => {
    process.off('exit', close);
    proxy?.close();
    network.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', close);
  try {
    const [superuser, replication, rest, quad, redis] = Array.from({ length: 5 }, createPassword) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const repository = join(folder, 'repository');
    mkdirSync(repository);
    execFileSync('chown', ['postgres:postgres', repository]);
    const databases = databaseMachineNames.map((name) =>
      createDatabaseMachine(network, name, join(folder, name), repository, { superuser, replication, rest }),
    );
    const apps = appHostNames.map((name) =>
      createAppHost(
        network,
        name,
        join(folder, name),
        {
          'https://quad.example.edu': `http://localhost:${port}`,
          '192.0.2.30': network.addressOf('proxy1'),
          'quad-password': quad,
          'redis-password': redis,
          'QUAD_S3_ACCESS_KEY_ID=quad': 'QUAD_S3_ACCESS_KEY_ID=S3RVER',
          's3-password': 'S3RVER',
        },
        settings,
      ),
    );
    const begun = performance.now();
    for (const machine of databases) machine.start();
    const store = startStorageMachine(network, join(folder, 'store1'), redis);
    proxy = startProxyMachine(network, join(folder, 'proxy1'), port);

    const findPrimary = async (): Promise<DatabaseMachine | undefined> =>
      (await findStates(databases))
        .filter(({ state }) => state.isPrimary)
        .sort((one, other) => other.state.timeline - one.state.timeline)[0]?.machine;
    const healthy: Cluster['healthy'] = (timeoutMs = formTimeoutMs) =>
      waitForValue(
        'three database machines that replicate',
        async () => {
          const primary = await findPrimary();
          const state = await primary?.findState();
          const name = await primary?.findSuccessor();
          const standby = databases.find((machine) => machine.name === name);
          if (!primary || !standby || state?.standbys.length !== 2) return undefined;
          return state.syncStandbys.includes(standby.name) ? { primary, standby } : undefined;
        },
        timeoutMs,
      );
    const { primary } = await healthy();
    say(`PostgreSQL runs on three machines after ${Math.round(performance.now() - begun)} ms`);
    await createDatabase(primary, quad);
    await createStanza(primary);
    await store.ready();
    await proxy.ready();
    const [first, ...others] = apps;
    await first?.start();
    for (const { name } of others) copySecrets(join(folder, appHostNames[0]), join(folder, name));
    await Promise.all(others.map((host) => host.start()));
    say(`Quad runs on two machines after ${Math.round(performance.now() - begun)} ms`);
    return {
      url: `http://localhost:${port}`,
      folder,
      network,
      databases,
      apps,
      store,
      proxy,
      mail: {
        take: (to) =>
          waitForValue(
            `mail to ${to}`,
            async () => {
              const sql = (await findPrimary())?.open('quad');
              if (!sql) return undefined;
              const [mail] = await sql<{ text: string }[]>`
                SELECT text_body AS text FROM private.mailbox WHERE recipient = ${to} ORDER BY id DESC LIMIT 1`;
              await sql.end();
              return mail;
            },
            30_000,
          ),
      },
      findPrimary,
      healthy,
      findEtcdLeader: async () => {
        const leader = await findEtcdLeader(network);
        return databases.find(({ name }) => name === leader) as DatabaseMachine;
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};
