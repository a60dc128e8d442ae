import { type ChildProcess, fork } from 'node:child_process';
import type { ImageJob, ImagePresetName, ImageReply, ImageResult } from './image-presets.ts';

/** Converts uploaded images, in a separate process, into pictures that are safe to serve. */
export interface ImageProcessor {
  /**
   * Processes one uploaded file and writes the results into `folder`, which must exist and which the caller removes.
   * Jobs run one at a time; the others wait in a queue. Never throws: every failure is returned as a refusal.
   */
  process(job: { source: string; folder: string; preset: ImagePresetName }): Promise<ImageResult>;
  /** Number of images being processed or queued. */
  load(): number;
  /** Process id of the image process, or undefined while the process is not running. */
  pid(): number | undefined;
  /** Stops the image process; the image in progress and queued ones are refused as `failed`. */
  close(): void;
}

interface QueuedJob {
  job: ImageJob;
  resolve(result: ImageResult): void;
}

/**
 * Creates the queue in front of the image process. The process starts with the first image, restarts after a
 * crash and ends after `idleLimitMs` without work. `timeLimitMs` limits how long one image is processed;
 * `maxQueuedJobs` limits how many images wait. `niceness` is the scheduling priority of the process, from 0
 * (the same as the server) to 19. With the default, requests have priority over images.
 */
export const createImageProcessor = ({
  timeLimitMs = 30_000,
  idleLimitMs = 60_000,
  maxQueuedJobs = 100,
  niceness = 10,
} = {}): ImageProcessor => {
  const queue: QueuedJob[] = [];
  let child: ChildProcess | undefined;
  let current: QueuedJob | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;

  const finishCurrentJob = (result: ImageResult) => {
    const done = current;
    current = undefined;
    done?.resolve(result);
    startNextJob();
  };

  const startChild = (): ChildProcess => {
    const started = fork(new URL('./image-process.ts', import.meta.url), {
      execArgv: [],
      // The process decodes hostile files, so it does not inherit the environment, which contains secrets. Limiting
      // malloc to two arenas lowered the measured peak memory from 370 to 240 MB at the same speed.
      env: { MALLOC_ARENA_MAX: '2', NICENESS: String(niceness) },
    });
    // Unreference the image process, so that it does not keep the parent process alive while idle.
    started.unref();
    started.channel?.unref();
    started.on('message', (message: ImageReply) => {
      const { id, ...result } = message;
      if (current?.job.id === id) finishCurrentJob(result);
    });
    const onExit = () => {
      if (child !== started) return;
      child = undefined;
      if (current) finishCurrentJob({ refused: 'failed' });
    };
    started.on('exit', onExit);
    started.on('error', onExit);
    return started;
  };

  const endIdleChild = () => {
    const idle = child;
    // The next image must not go to a process that is ending but still connected.
    child = undefined;
    idle?.kill();
  };

  const startNextJob = () => {
    if (current || isClosed) return;
    clearTimeout(timer);
    current = queue.shift();
    if (!current) {
      timer = setTimeout(endIdleChild, idleLimitMs).unref();
      return;
    }
    if (!child?.connected) child = startChild();
    const working = child;
    timer = setTimeout(() => working.kill('SIGKILL'), timeLimitMs);
    // A send error is ignored: the process has then exited, and `onExit` reports the failure.
    working.send(current.job, () => {});
  };

  return {
    process: (job) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ refused: 'failed' });
        if (queue.length >= maxQueuedJobs) return resolve({ refused: 'busy' });
        lastId += 1;
        queue.push({ job: { id: lastId, ...job }, resolve });
        startNextJob();
      }),
    load: () => queue.length + (current ? 1 : 0),
    pid: () => child?.pid,
    close() {
      isClosed = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
      for (const queuedJob of queue.splice(0)) queuedJob.resolve({ refused: 'failed' });
    },
  };
};
