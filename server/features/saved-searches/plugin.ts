import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import { listingMatchingQueue, matchDueListings, removeStaleMatches } from './matching.ts';
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  removeDeletedSearches,
  saveSearch,
} from './saved-searches.ts';

/** Registers the calls for the caller's saved searches, and the job that matches listings with all saved searches. */
export const savedSearchesPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(
    declareQueueJob(listingMatchingQueue, () => matchDueListings(app)),
    // Sends daily and postponed alerts, and matches listings that are missing from the queue, which is empty after a
    // backup has been restored.
    declareScheduledJob('match-missed-listings', '* * * * *', () => matchDueListings(app)),
    declareScheduledJob('remove-deleted-searches', '* * * * *', () => removeDeletedSearches(app)),
    declareScheduledJob('remove-stale-matches', '23 11 * * *', () => removeStaleMatches(app)),
  );
  serveCall(server, app, calls.listSavedSearches, async ({ session }) => ({
    items: await listSavedSearches(app, session.userId),
  }));
  serveCall(server, app, calls.saveSearch, ({ session, body }) => saveSearch(app, session.userId, body));
  serveCall(server, app, calls.changeSavedSearch, ({ session, params, body }) =>
    changeSavedSearch(app, session.userId, params.id, body),
  );
  serveCall(server, app, calls.deleteSavedSearch, async ({ session, params }) => {
    await deleteSavedSearch(app, session.userId, params.id);
    return { success: true } as const;
  });
};
