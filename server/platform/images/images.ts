import { type ChildProcess, fork } from 'node:child_process';
import type { ImageJob, ImageReply, ImageResult, RecipeName } from './image-recipes.ts';

/** Turns uploads into pictures that are safe to serve, in a separate process. */
export interface Images {
  /**
   * Processes one uploaded file and writes the results into `folder`, which must exist and which the caller removes.
   * Processes one file at a time; others queue. Never throws: every failure is returned as a refusal.
   */
  process(job: { source: string; folder: string; recipe: RecipeName }): Promise<ImageResult>;
  /** Number of images being processed or queued. */
  load(): number;
  /** Process id of the running image process. */
  pid(): number | undefined;
  /** Stops the image process; work in progress is refused as failed. */
  close(): void;
}

interface QueuedJob {
  job: ImageJob;
  resolve(result: ImageResult): void;
}

/**
 * Creates the queue in front of the image process, which starts lazily, restarts after a crash and ends when idle.
 * `timeLimit`: milliseconds for one image; `idleLimit`: milliseconds without work; `longestQueue`: images that may
 * wait; `niceness`: the scheduling priority of the process, from 0 (like the server) to 19. By default requests come
 * first and images take what is left of the processor.
 */
export const createImages = ({
  timeLimit = 30_000,
  idleLimit = 60_000,
  longestQueue = 100,
  niceness = 10,
} = {}): Images => {
  const queue: QueuedJob[] = [];
  let child: ChildProcess | undefined;
  let current: QueuedJob | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let closed = false;

  const settle = (result: ImageResult) => {
    const done = current;
    current = undefined;
    done?.resolve(result);
    next();
  };

  const start = (): ChildProcess => {
    const started = fork(new URL('./image-process.ts', import.meta.url), {
      execArgv: [],
      // The process decodes hostile files, so it gets no environment with secrets. Fewer allocation arenas: measured
      // 240 instead of 370 MB at the peak, at the same speed.
      env: { MALLOC_ARENA_MAX: '2', NICENESS: String(niceness) },
    });
    // An idle image process must not keep the parent process alive.
    started.unref();
    started.channel?.unref();
    started.on('message', (message: ImageReply) => {
      const { id, ...result } = message;
      if (current?.job.id === id) settle(result);
    });
    const onExit = () => {
      if (child !== started) return;
      child = undefined;
      if (current) settle({ refused: 'failed' });
    };
    started.on('exit', onExit);
    started.on('error', onExit);
    return started;
  };

  const next = () => {
    if (current || closed) return;
    clearTimeout(timer);
    current = queue.shift();
    if (!current) {
      timer = setTimeout(() => child?.kill(), idleLimit).unref();
      return;
    }
    if (!child?.connected) child = start();
    const working = child;
    timer = setTimeout(() => working.kill('SIGKILL'), timeLimit);
    // If the process is dying, its exit handler reports the failure.
    working.send(current.job, () => {});
  };

  return {
    process: (job) =>
      new Promise((resolve) => {
        if (closed) return resolve({ refused: 'failed' });
        if (queue.length >= longestQueue) return resolve({ refused: 'busy' });
        lastId += 1;
        queue.push({ job: { id: lastId, ...job }, resolve });
        next();
      }),
    load: () => queue.length + (current ? 1 : 0),
    pid: () => child?.pid,
    close() {
      closed = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
      for (const queuedJob of queue.splice(0)) queuedJob.resolve({ refused: 'failed' });
    },
  };
};
