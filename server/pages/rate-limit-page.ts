import type { Problem } from '#contract/errors.ts';
import type { PageRenderFunction } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import { buildSecurityHeaders } from '#server/http/security-headers.ts';
import { type ContentEncoding, type PreparedPage, preparePage } from './page-response.ts';
import { createPageRenderer, noAnnouncement } from './render.ts';

const throwRateLimitResponse = async () => {
  throw new Response(null, { status: 429 });
};
/**
 * The data reads for a rate-limited page. All except the one for the announcement throw a 429 response
 * instead of reading data.
 */
const rateLimitedReads = {
  findAnnouncement: async () => noAnnouncement,
  listListings: throwRateLimitResponse,
  listSimilarMatches: throwRateLimitResponse,
  listLatest: throwRateLimitResponse,
  getListing: throwRateLimitResponse,
  listSimilar: throwRateLimitResponse,
  getCourse: throwRateLimitResponse,
  getUser: throwRateLimitResponse,
  listUserReviews: throwRateLimitResponse,
};

/** Returns a function that renders the error page for too many requests, with a Retry-After header in seconds. */
export const createRateLimitPageRenderer = (app: App, renderPage: PageRenderFunction) => {
  const securityHeaders = buildSecurityHeaders(app.config.publicUrl);
  const render = createPageRenderer(app, renderPage, rateLimitedReads);
  return async (
    path: string,
    { retryAfter = 60 }: Problem,
    wanted: ContentEncoding,
  ): Promise<PreparedPage> => {
    const page = await render(path);
    const headers = { ...page.headers, 'retry-after': String(retryAfter) };
    return preparePage({ ...page, headers }, securityHeaders, { cacheable: false, wanted: [wanted] });
  };
};
