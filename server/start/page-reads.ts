import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import {
  getPublishedListing,
  listLatestListings,
  listPublishedListings,
  listSimilarListings,
  searchSimilarListings,
} from '#server/features/listings/public.ts';
import { parseJson } from '#server/platform/json/json-text.ts';

/** Creates the read API that pages call directly, without HTTP, because they are rendered in this process. */
export const createPageReads = (
  app: App,
  // Temporary: the functions of features that still have factories.
  others: Pick<PublicDataReader, 'findAnnouncement' | 'getUser' | 'listUserReviews'>,
): PublicDataReader => ({
  ...others,
  listListings: async (query) => parseJson(await listPublishedListings(app, query)),
  listSimilarMatches: async (query) => parseJson(await searchSimilarListings(app, query)),
  listLatest: async (limit) => parseJson(await listLatestListings(app, limit)),
  getListing: async (slug) => parseJson(await getPublishedListing(app, slug)),
  listSimilar: async (slug) => parseJson(await listSimilarListings(app, slug)),
});
