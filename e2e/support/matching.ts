import { connectToDatabase } from '#server/commands/command.ts';
import { readConfig } from '#server/config.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import {
  createMatchingJob,
  createMatchNotifier,
  matchingDelaySeconds,
} from '#server/features/saved-searches/public.ts';
import { addSeconds, systemClock } from '#server/platform/clock.ts';
import { openJobProducer } from '#server/start/open-job-queue.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Matches newly published and edited listings with the saved searches. Does so immediately and in this
 * process, because the server would wait for a minute first. The server then stores the resulting
 * notifications.
 */
export const matchListingsWithSearches = async ({ dataDir }: QuadServer): Promise<void> => {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir });
  const { url, sql, close } = await connectToDatabase(config);
  const jobs = openJobProducer(url);
  try {
    const now = addSeconds(systemClock.now(), matchingDelaySeconds);
    const clock = { ...systemClock, now: () => now };
    const notifyOfMatches = createMatchNotifier(createNotifier(jobs));
    await createMatchingJob({ sql, clock, campus: config.campus, notifyOfMatches })();
  } finally {
    await jobs.close();
    await close();
  }
};
