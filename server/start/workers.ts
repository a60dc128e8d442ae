import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '#server/config.ts';
import { createLog } from '#server/platform/process/log.ts';
import { openRpc, type RpcClient } from '#server/platform/process/worker-rpc.ts';
import {
  type ConnectionLimitHandlers,
  createConnectionLimitHandlers,
} from '#server/realtime/worker-connection-limits.ts';
import { type LinePrinter, prepareQuad } from './prepare.ts';
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

/** RPC handlers of a serving worker. */
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
  const log = createLog();
  const prepared = await prepareQuad(config, say, log);
  // With round-robin scheduling, this process would also accept connections while all workers are
  // stopping, and no worker would handle them. Workers that accept connections themselves leave
  // such connections in the inherited socket, for the next server process.
  if (config.listenFd !== undefined) cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.ts', import.meta.url)) });
  const workers = new Map<number, RunningWorker>();
  /** RPC clients of the workers that are serving requests, by worker index. */
  const servingWorkers = new Map<number, RpcClient<WorkerHandlers>>();
  const sockets = await startConnectionLimits(config, log).catch(async (error: unknown) => {
    await prepared.stop();
    throw error;
  });
  let failedStarts = 0;
  let stopping = false;

  const readMetricsExcept = async (workerIndex: number): Promise<string[]> => {
    const others = [...servingWorkers].filter(([other]) => other !== workerIndex);
    const asked = others.map(([, rpc]) => rpc.call('readOwn', undefined, workerMetricsTimeoutMs));
    return (await Promise.allSettled(asked)).flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  };

  const startWorkerAt = (workerIndex: number): RunningWorker => {
    const { releaseAll, ...ofSockets } = createConnectionLimitHandlers(sockets.connectionLimits);
    const started = startWorker(
      { databaseUrl: prepared.databaseUrl, workerIndex, listenFd: config.listenFd },
      { ...ofSockets, readOthers: () => readMetricsExcept(workerIndex) },
    );
    workers.set(workerIndex, started);
    void started.ended.then(() => {
      servingWorkers.delete(workerIndex);
      releaseAll();
    });
    started.serving.then(
      () => {
        servingWorkers.set(workerIndex, started.rpc);
        failedStarts = 0;
        log.info({ workerIndex, worker: started.pid }, 'a worker serves');
      },
      () => {},
    );
    return started;
  };

  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all([...workers.values()].map((worker) => worker.stop()));
    await sockets.close();
    await prepared.stop();
  };

  const superviseWorker = async (workerIndex: number, first: RunningWorker): Promise<void> => {
    let earlyExits = 0;
    for (let worker = first; ; worker = startWorkerAt(workerIndex)) {
      const { why, served, onRequest, lastedMs } = await worker.ended;
      workers.delete(workerIndex);
      if (stopping) return;
      if (!served) failedStarts += 1;
      if (onRequest) log.info({ workerIndex, worker: worker.pid }, 'a worker ended on request');
      else log.error({ workerIndex, worker: worker.pid, why }, 'a worker ended');
      if (servingWorkers.size === 0 && failedStarts >= maxFailedStarts) {
        await stop();
        return giveUp(new Error(`No worker can be started: ${why}`));
      }
      earlyExits = lastedMs < stableRuntimeMs ? earlyExits + 1 : 0;
      const wait =
        earlyExits === 0 ? 0 : Math.min(firstRestartDelayMs * 2 ** (earlyExits - 1), maxRestartDelayMs);
      await delay(wait);
      if (stopping) return;
    }
  };

  try {
    // Start one worker first: a problem that affects all workers then causes one error instead of
    // one per worker.
    const first = startWorkerAt(1);
    await first.serving;
    const others = Array.from({ length: config.workers - 1 }, (_, index) => startWorkerAt(index + 2));
    await Promise.all(others.map((worker) => worker.serving));
    for (const [workerIndex, worker] of workers) void superviseWorker(workerIndex, worker);
  } catch (error) {
    await stop();
    throw error;
  }
  say(prepared.welcome);
  return { stop };
};
