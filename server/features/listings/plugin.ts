import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import { answerAvailability } from './availability.ts';
import { checkAvailability } from './availability-job.ts';
import { registerAvailabilityRoutes } from './availability-routes.ts';
import { endAway, setAway } from './away.ts';
import { suggestCategory } from './category-suggestion.ts';
import { copyOwnListing } from './copying.ts';
import { deleteListing, removeDeletedListings, restoreDeletedListing } from './deletion.ts';
import { endPassedListings, getOwnListing, listOwnListings } from './own-listings.ts';
import {
  getPublishedListing,
  listPublishedListings,
  listSimilarListings,
  removeUnusedWords,
  searchSimilarListings,
  suggestListingTitles,
} from './reading.ts';
import { listingRemovalQueue } from './removal-queue.ts';
import { answerSale, listInterestedPeople, markOwnListingSold, relistOwnListing } from './sales.ts';
import { changeListingPrice, saveListing } from './saving.ts';
import { setListingStatus } from './status.ts';

/**
 * Registers the routes of listings: public reads, and calls for their owners (specification §7).
 */
export const listingsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  const stopListening = app.matchCounts.listen();
  server.addHook('onClose', async () => stopListening());

  addJobs(
    declareQueueJob(listingRemovalQueue, () => removeDeletedListings(app)),
    // Removes deleted listings that the queue missed: the queue is empty after a backup has been
    // restored, and because it uses the database's clock, a job may run before its listing is due
    // by the server's clock.
    declareScheduledJob('remove-missed-deleted-listings', '* * * * *', () => removeDeletedListings(app)),
    declareScheduledJob('end-passed-games', '* * * * *', () => endPassedListings(app)),
    declareScheduledJob('check-availability', '37 * * * *', () => checkAvailability(app)),
    declareScheduledJob('remove-unused-words', '23 9 * * *', () => removeUnusedWords(app)),
  );
  serveCall(server, app, calls.listListings, ({ query }) => listPublishedListings(app, query));
  serveCall(server, app, calls.listSimilarMatches, async ({ query }) => ({
    items: await searchSimilarListings(app, query),
  }));
  serveCall(server, app, calls.suggestListings, async ({ query }) => ({
    items: await suggestListingTitles(app, query),
  }));
  serveCall(server, app, calls.suggestCategory, async ({ query }) => ({
    category: await suggestCategory(app, query.title),
  }));
  serveCall(server, app, calls.getListing, ({ params }) => getPublishedListing(app, params.slug));
  serveCall(server, app, calls.listSimilar, async ({ params }) => ({
    items: await listSimilarListings(app, params.slug),
  }));

  serveCall(server, app, calls.createListing, async ({ session, body }) => ({
    listing: await saveListing(app, session.userId, body),
  }));
  serveCall(server, app, calls.listMyListings, ({ session, query }) =>
    listOwnListings(app, session.userId, query),
  );
  serveCall(server, app, calls.getMyListing, ({ session, params }) =>
    getOwnListing(app, session.userId, params.id),
  );
  serveCall(server, app, calls.setListingStatus, ({ session, params, body }) =>
    setListingStatus(app, session.userId, params.id, body.status),
  );
  serveCall(server, app, calls.changeListingPrice, ({ session, params, body }) =>
    changeListingPrice(app, session.userId, params.id, body.price),
  );
  serveCall(server, app, calls.markListingSold, ({ session, params, body }) =>
    markOwnListingSold(app, session.userId, params.id, body),
  );
  serveCall(server, app, calls.relistListing, ({ session, params }) =>
    relistOwnListing(app, session.userId, params.id),
  );
  serveCall(server, app, calls.answerAvailability, ({ session, params, body }) =>
    answerAvailability(app, session.userId, params.id, body.answer),
  );
  serveCall(server, app, calls.listInterestedPeople, async ({ session, params }) => ({
    items: await listInterestedPeople(app, session.userId, params.id),
  }));
  serveCall(server, app, calls.answerSale, async ({ session, params, body }) => {
    await answerSale(app, session.userId, params.id, body.confirmed);
    return { success: true } as const;
  });
  serveCall(server, app, calls.setAway, ({ session, body }) => setAway(app, session.userId, body.until));
  serveCall(server, app, calls.endAway, ({ session }) => endAway(app, session.userId));
  serveCall(server, app, calls.copyListing, async ({ session, params }) => ({
    id: await copyOwnListing(app, session.userId, params.id),
  }));
  serveCall(server, app, calls.deleteListing, async ({ session, params }) => {
    await deleteListing(app, session.userId, params.id);
    return { success: true } as const;
  });
  serveCall(server, app, calls.restoreListing, ({ session, params }) =>
    restoreDeletedListing(app, session.userId, params.id),
  );
  await registerAvailabilityRoutes(server, app);
};
