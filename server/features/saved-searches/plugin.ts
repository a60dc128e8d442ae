import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import { listingMatchingQueue } from './matching.ts';
import type { SavedSearchService } from './service.ts';

interface SavedSearchesOptions {
  http: HttpDeps;
  addJobs: JobCollector;
  savedSearches: SavedSearchService;
  matchListings(): Promise<void>;
  /** Removes the matches of listings and searches that no longer exist. */
  removeStaleMatches(): Promise<void>;
}

/** Registers the calls for the caller's saved searches, and the job that matches listings with all saved searches. */
export const savedSearchesPlugin = async (
  server: FastifyInstance,
  { http, addJobs, savedSearches, matchListings, removeStaleMatches }: SavedSearchesOptions,
): Promise<void> => {
  addJobs(
    declareQueueJob(listingMatchingQueue, matchListings),
    // Sends daily and postponed alerts, and matches listings that are missing from the queue, which is empty after a
    // backup has been restored.
    declareScheduledJob('match-missed-listings', '* * * * *', matchListings),
    declareScheduledJob('remove-stale-matches', '23 11 * * *', removeStaleMatches),
  );
  serveCall(server, http, calls.listSavedSearches, async ({ session }) => ({
    items: await savedSearches.list(session.userId),
  }));
  serveCall(server, http, calls.saveSearch, ({ session, body }) => savedSearches.save(session.userId, body));
  serveCall(server, http, calls.changeSavedSearch, ({ session, params, body }) =>
    savedSearches.change(session.userId, params.id, body),
  );
  serveCall(server, http, calls.deleteSavedSearch, async ({ session, params }) => {
    await savedSearches.remove(session.userId, params.id);
    return { success: true } as const;
  });
};
