import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serve } from '#server/http/serve.ts';
import { type AddJobs, onSchedule } from '#server/platform/jobs.ts';
import { jsonObject } from '#server/platform/json/json-text.ts';
import type { Listings } from './service.ts';

/** Registers the listings: public reads, and the calls of their owners (specification §7). */
export const listingsPlugin = async (
  app: FastifyInstance,
  { http, addJobs, listings }: { http: HttpDeps; addJobs: AddJobs; listings: Listings },
): Promise<void> => {
  const stopListening = listings.listen();
  app.addHook('onClose', async () => stopListening());

  addJobs(onSchedule('remove-unused-words', '23 9 * * *', listings.removeUnusedWords));
  serve(app, http, calls.listListings, ({ query }) => listings.listPublished(query));
  serve(app, http, calls.listSimilarMatches, async ({ query }) =>
    jsonObject({ items: await listings.listSimilarMatches(query) }),
  );
  serve(app, http, calls.suggestListings, async ({ query }) => ({
    items: await listings.suggestTitles(query.q),
  }));
  serve(app, http, calls.getListing, ({ params }) => listings.getPublished(params.slug));
  serve(app, http, calls.listSimilar, async ({ params }) =>
    jsonObject({ items: await listings.listSimilar(params.slug) }),
  );

  serve(app, http, calls.createListing, async ({ session, body }) => ({
    listing: await listings.save(session.userId, body),
  }));
  serve(app, http, calls.listMyListings, ({ session, query }) => listings.listMine(session.userId, query));
  serve(app, http, calls.getMyListing, ({ session, params }) => listings.getMine(session.userId, params.id));
  serve(app, http, calls.setListingStatus, ({ session, params, body }) =>
    listings.setStatus(session.userId, params.id, body.status),
  );
  serve(app, http, calls.deleteListing, async ({ session, params }) => {
    await listings.remove(session.userId, params.id);
    return { success: true } as const;
  });
};
