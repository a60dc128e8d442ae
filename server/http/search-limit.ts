import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { readDeviceIdHash } from './device-cookie.ts';
import { findSession } from './serve.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The rate limit error of a search page, or undefined when the search is allowed. The page displays this
     * error instead of results.
     */
    refusedSearch: Problem | undefined;
  }
}

/** Paths of the calls that count as a search when the request has a query text. */
export const searchCallPaths: ReadonlySet<string | undefined> = new Set<string | undefined>([
  calls.listListings.path,
  calls.listSimilarMatches.path,
  calls.suggestListings.path,
  calls.listConversations.path,
]);
/** Matches the path of the search page as the page router does, which ignores case and trailing slashes. */
const searchPagePattern = /^\/search([./]|$)/i;

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * Returns the query text of a search call. It compares the matched route instead of the URL,
 * because one path can be encoded in many ways.
 */
const findCallSearchText = ({ routeOptions, query }: FastifyRequest): unknown =>
  searchCallPaths.has(routeOptions.url) && (query as { q?: unknown }).q;

/** Returns the query text of a search page, parsed from the URL as the page renderer does. */
const findPageSearchText = ({ url, is404 }: FastifyRequest): unknown => {
  // Pages have no Fastify routes, so `is404` is true for them. Most URLs have no query and need no parsing.
  if (!is404 || !url.startsWith('/') || !url.includes('?')) return undefined;
  const { pathname, searchParams } = new URL(`http://page${url}`);
  return searchPagePattern.test(decodePath(pathname)) && searchParams.get('q');
};

const isNonBlankText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Returns the id of the account that last logged in on the device, or undefined if there is none. */
type DeviceOwnerFinder = (hash: Buffer) => Promise<string | undefined>;

/**
 * Limits searches, which are the most expensive reads, in API calls and on pages. A signed-in
 * person's search counts toward the account, so that visitors at the same network address cannot
 * use up its limit. A page request carries no session, because the browser keeps the session in
 * local storage. When such a request exceeds the limit for its network address, the device cookie
 * identifies the account that it counts toward.
 */
export const installSearchLimit = (
  server: FastifyInstance,
  app: App,
  findDeviceOwner: DeviceOwnerFinder,
): void => {
  const countSearch = async (request: FastifyRequest): Promise<void> => {
    const { ip: address } = request;
    const session = await findSession(request, app);
    try {
      await app.limits.consume('search', { address, userId: session?.userId });
    } catch (refusal) {
      const deviceHashOfRequest = session ? undefined : readDeviceIdHash(request, app.config.publicUrl);
      const owner = deviceHashOfRequest && (await findDeviceOwner(deviceHashOfRequest));
      if (!owner) throw refusal;
      await app.limits.consume('search', { address, userId: owner });
    }
  };

  server.decorateRequest('refusedSearch', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const isCallSearch = isNonBlankText(findCallSearchText(request));
    if (!isCallSearch && !isNonBlankText(findPageSearchText(request))) return done();
    countSearch(request).then(
      () => done(),
      (error) => {
        // If counting failed because the database is unavailable, continue: the search will fail
        // too and report it.
        if (!(error instanceof Problem)) return done();
        if (isCallSearch) return done(error);
        request.refusedSearch = error;
        done();
      },
    );
  });
};
