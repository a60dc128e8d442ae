/** One of several processes that serve; started and watched by workers.ts. */
import { once } from 'node:events';
import { readConfig } from './config.ts';
import { createLog } from './platform/log.ts';
import { type Serving, startServing } from './serving.ts';
import type { WorkerOrder, WorkerReport } from './workers.ts';

const report = (what: WorkerReport): void => void process.send?.(what);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

let serving: Serving | undefined;
let stopping = false;

const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  await serving?.stop();
  process.exit(0);
};

process.on('SIGTERM', () => void stop());
// A terminal sends these to all its processes; whether the workers end is for the one that watches them.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

const [{ databaseUrl }] = (await once(process, 'message')) as [WorkerOrder];
try {
  serving = await startServing(readConfig(process.env), databaseUrl, { say, log: createLog() });
  if (stopping) await serving.stop();
  else report({ serving: true });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.send?.({ failed: reason } satisfies WorkerReport, () => process.exit(1));
}
