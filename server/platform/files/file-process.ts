import { type ChildProcess, fork } from 'node:child_process';

/** Why a task has no result. */
export type FileTaskRefusal =
  /** The task took longer than the time limit. */
  | 'timed_out'
  /** The work threw an error, the process crashed, or it was closed. */
  | 'failed'
  /** Too many tasks are already waiting. */
  | 'busy';

/** A separate process that works on uploaded files, which may be hostile. */
export interface FileProcess<Task, Result> {
  /**
   * Performs one task. Tasks run one at a time; the others wait in a queue. Never throws: every failure is returned
   * as a refusal.
   */
  process(task: Task): Promise<Result | { refused: FileTaskRefusal }>;
  /** Number of tasks being processed or queued. */
  load(): number;
  /** Id of the process, or undefined while it is not running. */
  pid(): number | undefined;
  /** Stops the process; the task in progress and queued ones are refused as `failed`. */
  close(): void;
}

export interface FileProcessOptions {
  /** Limits how long one task takes, in ms. The process is then killed, and the next task gets a new one. */
  timeLimitMs?: number;
  /** How long an idle process waits for another task before it ends, in ms. */
  idleLimitMs?: number;
  maxQueuedTasks?: number;
  /**
   * Scheduling priority of the process, from 0 (the same as the server) to 19. With the default, requests have
   * priority over files.
   */
  niceness?: number;
}

/** A task or a result, with the number of the task, as sent over the IPC channel. */
export interface NumberedMessage<Content> {
  id: number;
  content: Content;
}

interface QueuedTask<Task, Result> {
  task: NumberedMessage<Task>;
  resolve(result: Result | { refused: FileTaskRefusal }): void;
}

const defaultOptions: Required<FileProcessOptions> = {
  timeLimitMs: 30_000,
  idleLimitMs: 60_000,
  maxQueuedTasks: 100,
  niceness: 10,
};

/** Starts a process that does not keep this one alive while it is idle. */
const forkUnreferenced = (entry: URL, niceness: number): ChildProcess => {
  const child = fork(entry, {
    execArgv: [],
    // The process reads hostile files, so it does not inherit the environment, which contains secrets. Limiting
    // malloc to two arenas lowered the measured peak memory for images from 370 to 240 MB at the same speed.
    env: { MALLOC_ARENA_MAX: '2', NICENESS: String(niceness) },
  });
  child.unref();
  child.channel?.unref();
  return child;
};

/**
 * Creates the queue in front of a process that runs the module `entry`, which calls `serveFileTasks`. The process
 * starts with the first task and restarts after a crash.
 */
export const createFileProcess = <Task, Result>(
  entry: URL,
  options: FileProcessOptions = {},
): FileProcess<Task, Result> => {
  const { timeLimitMs, idleLimitMs, maxQueuedTasks, niceness } = { ...defaultOptions, ...options };
  const queue: QueuedTask<Task, Result>[] = [];
  let child: ChildProcess | undefined;
  let current: QueuedTask<Task, Result> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isTimedOut = false;
  let isClosed = false;

  const finishCurrentTask = (result: Result | { refused: FileTaskRefusal }) => {
    const done = current;
    current = undefined;
    done?.resolve(result);
    startNextTask();
  };

  const startChild = (): ChildProcess => {
    const started = forkUnreferenced(entry, niceness);
    started.on('message', ({ id, content }: NumberedMessage<Result | { refused: 'failed' }>) => {
      if (current?.task.id === id) finishCurrentTask(content);
    });
    const onExit = () => {
      if (child !== started) return;
      child = undefined;
      if (current) finishCurrentTask({ refused: isTimedOut ? 'timed_out' : 'failed' });
    };
    started.on('exit', onExit);
    started.on('error', onExit);
    return started;
  };

  const endIdleChild = () => {
    const idle = child;
    // The next task must not go to a process that is ending but still connected.
    child = undefined;
    idle?.kill();
  };

  const startNextTask = () => {
    if (current || isClosed) return;
    clearTimeout(timer);
    current = queue.shift();
    if (!current) {
      timer = setTimeout(endIdleChild, idleLimitMs).unref();
      return;
    }
    if (!child?.connected) child = startChild();
    const working = child;
    isTimedOut = false;
    timer = setTimeout(() => {
      isTimedOut = true;
      working.kill('SIGKILL');
    }, timeLimitMs);
    // A send error is ignored: the process has then exited, and `onExit` reports the failure.
    working.send(current.task, () => {});
  };

  return {
    process: (content) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ refused: 'failed' });
        if (queue.length >= maxQueuedTasks) return resolve({ refused: 'busy' });
        lastId += 1;
        queue.push({ task: { id: lastId, content }, resolve });
        startNextTask();
      }),
    load: () => queue.length + (current ? 1 : 0),
    pid: () => child?.pid,
    close() {
      isClosed = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
      for (const queued of queue.splice(0)) queued.resolve({ refused: 'failed' });
    },
  };
};
