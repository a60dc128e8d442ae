import type { FastifyInstance, FastifyRequest } from 'fastify';
import { calls } from '#contract/calls.ts';
import { Problem } from '#contract/errors.ts';
import { deviceHash } from './device-cookie.ts';
import { findSession, type HttpDeps } from './serve.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason why a page must not search, which the page displays. */
    refusedSearch: Problem | undefined;
  }
}

/** Paths of the calls that count as a search when they have a text to search for. */
export const searchCalls: ReadonlySet<string | undefined> = new Set<string | undefined>([
  calls.listListings.path,
  calls.listSimilarMatches.path,
  calls.suggestListings.path,
]);
/** Matches what the page router accepts as the search page: it ignores case and trailing slashes. */
const searchPage = /^\/search([./]|$)/i;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Returns the text that a call searches for, if any: by its route, since one route has many spellings. */
const searchedByCall = ({ routeOptions, query }: FastifyRequest): unknown =>
  searchCalls.has(routeOptions.url) && (query as { q?: unknown }).q;

/** What a page searches for, if it does: by its address as the rendering reads it. */
const searchedByPage = ({ url, is404 }: FastifyRequest): unknown => {
  // Pages have no routes here. Most of what is asked for has no query, and needs no parsing.
  if (!is404 || !url.startsWith('/') || !url.includes('?')) return undefined;
  const { pathname, searchParams } = new URL(`http://page${url}`);
  return searchPage.test(decoded(pathname)) && searchParams.get('q');
};

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

interface SearchLimitDeps extends Pick<HttpDeps, 'authenticate' | 'rateLimits' | 'publicUrl'> {
  /** Finds the account that knows a device. */
  findDeviceOwner(hash: Buffer): Promise<string | undefined>;
}

/**
 * Limits searches, as calls and as pages, which are the most expensive reads. They count for the account, so that
 * visitors cannot use up the searches of signed-in people at their address. Page requests carry no session, which stays
 * in the browser's storage, so the known device identifies the account.
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
  app.addHook('onRequest', (request, _reply, done) => {
    const byCall = isText(searchedByCall(request));
    if (!byCall && !isText(searchedByPage(request))) return done();
    count(request).then(
      () => done(),
      (error) => {
        // Where counting fails, the search itself will say why.
        if (!(error instanceof Problem)) return done();
        if (byCall) return done(error);
        request.refusedSearch = error;
        done();
      },
    );
  });
};
