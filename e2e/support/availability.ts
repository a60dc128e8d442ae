import { runWithApp } from '#server/commands/run-with-app.ts';
import { readConfig } from '#server/config.ts';
import { checkAvailability } from '#server/features/listings/public.ts';
import { type AvailabilityLink, buildAvailabilityUrl } from '#server/mail/public.ts';
import { addSeconds, dayInSeconds, systemClock } from '#server/platform/clock.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Asks owners about their listings as if 31 days had passed since they were published. The server then stores the resulting
 * notifications.
 */
export const askAboutListings = ({ dataDir }: QuadServer): Promise<void> => {
  const config = readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir });
  const later = addSeconds(systemClock.now(), 31 * dayInSeconds);
  return runWithApp(config, undefined, async (app) => {
    await checkAvailability(app);
    await checkAvailability({ ...app, clock: { ...systemClock, now: () => later } });
  });
};

/** Returns the URL that an email has for answering that a listing was sold. */
export const buildSoldUrl = async ({ dataDir, url }: QuadServer, listingId: string): Promise<string> => {
  let soldUrl = '';
  await runWithApp(
    readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir }),
    undefined,
    async ({ sql, secrets: { pepper } }) => {
      const [link] = await sql<[AvailabilityLink]>`
        SELECT user_id AS "userId", id AS "listingId", asked_at AS "askedAt" FROM listings WHERE id = ${listingId}`;
      soldUrl = buildAvailabilityUrl(link, 'sold', { publicUrl: url, pepper });
    },
  );
  return soldUrl;
};
