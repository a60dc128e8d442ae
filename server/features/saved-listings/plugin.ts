import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import { sendSavedListingAlerts } from './alert-job.ts';
import {
  listSavedListingIds,
  listSavedListings,
  removeSavedListing,
  removeUnavailableListings,
  saveListing,
  saveListings,
} from './saved-listings.ts';

/** Registers the calls for the listings that the caller saved, and the job that notifies people about their changes. */
export const savedListingsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('announce-listing-changes', '* * * * *', () => sendSavedListingAlerts(app)));
  serveCall(server, app, calls.listSavedListings, ({ session, query }) =>
    listSavedListings(app, session.userId, query.cursor),
  );
  serveCall(server, app, calls.listSavedIds, ({ session }) => listSavedListingIds(app, session.userId));
  serveCall(server, app, calls.saveListing, async ({ session, params }) => {
    await saveListing(app, session.userId, params.listing_id);
    return { success: true } as const;
  });
  serveCall(server, app, calls.saveListings, ({ session, body }) =>
    saveListings(app, session.userId, body.listing_ids),
  );
  serveCall(server, app, calls.removeSavedListing, async ({ session, params }) => {
    await removeSavedListing(app, session.userId, params.listing_id);
    return { success: true } as const;
  });
  serveCall(server, app, calls.removeUnavailableListings, async ({ session }) => {
    await removeUnavailableListings(app, session.userId);
    return { success: true } as const;
  });
};
