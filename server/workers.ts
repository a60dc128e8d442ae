import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import { createLog } from './platform/log.ts';
import { type Line, openLine } from './platform/process-line.ts';
import { prepareQuad, type Say } from './prepare.ts';
import { createPlaces } from './realtime/places.ts';
import { answerPlaces, type PlaceAnswers } from './realtime/places-of-workers.ts';
import type { Serving } from './serving.ts';

/** What a worker is told, once. */
export interface WorkerOrder {
  databaseUrl: string;
  /** Which of the workers it is, from 1; who takes the place of a dead one is the same. */
  place: number;
  /** The inherited socket to listen on; the descriptor is the supervisor's. */
  listenFd: number | undefined;
}

/** What a worker tells: that it serves, or why it cannot. */
export type WorkerReport = { serving: true } | { failed: string };

/** What a worker is asked while it serves. */
export interface WorkerAnswers {
  /** Its numbers, as Prometheus reads them. */
  readOwn(): Promise<string>;
}

/** What workers ask: what all of them know together. */
export interface WatcherAnswers extends PlaceAnswers {
  /** The numbers of the others, of those that answer in time. */
  readOthers(): Promise<string[]>;
}

interface Started {
  pid: number | undefined;
  line: Line<WorkerAnswers>;
  /** Resolves when it serves; rejects when it ends before. */
  serving: Promise<void>;
  ended: Promise<{ why: string; served: boolean; onRequest: boolean; lastedMs: number }>;
  stop(): Promise<void>;
}

/** Leaves time, within the ten seconds of a stop, to end the workers that do not and to stop the database. */
const farewellMs = 8_000;
/** Who lasted longer is replaced at once; others after a wait that doubles. */
const steadyMs = 10_000;
const firstWaitMs = 100;
const longestWaitMs = 10_000;
/** So many that end before they serve, one after the other while nobody serves, are enough. */
const fruitlessAtMost = 5;
/** Who reads the numbers of all is answered without a worker that hangs. */
const readingMs = 1000;

/** Starts a worker process, tells it what it is to do, and answers what it asks. */
const startWorker = (order: WorkerOrder, answers: WatcherAnswers): Started => {
  const begun = performance.now();
  const worker = cluster.fork();
  let served = false;
  let reason: string | undefined;
  worker.send(order);
  const line = openLine<WorkerAnswers>(worker, answers);
  // That it is gone while it is written to is told by its exit.
  worker.on('error', () => {});
  const ended: Started['ended'] = new Promise((resolve) => {
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
  // Whoever does not wait for it hears of the end all the same.
  serving.catch(() => {});
  const stop = async (): Promise<void> => {
    const impatience = setTimeout(() => {
      process.exitCode = 1;
      worker.process.kill('SIGKILL');
    }, farewellMs);
    worker.process.kill('SIGTERM');
    await ended;
    clearTimeout(impatience);
  };
  return { pid: worker.process.pid, line, serving, ended, stop };
};

/**
 * Starts Quad in several processes that share one port: this one prepares and watches, the workers serve. One that dies
 * is started again. `giveUp` hears why when none can be brought to serve any more; all is stopped by then.
 */
export const startWorkers = async (
  config: Config,
  say: Say,
  giveUp: (reason: Error) => void,
): Promise<Serving> => {
  const log = createLog();
  const prepared = await prepareQuad(config, say, log);
  // Handing connections out in turn, this process would accept some that no worker takes any more while all of them
  // stop. Workers that accept by themselves leave them in the inherited socket, for the next process.
  if (config.listenFd !== undefined) cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.ts', import.meta.url)) });
  const places = new Map<number, Started>();
  /** Those that serve, by their places. */
  const lines = new Map<number, Line<WorkerAnswers>>();
  const sockets = createPlaces();
  let fruitless = 0;
  let stopping = false;

  const readAllBut = async (place: number): Promise<string[]> => {
    const others = [...lines].filter(([other]) => other !== place);
    const asked = others.map(([, line]) => line.ask('readOwn', undefined, readingMs));
    return (await Promise.allSettled(asked)).flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  };

  const fill = (place: number): Started => {
    const { leaveAll, ...ofSockets } = answerPlaces(sockets);
    const started = startWorker(
      { databaseUrl: prepared.databaseUrl, place, listenFd: config.listenFd },
      { ...ofSockets, readOthers: () => readAllBut(place) },
    );
    places.set(place, started);
    void started.ended.then(() => {
      lines.delete(place);
      leaveAll();
    });
    started.serving.then(
      () => {
        lines.set(place, started.line);
        fruitless = 0;
        log.info({ place, worker: started.pid }, 'a worker serves');
      },
      () => {},
    );
    return started;
  };

  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all([...places.values()].map((worker) => worker.stop()));
    await prepared.stop();
  };

  const keepFilled = async (place: number, first: Started): Promise<void> => {
    let quickDeaths = 0;
    for (let worker = first; ; worker = fill(place)) {
      const { why, served, onRequest, lastedMs } = await worker.ended;
      places.delete(place);
      if (stopping) return;
      if (!served) fruitless += 1;
      if (onRequest) log.info({ place, worker: worker.pid }, 'a worker ended on request');
      else log.error({ place, worker: worker.pid, why }, 'a worker ended');
      if (lines.size === 0 && fruitless >= fruitlessAtMost) {
        await stop();
        return giveUp(new Error(`No worker can be started: ${why}`));
      }
      const wait = quickDeaths === 0 ? 0 : Math.min(firstWaitMs * 2 ** (quickDeaths - 1), longestWaitMs);
      quickDeaths = lastedMs < steadyMs ? quickDeaths + 1 : 0;
      await delay(wait);
      if (stopping) return;
    }
  };

  try {
    // One goes first: what keeps it from starting is said once.
    const first = fill(1);
    await first.serving;
    const others = Array.from({ length: config.workers - 1 }, (_, index) => fill(index + 2));
    await Promise.all(others.map((worker) => worker.serving));
    for (const [place, worker] of places) void keepFilled(place, worker);
  } catch (error) {
    await stop();
    throw error;
  }
  say(prepared.welcome);
  return { stop };
};
