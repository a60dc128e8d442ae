import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '#server/config.ts';
import { type LinePrinter, type Log, openLog } from '#server/platform/process/log.ts';
import { openRpc, type RpcClient } from '#server/platform/process/worker-rpc.ts';
import type { ConnectionLimits } from '#server/realtime/connection-limits.ts';
import {
  type ConnectionLimitHandlers,
  createConnectionLimitHandlers,
} from '#server/realtime/worker-connection-limits.ts';
import { prepareQuad } from './prepare.ts';
import type { RunningServer } from './serving.ts';
import { startConnectionLimits } from './start-connection-limits.ts';

/** The message with which the supervisor tells a new worker what to serve. */
export interface WorkerStartMessage {
  databaseUrl: string;
  /** Index of the worker, from 1; a replacement gets the index of the worker that exited. */
  workerIndex: number;
  /**
   * File descriptor, in the supervisor, of the inherited socket on which the worker listens, or undefined
   * when no socket was inherited.
   */
  listenFd: number | undefined;
}

/** A worker's report: that it is serving, or why it cannot. */
export type WorkerStartReport = { serving: true } | { failed: string };

export interface WorkerHandlers {
  /** Returns the worker's metrics in Prometheus format. */
  readOwn(): Promise<string>;
}

/** RPC handlers of the supervisor, which workers call for connection limits and for one another's metrics. */
export interface SupervisorHandlers extends ConnectionLimitHandlers {
  /** Returns the metrics of the other workers that respond in time. */
  readOthers(): Promise<string[]>;
}

interface RunningWorker {
  pid: number | undefined;
  rpc: RpcClient<WorkerHandlers>;
  /** Resolves when the worker is ready to serve requests; rejects when it exits before that. */
  serving: Promise<void>;
  ended: Promise<{ why: string; served: boolean; onRequest: boolean; lastedMs: number }>;
  stop(): Promise<void>;
}

/**
 * How long a worker may take to stop before it is killed. The rest of the ten seconds for the whole
 * shutdown is left for stopping the database.
 */
const workerStopTimeoutMs = 8_000;
/**
 * A worker that exits before it has run this long counts as an early exit. Repeated early exits
 * delay the restart with exponential back-off.
 */
const stableRuntimeMs = 10_000;
const firstRestartDelayMs = 100;
const maxRestartDelayMs = 10_000;
/**
 * The supervisor gives up when this many workers in a row exited before they served requests and no
 * other worker is serving.
 */
const maxFailedStarts = 5;
/**
 * Timeout for reading the metrics of one worker; the combined metrics leave out workers that do not
 * reply in time.
 */
const workerMetricsTimeoutMs = 1000;

/** Starts a worker process, sends its start message and serves its RPC calls. */
const startWorker = (order: WorkerStartMessage, handlers: SupervisorHandlers): RunningWorker => {
  const begun = performance.now();
  const worker = cluster.fork();
  let served = false;
  let reason: string | undefined;
  worker.send(order);
  const rpc = openRpc<WorkerHandlers>(worker, handlers);
  // Ignore errors when writing to a worker that has exited; its `exit` event, handled below,
  // reports the exit.
  worker.on('error', () => {});
  const ended: RunningWorker['ended'] = new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      const why = reason ?? `it ended with ${signal || code}`;
      const onRequest = served && code === 0;
      resolve({ why, served, onRequest, lastedMs: performance.now() - begun });
    });
  });
  const serving = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: WorkerStartReport) => {
      if ('failed' in report) reason = report.failed;
      if (!('serving' in report)) return;
      served = true;
      resolve();
    });
    void ended.then(({ why }) => reject(new Error(reason ?? `A worker could not start: ${why}`)));
  });
  // Prevents an unhandled rejection when no caller waits for `serving`; `ended` reports the exit in
  // any case.
  serving.catch(() => {});
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => {
      process.exitCode = 1;
      worker.process.kill('SIGKILL');
    }, workerStopTimeoutMs);
    worker.process.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  };
  return { pid: worker.process.pid, rpc, serving, ended, stop };
};

/** The supervisor's view of the workers, and what it starts them with. */
interface Supervisor {
  readonly config: Config;
  readonly log: Log;
  readonly databaseUrl: string;
  readonly connectionLimits: ConnectionLimits;
  readonly workers: Map<number, RunningWorker>;
  /** RPC clients of the workers that are serving requests, by worker index. */
  readonly servingWorkers: Map<number, RpcClient<WorkerHandlers>>;
  /** Number of workers that exited before they served requests, since one last began to serve. */
  failedStarts: number;
  isStopping: boolean;
  /** Stops the workers and everything that they share. */
  stop(): Promise<void>;
  giveUp(reason: Error): void;
}

