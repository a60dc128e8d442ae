import type { Config } from './config.ts';
import type { PagesBuild } from './pages/load-build.ts';
import { createLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { prepareQuad, type Say } from './prepare.ts';
import { createPlaces } from './realtime/places.ts';
import { type Serving, startServing } from './serving.ts';

/** Starts the whole of Quad in this process and says, line by line, how far it is. */
export const startQuad = async (
  config: Config,
  say: Say,
  /** Default: loads the built pages. */
  loadPages?: () => Promise<PagesBuild>,
): Promise<Serving> => {
  const log = createLog();
  const prepared = await prepareQuad(config, say, log);
  try {
    const metrics = createMetrics({ place: 1 });
    const places = createPlaces();
    const serving = await startServing(config, prepared.databaseUrl, {
      say,
      log,
      metrics,
      places,
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
