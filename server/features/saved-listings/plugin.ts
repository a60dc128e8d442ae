import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { SavedListingService } from './service.ts';

interface SavedListingsOptions {
  http: HttpDeps;
  addJobs: JobCollector;
  savedListings: SavedListingService;
  sendAlerts(): Promise<void>;
}

/** Registers the calls for the listings that the caller saved, and the job that notifies people about their changes. */
export const savedListingsPlugin = async (
  server: FastifyInstance,
  { http, addJobs, savedListings, sendAlerts }: SavedListingsOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('announce-listing-changes', '* * * * *', sendAlerts));
  serveCall(server, http, calls.listSavedListings, ({ session, query }) =>
    savedListings.list(session.userId, query.cursor),
  );
  serveCall(server, http, calls.listSavedIds, ({ session }) => savedListings.listIds(session.userId));
  serveCall(server, http, calls.saveListing, async ({ session, params }) => {
    await savedListings.save(session.userId, params.listing_id);
    return { success: true } as const;
  });
  serveCall(server, http, calls.saveListings, ({ session, body }) =>
    savedListings.saveAll(session.userId, body.listing_ids),
  );
  serveCall(server, http, calls.removeSavedListing, async ({ session, params }) => {
    await savedListings.remove(session.userId, params.listing_id);
    return { success: true } as const;
  });
  serveCall(server, http, calls.removeUnavailableListings, async ({ session }) => {
    await savedListings.removeUnavailable(session.userId);
    return { success: true } as const;
  });
};