const readMetricsExcept = async ({ servingWorkers }: Supervisor, workerIndex: number): Promise<string[]> => {
  const others = [...servingWorkers].filter(([other]) => other !== workerIndex);
  const asked = others.map(([, rpc]) => rpc.call('readOwn', undefined, workerMetricsTimeoutMs));
  return (await Promise.allSettled(asked)).flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
};

const startWorkerAt = (supervisor: Supervisor, workerIndex: number): RunningWorker => {
  const { config, log, databaseUrl, workers, servingWorkers } = supervisor;
  const { releaseAll, ...ofSockets } = createConnectionLimitHandlers(supervisor.connectionLimits);
  const started = startWorker(
    { databaseUrl, workerIndex, listenFd: config.listenFd },
    { ...ofSockets, readOthers: () => readMetricsExcept(supervisor, workerIndex) },
  );
  workers.set(workerIndex, started);
  void started.ended.then(() => {
    servingWorkers.delete(workerIndex);
    releaseAll();
  });
  started.serving.then(
    () => {
      servingWorkers.set(workerIndex, started.rpc);
      supervisor.failedStarts = 0;
      log.info({ workerIndex, worker: started.pid }, 'a worker serves');
    },
    () => {},
  );
  return started;
};

/** Returns how long to wait before a worker is restarted, in ms, after this many early exits in a row. */
const getRestartDelay = (earlyExits: number): number =>
  earlyExits === 0 ? 0 : Math.min(firstRestartDelayMs * 2 ** (earlyExits - 1), maxRestartDelayMs);

/** Restarts a worker whenever it exits, until the supervisor stops or gives up. */
const superviseWorker = async (
  supervisor: Supervisor,
  workerIndex: number,
  first: RunningWorker,
): Promise<void> => {
  const { log, workers, servingWorkers } = supervisor;
  let earlyExits = 0;
  for (let worker = first; ; worker = startWorkerAt(supervisor, workerIndex)) {
    const { why, served, onRequest, lastedMs } = await worker.ended;
    workers.delete(workerIndex);
    if (supervisor.isStopping) return;
    if (!served) supervisor.failedStarts += 1;
    if (onRequest) log.info({ workerIndex, worker: worker.pid }, 'a worker ended on request');
    else log.error({ workerIndex, worker: worker.pid, why }, 'a worker ended');
    if (servingWorkers.size === 0 && supervisor.failedStarts >= maxFailedStarts) {
      await supervisor.stop();
      return supervisor.giveUp(new Error(`No worker can be started: ${why}`));
    }
    earlyExits = lastedMs < stableRuntimeMs ? earlyExits + 1 : 0;
    await delay(getRestartDelay(earlyExits));
    if (supervisor.isStopping) return;
  }
};

/**
 * Starts Quad in several processes that share one port: this process prepares the database and
 * supervises; the workers serve requests. A worker that exits is restarted. When no worker can
 * serve, stops everything and calls `giveUp` with the reason.
 */
export const startWorkers = async (
  config: Config,
  say: LinePrinter,
  giveUp: (reason: Error) => void,
): Promise<RunningServer> => {
  const log = openLog(config);
  const prepared = await prepareQuad(config, say, log);
  // With round-robin scheduling, this process would also accept connections while all workers are
  // stopping, and no worker would handle them. Workers that accept connections themselves leave
  // such connections in the inherited socket, for the next server process.
  if (config.listenFd !== undefined) cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.ts', import.meta.url)) });
  const sockets = await startConnectionLimits(config, log).catch(async (error: unknown) => {
    await prepared.stop();
    throw error;
  });
  const supervisor: Supervisor = {
    ...{ config, log, giveUp },
    databaseUrl: prepared.databaseUrl,
    connectionLimits: sockets.connectionLimits,
    workers: new Map(),
    servingWorkers: new Map(),
    failedStarts: 0,
    isStopping: false,
    stop: async () => {
      supervisor.isStopping = true;
      await Promise.all([...supervisor.workers.values()].map((worker) => worker.stop()));
      await sockets.close();
      await prepared.stop();
    },
  };

  try {
    // Start one worker first: a problem that affects all workers then causes one error instead of
    // one per worker.
    const first = startWorkerAt(supervisor, 1);
    await first.serving;
    const others = Array.from({ length: config.workers - 1 }, (_, index) =>
      startWorkerAt(supervisor, index + 2),
    );
    await Promise.all(others.map((worker) => worker.serving));
    for (const [workerIndex, worker] of supervisor.workers)
      void superviseWorker(supervisor, workerIndex, worker);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  say(prepared.welcome);
  return { stop: supervisor.stop };
};
