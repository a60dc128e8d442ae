import { copyPreparedData } from './prepared-data.ts';
import { prepareDataFolder, type QuadServer, startQuad } from './quad-server.ts';

/**
 * Starts a server with the demo campus on a copy of a prepared data folder. The folder is prepared
 * only once per test run, because processing the demo photos takes many seconds.
 */
export const startDemoServer = async (
  environment: Record<string, string> = { QUAD_DEMO: 'on' },
): Promise<QuadServer> =>
  startQuad(
    environment,
    await copyPreparedData('demo', (folder) => prepareDataFolder({ QUAD_DEMO: 'on' }, folder)),
  );
