import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { Problem } from '#contract/errors.ts';
import { deviceHash } from './device-cookie.ts';
import type { HttpDeps } from './serve.ts';
import { findSession } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why a page must not search; it says so itself. */
    refusedSearch: Problem | undefined;
  }
}

/** Paths of the calls that count as a search when they have a text to search for. */
export const searchCalls: ReadonlySet<string | undefined> = new Set<string | undefined>([
  calls.listListings.path,
  calls.suggestListings.path,
]);
/** Whatever the router of pages may take for the search page: it looks at neither case nor slashes at the end. */
const searchPage = /^\/search([./]|$)/i;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** What a call searches for, if it does: by the route it took, since one route has many spellings. */
const searchedByCall = ({ routeOptions, query }: FastifyRequest): unknown =>
  searchCalls.has(routeOptions.url) && (query as { q?: unknown }).q;

/** What a page searches for, if it does: by its address as the rendering reads it. */
const searchedByPage = ({ url }: FastifyRequest): unknown => {
  // Most of what is asked for has no query, and needs no parsing.
  if (!url.startsWith('/') || !url.includes('?')) return undefined;
  const { pathname, searchParams } = new URL(`http://page${url}`);
  return searchPage.test(decoded(pathname)) && searchParams.get('q');
};

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

interface SearchLimitDeps extends Pick<HttpDeps, 'authenticate' | 'rateLimits' | 'publicUrl'> {
  /** The account that a device is known for. */
  findDeviceOwner(hash: Buffer): Promise<string | undefined>;
}

/**
 * Counts searches, as calls and as pages: of all reads they cost the database most. They count for the account, so
 * that visitors cannot use up the searches of signed-in people who share their address. A page is asked for without a
 * session, which stays in the browser's storage; there the known device says whose browser it is.
 */
export const installSearchLimit = (app: FastifyInstance, deps: SearchLimitDeps): void => {
  const { authenticate, rateLimits, publicUrl, findDeviceOwner } = deps;

  const count = async (request: FastifyRequest): Promise<void> => {
    const { ip: address } = request;
    const session = await findSession(request, authenticate);
    try {
      await rateLimits.consume('search', { address, userId: session?.userId });
    } catch (refusal) {
      const device = session ? undefined : deviceHash(request, publicUrl);
      const owner = device && (await findDeviceOwner(device));
      if (!owner) throw refusal;
      await rateLimits.consume('search', { address, userId: owner });
    }
  };

  app.decorateRequest('refusedSearch', undefined);
  app.addHook('onRequest', async (request) => {
    const byCall = isText(searchedByCall(request));
    if (!byCall && !isText(searchedByPage(request))) return;
    try {
      await count(request);
    } catch (error) {
      // Where counting fails, the search itself will say why.
      if (!(error instanceof Problem)) return;
      if (byCall) throw error;
      request.refusedSearch = error;
    }
  });
};
