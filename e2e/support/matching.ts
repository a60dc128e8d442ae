import { connectToDatabase } from '#server/commands/command.ts';
import { readConfig } from '#server/config.ts';
import { addSeconds, systemClock } from '#server/platform/clock.ts';
import { createMatchingJob, matchingDelaySeconds } from '#server/saved-searches/public.ts';
import type { QuadServer } from './quad.ts';

/**
 * Matches what was published or edited with the saved searches, in this process and as if the minute of waiting were over. The
 * matches are not announced.
 */
export const matchListings = async ({ dataDir }: QuadServer): Promise<void> => {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir });
  const { sql, close } = await connectToDatabase(config);
  try {
    const now = addSeconds(systemClock.now(), matchingDelaySeconds);
    const clock = { ...systemClock, now: () => now };
    await createMatchingJob({ sql, clock, campus: config.campus, announceMatches: async () => {} })();
  } finally {
    await close();
  }
};
