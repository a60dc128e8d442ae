import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/errors.ts';
import type { RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why a page must not search; it says so itself. */
    refusedSearch: Problem | undefined;
  }
}

const searching = /^\/(rest\/v1\/listings(\/suggestions)?|search|search\.data)$/;

/** Counts searches, as calls and as pages: of all reads they cost the database most. */
export const installSearchLimit = (app: FastifyInstance, rateLimits: RateLimits): void => {
  app.decorateRequest('refusedSearch', undefined);
  app.addHook('onRequest', async (request) => {
    const [path = '', query = ''] = request.url.split('?', 2);
    if (!searching.test(path) || !new URLSearchParams(query).get('q')?.trim()) return;
    try {
      await rateLimits.consume('search', { address: request.ip });
    } catch (error) {
      // Where counting fails, the search itself will say why.
      if (!(error instanceof Problem)) return;
      if (path.startsWith('/rest/')) throw error;
      request.refusedSearch = error;
    }
  });
};
