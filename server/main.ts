import { type Config, readConfig } from './config.ts';
import type { Serving } from './serving.ts';

const stopPatienceMs = 10_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

let running: Serving | undefined;
let stopping = false;

const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  // What does not end by itself in time is ended: nothing acknowledged is lost by it.
  setTimeout(() => process.exit(1), stopPatienceMs).unref();
  await running?.stop();
  process.exit();
};

// Who only watches workers does not load what they serve with.
const start = async (config: Config): Promise<Serving> => {
  if (config.workers === 1) return (await import('./start.ts')).startQuad(config, say);
  return (await import('./workers.ts')).startWorkers(config, say, fail);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
process.on('disconnect', () => void stop());

try {
  running = await start(readConfig(process.env));
  if (stopping) await running.stop();
} catch (error) {
  fail(error);
}
