/** Entry point of a worker process, which serves requests; workers.ts starts and supervises it. */
import { once } from 'node:events';
import { readConfig } from '#server/config.ts';
import { openLinePrinter, openLog } from '#server/platform/process/log.ts';
import { createMetrics } from '#server/platform/process/metrics.ts';
import { openRpc } from '#server/platform/process/worker-rpc.ts';
import { createRemoteConnectionLimits } from '#server/realtime/worker-connection-limits.ts';
import { type RunningServer, startServing } from './serving.ts';
import type { SupervisorHandlers, WorkerHandlers, WorkerStartMessage, WorkerStartReport } from './workers.ts';

/**
 * Timeout for the supervisor's reply with the other workers' metrics. It is longer than the timeout
 * with which the supervisor reads them (`workerMetricsTimeoutMs` in workers.ts), so that the
 * supervisor can still reply when a worker does not respond.
 */
const metricsTimeoutMs = 2000;

const reportToSupervisor = (what: WorkerStartReport): void => void process.send?.(what);

let runningServer: RunningServer | undefined;
let isStopping = false;

const stopWorker = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await runningServer?.stop();
  process.exit(0);
};

process.on('SIGTERM', () => void stopWorker());
// Ignore SIGINT and SIGHUP, which a terminal sends to all processes of the server: the supervisor
// decides when a worker stops and then sends SIGTERM.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

const [{ databaseUrl, workerIndex, listenFd }] = (await once(process, 'message')) as [WorkerStartMessage];
try {
  const config = { ...readConfig(process.env), listenFd };
  const log = openLog(config);
  const readOthers = (): Promise<string[]> =>
    rpc.call('readOthers', undefined, metricsTimeoutMs).catch((error: unknown) => {
      log.warn({ err: error }, 'The numbers of the other workers could not be read');
      return [];
    });
  const metrics = createMetrics({ workerIndex, readOthers });
  const rpcHandlers: WorkerHandlers = { readOwn: metrics.readOwn };
  const rpc = openRpc<SupervisorHandlers>(process, rpcHandlers);
  const connectionLimits = createRemoteConnectionLimits(rpc);
  const say = openLinePrinter(config);
  runningServer = await startServing(config, databaseUrl, { say, log, metrics, connectionLimits });
  reportToSupervisor({ serving: true });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.send?.({ failed: reason } satisfies WorkerStartReport, () => process.exit(1));
}
