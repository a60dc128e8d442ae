import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import {
  getPublishedListing,
  listLatestListings,
  listPublishedListings,
  listSimilarListings,
  searchSimilarListings,
} from '#server/features/listings/public.ts';
import { getPublicProfile } from '#server/features/profiles/public.ts';
import { listReviewsOfUser } from '#server/features/reviews/public.ts';
import { parseJson } from '#server/platform/json/json-text.ts';

/** Creates the read API that pages call directly, without HTTP, because they are rendered in this process. */
export const createPageReads = (app: App): PublicDataReader => ({
  findAnnouncement: app.announcementCache.find,
  listListings: async (query) => parseJson(await listPublishedListings(app, query)),
  listSimilarMatches: async (query) => parseJson(await searchSimilarListings(app, query)),
  listLatest: async (limit) => parseJson(await listLatestListings(app, limit)),
  getListing: async (slug) => parseJson(await getPublishedListing(app, slug)),
  listSimilar: async (slug) => parseJson(await listSimilarListings(app, slug)),
  getUser: (id) => getPublicProfile(app, id),
  listUserReviews: (id) => listReviewsOfUser(app, id, undefined),
});
