import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { Problem } from '#contract/errors.ts';
import { readDeviceHash } from './device-cookie.ts';
import { findSession, type HttpDeps } from './serve.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the rate limit refuses a page's search; the page displays it instead of results. */
    refusedSearch: Problem | undefined;
  }
}

/** Paths of the calls that count as a search when the request has a query text. */
export const searchCalls: ReadonlySet<string | undefined> = new Set<string | undefined>([
  calls.listListings.path,
  calls.listSimilarMatches.path,
  calls.suggestListings.path,
]);
/** Matches the path of the search page as the page router does, which ignores case and trailing slashes. */
const searchPage = /^\/search([./]|$)/i;

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * Returns the query text of a search call. It checks the route instead of the URL, which can be spelled in many ways.
 */
const findCallQuery = ({ routeOptions, query }: FastifyRequest): unknown =>
  searchCalls.has(routeOptions.url) && (query as { q?: unknown }).q;

/** Returns the query text of a search page, parsed from the URL as the page renderer does. */
const findPageQuery = ({ url, is404 }: FastifyRequest): unknown => {
  // Pages have no Fastify routes, so they count as 404 here. Most URLs have no query and need no parsing.
  if (!is404 || !url.startsWith('/') || !url.includes('?')) return undefined;
  const { pathname, searchParams } = new URL(`http://page${url}`);
  return searchPage.test(decodePath(pathname)) && searchParams.get('q');
};

const isNonBlankText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

interface SearchLimitDeps extends Pick<HttpDeps, 'authenticate' | 'rateLimits' | 'publicUrl'> {
  /** Returns the id of the account that the device is known to; undefined for an unknown device. */
  findDeviceOwner(hash: Buffer): Promise<string | undefined>;
}

/**
 * Limits searches, the most expensive reads, by calls and by pages. A search of a signed-in person counts toward the
 * account, so that visitors at the same address cannot use up its limit. Requests for pages carry no session, because
 * the browser keeps it in local storage; for them the device cookie identifies the account.
 */
export const installSearchLimit = (app: FastifyInstance, deps: SearchLimitDeps): void => {
  const { authenticate, rateLimits, publicUrl, findDeviceOwner } = deps;

  const countSearch = async (request: FastifyRequest): Promise<void> => {
    const { ip: address } = request;
    const session = await findSession(request, authenticate);
    try {
      await rateLimits.consume('search', { address, userId: session?.userId });
    } catch (refusal) {
      const deviceHashOfRequest = session ? undefined : readDeviceHash(request, publicUrl);
      const owner = deviceHashOfRequest && (await findDeviceOwner(deviceHashOfRequest));
      if (!owner) throw refusal;
      await rateLimits.consume('search', { address, userId: owner });
    }
  };

  app.decorateRequest('refusedSearch', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const isCallSearch = isNonBlankText(findCallQuery(request));
    if (!isCallSearch && !isNonBlankText(findPageQuery(request))) return done();
    countSearch(request).then(
      () => done(),
      (error) => {
        // When counting fails because of the database, let the search itself report the failure.
        if (!(error instanceof Problem)) return done();
        if (isCallSearch) return done(error);
        request.refusedSearch = error;
        done();
      },
    );
  });
};
