/** One of several serving processes; started and supervised by workers.ts. */
import { once } from 'node:events';
import { createLog } from '#server/platform/process/log.ts';
import { createMetrics } from '#server/platform/process/metrics.ts';
import { openRpc } from '#server/platform/process/worker-rpc.ts';
import { connectToLimits } from '#server/realtime/worker-connection-limits.ts';
import { readConfig } from './config.ts';
import { type Serving, startServing } from './serving.ts';
import type { SupervisorHandlers, WorkerHandlers, WorkerOrder, WorkerReport } from './workers.ts';

/**
 * Timeout for collecting the other workers' metrics; longer than the supervisor's own timeout (`workerMetricsTimeoutMs`
 * in workers.ts), so that the supervisor can respond first.
 */
const metricsTimeoutMs = 2000;

const report = (what: WorkerReport): void => void process.send?.(what);

const printLine = (line: string): void => {
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
// A terminal sends these signals to all its processes; the supervisor decides when workers stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

const [{ databaseUrl, workerIndex, listenFd }] = (await once(process, 'message')) as [WorkerOrder];
const log = createLog();
const readOthers = (): Promise<string[]> =>
  rpc.call('readOthers', undefined, metricsTimeoutMs).catch((error: unknown) => {
    log.warn({ err: error }, 'The numbers of the other workers could not be read');
    return [];
  });
const metrics = createMetrics({ workerIndex, readOthers });
const handlers: WorkerHandlers = { readOwn: metrics.readOwn };
const rpc = openRpc<SupervisorHandlers>(process, handlers);
try {
  const connectionLimits = connectToLimits(rpc);
  const config = { ...readConfig(process.env), listenFd };
  serving = await startServing(config, databaseUrl, { say: printLine, log, metrics, connectionLimits });
  if (stopping) await serving.stop();
  else report({ serving: true });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.send?.({ failed: reason } satisfies WorkerReport, () => process.exit(1));
}
