import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { SavedSearchService } from './service.ts';

/** Registers the calls for the searches that the caller saved. */
export const savedSearchesPlugin = async (
  app: FastifyInstance,
  { http, savedSearches }: { http: HttpDeps; savedSearches: SavedSearchService },
): Promise<void> => {
  serveCall(app, http, calls.listSavedSearches, async ({ session }) => ({
    items: await savedSearches.list(session.userId),
  }));
  serveCall(app, http, calls.saveSearch, ({ session, body }) => savedSearches.save(session.userId, body));
  serveCall(app, http, calls.changeSavedSearch, ({ session, params, body }) =>
    savedSearches.change(session.userId, params.id, body),
  );
  serveCall(app, http, calls.deleteSavedSearch, async ({ session, params }) => {
    await savedSearches.remove(session.userId, params.id);
    return { success: true } as const;
  });
};
