import { createLog } from '#server/platform/process/log.ts';
import { createMetrics } from '#server/platform/process/metrics.ts';
import { createConnectionLimits } from '#server/realtime/connection-limits.ts';
import type { Config } from './config.ts';
import type { PagesBuild } from './pages/load-build.ts';
import { type PrintLine, prepareQuad } from './prepare.ts';
import { type RunningServer, startServing } from './serving.ts';

/**
 * Prepares the database and starts the HTTP server, both in this process, and prints the progress.
 */
export const startSingleProcess = async (
  config: Config,
  say: PrintLine,
  /** Loads the pages; the built ones by default. */
  loadPages?: () => Promise<PagesBuild>,
): Promise<RunningServer> => {
  const log = createLog();
  const prepared = await prepareQuad(config, say, log);
  try {
    const metrics = createMetrics({ workerIndex: 1 });
    const connectionLimits = createConnectionLimits();
    const serving = await startServing(config, prepared.databaseUrl, {
      say,
      log,
      metrics,
      connectionLimits,
      loadPages,
    });
    say(prepared.welcome);
    return {
      stop: async () => {
        await serving.stop();
        await prepared.stop();
      },
    };
  } catch (error) {
    await prepared.stop();
    throw error;
  }
};
