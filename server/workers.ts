import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog } from '#server/platform/process/log.ts';
import { openRpc, type RpcClient } from '#server/platform/process/worker-rpc.ts';
import { createConnectionLimits } from '#server/realtime/connection-limits.ts';
import {
  type ConnectionLimitHandlers,
  serveConnectionLimits,
} from '#server/realtime/worker-connection-limits.ts';
import type { Config } from './config.ts';
import { prepareQuad, type Say } from './prepare.ts';
import type { Serving } from './serving.ts';

/** The start message of a worker. */
export interface WorkerOrder {
  databaseUrl: string;
  /** Index of the worker, from 1; a replacement gets the index of the worker that exited. */
  workerIndex: number;
  /** The inherited socket to listen on; the descriptor is the supervisor's. */
  listenFd: number | undefined;
}

/** A worker's report: that it is serving, or why it cannot. */
export type WorkerReport = { serving: true } | { failed: string };

/** RPC handlers of a serving worker. */
export interface WorkerHandlers {
  /** Returns its metrics in Prometheus format. */
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
  /** Resolves when the worker serves; rejects when it exits first. */
  serving: Promise<void>;
  ended: Promise<{ why: string; served: boolean; onRequest: boolean; lastedMs: number }>;
  stop(): Promise<void>;
}

/**
 * Timeout for a worker to stop. It leaves time within the ten-second shutdown to kill workers that hang and to stop the
 * database.
 */
const workerStopTimeoutMs = 8_000;
/** Workers that ran longer restart immediately; others with exponential back-off. */
const stableAfterMs = 10_000;
const firstRestartDelayMs = 100;
const maxRestartDelayMs = 10_000;
/** The supervisor gives up when this many workers in a row exited before serving and no other worker serves. */
const maxFailedStarts = 5;
/** Timeout for reading one worker's metrics; a scrape leaves out workers that do not reply in time. */
const workerMetricsTimeoutMs = 1000;

/** Starts a worker process, sends its start message and serves its RPC calls. */
const startWorker = (order: WorkerOrder, handlers: SupervisorHandlers): RunningWorker => {
  const begun = performance.now();
  const worker = cluster.fork();
  let served = false;
  let reason: string | undefined;
  worker.send(order);
  const rpc = openRpc<WorkerHandlers>(worker, handlers);
  // Write errors to an exited worker are ignored; its exit event reports it.
  worker.on('error', () => {});
  const ended: RunningWorker['ended'] = new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      const why = reason ?? `it ended with ${signal || code}`;
      const onRequest = served && code === 0;
      resolve({ why, served, onRequest, lastedMs: performance.now() - begun });
    });
  });
  const serving = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: WorkerReport) => {
      if ('failed' in report) reason = report.failed;
      if (!('serving' in report)) return;
      served = true;
      resolve();
    });
    void ended.then(({ why }) => reject(new Error(reason ?? `A worker could not start: ${why}`)));
  });
  // Marks a rejection as handled for callers that do not wait; the exit is reported separately.
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
 * Starts Quad in several processes that share one port: this one prepares and supervises, the workers serve. A worker
 * that exits is restarted. When no worker can serve, stops everything and calls `giveUp` with the reason.
 */
export const startWorkers = async (
  config: Config,
  say: Say,
  giveUp: (reason: Error) => void,
): Promise<Serving> => {
  const log = createLog();
  const prepared = await prepareQuad(config, say, log);
  // With round-robin scheduling this process would accept connections that no worker handles while all of them stop.
  // Workers that accept by themselves leave such connections in the inherited socket, for the next process.
  if (config.listenFd !== undefined) cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.ts', import.meta.url)) });
  const workers = new Map<number, RunningWorker>();
  /** Serving workers by index. */
  const servingWorkers = new Map<number, RpcClient<WorkerHandlers>>();
  const sockets = createConnectionLimits();
  let failedStarts = 0;
  let stopping = false;

  const readMetricsExcept = async (workerIndex: number): Promise<string[]> => {
    const others = [...servingWorkers].filter(([other]) => other !== workerIndex);
    const asked = others.map(([, rpc]) => rpc.call('readOwn', undefined, workerMetricsTimeoutMs));
    return (await Promise.allSettled(asked)).flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  };

  const startWorkerAt = (workerIndex: number): RunningWorker => {
    const { releaseAll, ...ofSockets } = serveConnectionLimits(sockets);
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
      const wait =
        earlyExits === 0 ? 0 : Math.min(firstRestartDelayMs * 2 ** (earlyExits - 1), maxRestartDelayMs);
      earlyExits = lastedMs < stableAfterMs ? earlyExits + 1 : 0;
      await delay(wait);
      if (stopping) return;
    }
  };

  try {
    // Start one first, so that a problem that affects all of them is reported once.
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
