import { runWithApp } from '#server/commands/run-with-app.ts';
import { readConfig } from '#server/config.ts';
import { applyDealDeadlines, drawGifts } from '#server/features/deals/public.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Makes all draws and applies all deadlines that are due. Does so in this process, because the server's own
 * jobs run only once a minute. Jobs that follow from this, such as the renewal of waiting offers, run on the
 * server.
 */
export const runDealJobs = async ({ dataDir, url: publicUrl }: QuadServer): Promise<void> => {
  const config = { ...readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir }), publicUrl };
  await runWithApp(config, undefined, async (app) => {
    await drawGifts(app);
    await applyDealDeadlines(app);
  });
};
