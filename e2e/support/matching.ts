import { runWithApp } from '#server/commands/run-with-app.ts';
import { readConfig } from '#server/config.ts';
import { matchDueListings, matchingDelaySeconds } from '#server/features/saved-searches/public.ts';
import { addSeconds, systemClock } from '#server/platform/clock.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Matches newly published and edited listings with the saved searches. Does so immediately and in this
 * process, because the server would wait for a minute first. The server then stores the resulting
 * notifications.
 */
export const matchListingsWithSearches = ({ dataDir }: QuadServer): Promise<void> => {
  const config = readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir });
  const now = addSeconds(systemClock.now(), matchingDelaySeconds);
  const clock = { ...systemClock, now: () => now };
  return runWithApp(config, undefined, (app) => matchDueListings({ ...app, clock }));
};
