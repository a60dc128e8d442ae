import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../cluster/cluster.ts';
import { waitForValue } from '../cluster/machine-process.ts';
import { createNextVersion } from '../support/next-version.ts';

/** A fault or planned event in a cluster, such as a crash or an upgrade. */
export interface ClusterFault {
  /** Whether the fault makes another machine the primary. */
  isFailover: boolean;
  /**
   * Causes the fault. Returns a function that repairs what does not recover by itself, to be called when the
   * service has recovered.
   */
  cause(cluster: Cluster): Promise<() => Promise<void> | void>;
}

const drainTimeoutMs = 60_000;
const startTimeoutMs = 60_000;

/** Replaces the processes of both application hosts, one host after the other, as docs/operations.md describes. */
const upgradeHosts = async ({ apps, proxy }: Cluster): Promise<void> => {
  for (const host of apps) {
    proxy.setInService(host.name, false);
    let drainedLooks = 0;
    await waitForValue(
      `${host.name} without requests`,
      async () => {
        // After loading the new configuration, nginx closes its idle connections. The host is drained when
        // all remaining connections are WebSockets.
        const { all, sockets } = await host.countConnections();
        drainedLooks = all === sockets ? drainedLooks + 1 : 0;
        return drainedLooks >= 3 || undefined;
      },
      drainTimeoutMs,
    );
    await host.stop();
    await host.start();
    await waitForValue(`${host.name} ready`, async () => (await host.isReady()) || undefined, startTimeoutMs);
    proxy.setInService(host.name, true);
  }
};

const nothingToRepair = (): void => {};

export const clusterFaults = {
  'PostgreSQL crashes': {
    isFailover: true,
    cause: async (cluster) => {
      const { primary } = await cluster.healthy();
      primary.crashPostgres();
      return nothingToRepair;
    },
  },
  'the primary is lost': {
    isFailover: true,
    cause: async (cluster) => {
      const { primary } = await cluster.healthy();
      primary.kill();
      return primary.start;
    },
  },
  'the primary freezes': {
    isFailover: true,
    cause: async (cluster) => {
      const { primary } = await cluster.healthy();
      primary.freeze();
      return primary.thaw;
    },
  },
  'the primary is cut off from the other database machines': {
    isFailover: true,
    cause: async ({ healthy, databases, network }) => {
      const { primary } = await healthy();
      const others = databases.filter((machine) => machine !== primary);
      for (const other of others) network.cut(primary.name, other.name);
      return () => {
        for (const other of others) network.heal(primary.name, other.name);
      };
    },
  },
  'planned switchover': {
    isFailover: true,
    cause: async (cluster) => {
      const { primary, standby } = await cluster.healthy();
      const command = ['patronictl', '-c', `${primary.folder}/patroni.yml`, 'switchover', '--force'];
      await standby.run([...command, '--master', primary.name, '--candidate', standby.name, 'quad']);
      return nothingToRepair;
    },
  },
  'a cut between primary and standby': {
    isFailover: false,
    cause: async ({ healthy, network }) => {
      const { primary, standby } = await healthy();
      network.cut(primary.name, standby.name);
      return () => network.heal(primary.name, standby.name);
    },
  },
  'an application host is lost': {
    isFailover: false,
    cause: async ({ apps: [, host] }) => {
      await host?.kill();
      return () => host?.start();
    },
  },
  'Redis is lost': {
    isFailover: false,
    cause: async ({ store }) => {
      await store.killRedis();
      return store.startRedis;
    },
  },
  "etcd's leader is lost": {
    isFailover: false,
    cause: async (cluster) => {
      const leader = await cluster.findEtcdLeader();
      leader.killEtcd();
      return leader.startEtcd;
    },
  },
  'rolling upgrade': {
    isFailover: false,
    cause: async (cluster) => {
      await upgradeHosts(cluster);
      return nothingToRepair;
    },
  },
  'rolling upgrade with a migration': {
    isFailover: false,
    cause: async (cluster) => {
      const nextVersion = join(cluster.folder, 'next-version');
      if (!existsSync(nextVersion)) createNextVersion(nextVersion);
      // From now on both hosts start the next version, even in later faults.
      for (const host of cluster.apps) host.install(nextVersion);
      await waitForValue(
        'a migrated database',
        () =>
          cluster.apps[0]?.migrate().then(
            () => true,
            (error: Error) => {
              // On an overloaded machine, Patroni may be switching to another primary at this moment, so run
              // the migration again.
              if (error.message.includes('none of the servers is a primary')) return undefined;
              throw error;
            },
          ),
        startTimeoutMs,
      );
      await upgradeHosts(cluster);
      return nothingToRepair;
    },
  },
} satisfies Record<string, ClusterFault>;

export type ClusterFaultName = keyof typeof clusterFaults;
