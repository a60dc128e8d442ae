import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import { buildJsonObject } from '#server/platform/json/json-text.ts';
import { listingRemovalQueue } from './removal-queue.ts';
import type { ListingService } from './service.ts';

/**
 * Registers the routes of listings: public reads, and calls for their owners (specification §7).
 */
export const listingsPlugin = async (
  server: FastifyInstance,
  { http, addJobs, listings }: { http: HttpDeps; addJobs: JobCollector; listings: ListingService },
): Promise<void> => {
  const stopListening = listings.listen();
  server.addHook('onClose', async () => stopListening());

  addJobs(
    declareQueueJob(listingRemovalQueue, listings.removeDeleted),
    // Removes deleted listings that the queue missed: the queue is empty after a backup has been
    // restored, and because it uses the database's clock, a job may run before its listing is due
    // by the server's clock.
    declareScheduledJob('remove-missed-deleted-listings', '* * * * *', listings.removeDeleted),
    declareScheduledJob('remove-unused-words', '23 9 * * *', listings.removeUnusedWords),
  );
  serveCall(server, http, calls.listListings, ({ query }) => listings.listPublished(query));
  serveCall(server, http, calls.listSimilarMatches, async ({ query }) =>
    buildJsonObject({ items: await listings.listSimilarMatches(query) }),
  );
  serveCall(server, http, calls.suggestListings, async ({ query }) => ({
    items: await listings.suggestTitles(query),
  }));
  serveCall(server, http, calls.getListing, ({ params }) => listings.getPublished(params.slug));
  serveCall(server, http, calls.listSimilar, async ({ params }) =>
    buildJsonObject({ items: await listings.listSimilar(params.slug) }),
  );

  serveCall(server, http, calls.createListing, async ({ session, body }) => ({
    listing: await listings.save(session.userId, body),
  }));
  serveCall(server, http, calls.listMyListings, ({ session, query }) =>
    listings.listMine(session.userId, query),
  );
  serveCall(server, http, calls.getMyListing, ({ session, params }) =>
    listings.getMine(session.userId, params.id),
  );
  serveCall(server, http, calls.setListingStatus, ({ session, params, body }) =>
    listings.setStatus(session.userId, params.id, body.status),
  );
  serveCall(server, http, calls.markListingSold, ({ session, params, body }) =>
    listings.markSold(session.userId, params.id, body),
  );
  serveCall(server, http, calls.relistListing, ({ session, params }) =>
    listings.relist(session.userId, params.id),
  );
  serveCall(server, http, calls.listInterestedPeople, async ({ session, params }) => ({
    items: await listings.listInterested(session.userId, params.id),
  }));
  serveCall(server, http, calls.answerSale, async ({ session, params, body }) => {
    await listings.answerSale(session.userId, params.id, body.confirmed);
    return { success: true } as const;
  });
  serveCall(server, http, calls.deleteListing, async ({ session, params }) => {
    await listings.remove(session.userId, params.id);
    return { success: true } as const;
  });
  serveCall(server, http, calls.restoreListing, ({ session, params }) =>
    listings.restore(session.userId, params.id),
  );
};
