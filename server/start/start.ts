import type { Config } from '#server/config.ts';
import type { PagesBuild } from '#server/pages/load-build.ts';
import { type LinePrinter, openLog } from '#server/platform/process/log.ts';
import { createMetrics } from '#server/platform/process/metrics.ts';
import { prepareQuad } from './prepare.ts';
import { type RunningServer, startServing } from './serving.ts';
import { startConnectionLimits } from './start-connection-limits.ts';

/**
 * Prepares the database and starts the HTTP server, both in this process, and prints the progress.
 */
export const startSingleProcess = async (
  config: Config,
  say: LinePrinter,
  /** Loads the pages. By default, loads the built pages. */
  loadPages?: () => Promise<PagesBuild>,
): Promise<RunningServer> => {
  const log = openLog(config);
  const prepared = await prepareQuad(config, say, log);
  const closers = [prepared.stop];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const metrics = createMetrics({ workerIndex: 1 });
    const { connectionLimits, close } = await startConnectionLimits(config, log);
    closers.push(close);
    const serving = await startServing(config, prepared.databaseUrl, {
      say,
      log,
      metrics,
      connectionLimits,
      loadPages,
    });
    closers.push(serving.stop);
    say(prepared.welcome);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
