import { readConfig } from './config.ts';
import { type RunningQuad, startQuad } from './start.ts';

const stopPatienceMs = 10_000;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

let running: RunningQuad | undefined;
let stopping = false;

const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  // What does not end by itself in time is ended: nothing acknowledged is lost by it.
  setTimeout(() => process.exit(1), stopPatienceMs).unref();
  await running?.stop();
  process.exit(0);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
process.on('disconnect', () => void stop());

try {
  running = await startQuad(readConfig(process.env), say);
  if (stopping) await running.stop();
} catch (error) {
  fail(error);
}
