import { type Config, listConfigurationHints, readConfig } from '#server/config.ts';
import { type LinePrinter, openLinePrinter } from '#server/platform/process/log.ts';
import type { RunningServer } from './serving.ts';

/**
 * Starts the server. For a fatal error after the start, the server calls `fail`, which prints the
 * error's message and exits with code 1.
 */
type StartServer = (
  config: Config,
  say: LinePrinter,
  fail: (error: unknown) => never,
) => Promise<RunningServer>;

const stopTimeoutMs = 10_000;
/** Timeout for stopping during the start, which must end first; a first start also creates the demo campus. */
const stopDuringStartTimeoutMs = 60_000;

const exitWithError = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

/**
 * Runs a server as this process: reads the configuration from the environment, starts, and stops gracefully on SIGINT,
 * SIGTERM, SIGHUP or the end of the parent process. A failed start prints one line and exits with code 1.
 */
export const runServerProcess = async (start: StartServer): Promise<void> => {
  let starting: Promise<RunningServer> | undefined;
  let isRunning = false;
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // If stopping takes too long, exit anyway. No data is lost, because everything that was
    // acknowledged to a client has already been stored durably.
    setTimeout(() => process.exit(1), isRunning ? stopTimeoutMs : stopDuringStartTimeoutMs).unref();
    // Only a start that has ended can stop what it has started, such as the embedded database.
    const running = await starting?.catch(() => undefined);
    await running?.stop();
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  process.on('disconnect', () => void stop());
  try {
    const config = readConfig(process.env);
    const say = openLinePrinter(config);
    listConfigurationHints(process.env).forEach(say);
    starting = start(config, say, exitWithError);
    await starting;
    isRunning = true;
  } catch (error) {
    exitWithError(error);
  }
};
