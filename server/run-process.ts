import { type Config, readConfig } from './config.ts';
import type { Say } from './prepare.ts';
import type { Serving } from './serving.ts';

/** Starts serving. For failures after the start, `fail` prints the error's message and exits with code 1. */
type Start = (config: Config, say: Say, fail: (error: unknown) => never) => Promise<Serving>;

const stopTimeoutMs = 10_000;

const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

/**
 * Runs a server as this process: reads the configuration from the environment, starts, and stops gracefully on SIGINT,
 * SIGTERM, SIGHUP or the end of the parent process. A failed start prints one line and exits with code 1.
 */
export const runProcess = async (start: Start): Promise<void> => {
  let running: Serving | undefined;
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // Aborting a stop that takes too long is safe: everything acknowledged is already stored durably.
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    await running?.stop();
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  process.on('disconnect', () => void stop());
  try {
    running = await start(readConfig(process.env), say, fail);
    if (stopping) await running.stop();
  } catch (error) {
    fail(error);
  }
};
