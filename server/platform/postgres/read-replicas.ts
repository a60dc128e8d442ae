import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Sql } from './database.ts';
import { createReplicationHeartbeat } from './replication-heartbeat.ts';
import type { SearchRunner } from './search-database.ts';
import { openStandby, type Standby } from './standby.ts';

/** Number of connections to each standby that are used for searches. */
const connectionsPerStandby = 4;
const defaultIntervalMs = 1_000;

interface ReadReplicaOptions {
  /** Connection strings, each for a single server. */
  urls: string[];
  sql: Sql;
  /** Runs a search on the primary instead of on a standby. */
  runOnPrimary: SearchRunner;
  bus: Pick<Bus, 'subscribe' | 'isDisconnected'>;
  clock: Clock;
  log: Log;
  /** Called for each search with the kind of server that handled it. */
  onSearch?: (server: 'standby' | 'primary') => void;
  /**
   * Called after each probe with the lag of the standby in seconds, or with undefined when the standby is not
   * used.
   */
  onProbe?: (standby: string, lagSeconds: number | undefined) => void;
  intervalMs?: number;
  /** How long a standby may take to answer a probe, in ms. */
  probeTimeoutMs?: number;
}

/** Runs searches on standbys where possible. */
export interface ReadReplicas {
  run: SearchRunner;
  /** Probes all servers immediately instead of at the next regular probe, which runs every second. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Returns a function that logs when searches begin or cease to use a standby. */
const createProblemLog = (log: Log) => {
  const problems = new Map<Standby, string | undefined>();
  return (standby: Standby, problem: string | undefined): void => {
    const isKnown = problem !== undefined || standby.lagMs() !== undefined;
    if (!isKnown || (problems.has(standby) && problems.get(standby) === problem)) return;
    // Do not log a closed connection to a server that was already unusable, because that is not a new
    // problem.
    if (problem?.endsWith('(CONNECTION_CLOSED)') && problems.get(standby) !== undefined) return;
    problems.set(standby, problem);
    if (problem === undefined) log.info(`searches use the standby ${standby.name} of QUAD_DATABASE_READ_URL`);
    else log.warn(`searches do not use ${standby.name} of QUAD_DATABASE_READ_URL: it ${problem}`);
  };
};

/**
 * Distributes searches among the standbys that are less than five seconds behind; uses the primary when there
 * is none or when a standby fails. A search sees every page-invalidating change that this process knows of:
 * its own changes and those that it learned of from other processes.
 */
export const openReadReplicas = ({
  urls,
  sql,
  runOnPrimary,
  bus,
  clock,
  log,
  onSearch = () => {},
  onProbe = () => {},
  intervalMs = defaultIntervalMs,
  probeTimeoutMs,
}: ReadReplicaOptions): ReadReplicas => {
  const heartbeat = createReplicationHeartbeat({ sql, clock });
  const standbys = urls.map((url) =>
    openStandby(url, { max: connectionsPerStandby, heartbeat, probeTimeoutMs }),
  );
  const recordProblem = createProblemLog(log);
  let turn = 0;

  let probing: Promise<void> | undefined;
  const probeAll = async (): Promise<void> => {
    await heartbeat.beat();
    await Promise.all(
      standbys.map(async (standby) => {
        recordProblem(standby, await standby.probe());
        const lagMs = standby.lagMs();
        onProbe(standby.name, lagMs === undefined ? undefined : lagMs / 1000);
      }),
    );
  };
  const probe = (): Promise<void> => {
    probing ??= probeAll().finally(() => {
      probing = undefined;
    });
    return probing;
  };

  const unsubscribe = bus.subscribe((announcement) => {
    if (announcement.kind === 'pages_changed') heartbeat.recordChange();
  }, heartbeat.recordChange);
  const timer = setInterval(() => void probe(), intervalMs);
  timer.unref();

  const findStandby = (): Standby | undefined => {
    const usable = standbys.filter((standby) => standby.lagMs() !== undefined);
    turn += 1;
    return usable[turn % usable.length];
  };

  return {
    probe,
    run: async (work) => {
      const required = heartbeat.findRequiredBeat();
      const standby = required === undefined || bus.isDisconnected() ? undefined : findStandby();
      if (required !== undefined && standby) {
        try {
          const found = await standby.run(work, required);
          onSearch('standby');
          return found;
        } catch {
          // Fall back to the primary: the standby may be behind or failing. If the search itself is faulty,
          // the primary reports the error.
        }
      }
      onSearch('primary');
      return runOnPrimary(work);
    },
    close: async () => {
      clearInterval(timer);
      unsubscribe();
      await probing;
      await Promise.all(standbys.map((standby) => standby.close()));
    },
  };
};
