import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import { getCourse } from '#server/features/books/public.ts';
import {
  getPublishedListing,
  listLatestListings,
  listPublishedListings,
  listSimilarListings,
  searchSimilarListings,
} from '#server/features/listings/public.ts';
import { getPublicProfile } from '#server/features/profiles/public.ts';
import { listReviewsOfUser } from '#server/features/reviews/public.ts';

/** Creates the read API that pages call directly, without HTTP, because they are rendered in this process. */
export const createPageReads = (app: App): PublicDataReader => ({
  findAnnouncement: app.announcementCache.find,
  listListings: (query) => listPublishedListings(app, query),
  listSimilarMatches: (query) => searchSimilarListings(app, query),
  listLatest: (limit) => listLatestListings(app, limit),
  getListing: (slug) => getPublishedListing(app, slug),
  listSimilar: (slug) => listSimilarListings(app, slug),
  getCourse: (code) => getCourse(app, code),
  getUser: (id) => getPublicProfile(app, id),
  listUserReviews: (id) => listReviewsOfUser(app, id, undefined),
});
