import type { AnnouncementState } from './announcements.ts';
import type { Campus } from './campus.ts';
import type { ListingPage, ListingQuery, SimilarMatchesQuery } from './listing-queries.ts';
import type { Listing, ListingCard } from './listings.ts';
import type { PublicProfile } from './profiles.ts';
import type { ReviewPage } from './reviews.ts';

/** The read API for rendering public pages. It returns only public data, the same for every visitor. */
export interface PublicReads {
  /** Returns the announcement that all pages show now. */
  findAnnouncement(): Promise<AnnouncementState>;
  /** Returns a page of published listings. */
  listListings(query: ListingQuery): Promise<ListingPage>;
  /**
   * Lists published listings that contain other forms or spellings of the searched words, but not
   * the exact search text.
   */
  listSimilarMatches(query: SimilarMatchesQuery): Promise<ListingCard[]>;
  /** Lists the newest published listings of all categories. */
  listLatest(limit: number): Promise<ListingCard[]>;
  /** Returns a listing that has a page: published, or sold in the last 90 days; throws the Problem `listing_not_found`. */
  getListing(slug: string): Promise<Listing>;
  /** Lists up to four other listings of the same category; throws the Problem `listing_not_found`. */
  listSimilar(slug: string): Promise<ListingCard[]>;
  /** Returns a person's public profile; throws the Problem `user_not_found`. */
  getUser(id: string): Promise<PublicProfile>;
  /** Returns the first page of a person's public reviews; throws the Problem `user_not_found`. */
  listUserReviews(id: string): Promise<ReviewPage>;
}

/**
 * The published listings of one site map file. `total` is the number of all published listings, and
 * `changed_at` the time of the latest change to any of them.
 */
export interface SitemapListings {
  items: { slug: string; updated_at: string }[];
  total: number;
  changed_at: string | null;
}

/** The context that the server passes to the page renderer. It does not depend on the visitor. */
export interface PageContext {
  reads: PublicReads;
  campus: Campus;
  /** Public scheme and host, without a trailing slash. */
  publicUrl: string;
  /** The CSP nonce of our own inline scripts. */
  nonce: string;
  /** The time at which the page is rendered. */
  now: Date;
  /** Receives errors that occur during rendering. */
  onError(error: unknown): void;
}

/**
 * The function that the page build exports. Returns the response to a request for a page, or for
 * the data of a page.
 */
export type RenderPage = (request: Request, page: PageContext) => Promise<Response>;

/** The key of a page in the page cache. */
export interface CacheKey {
  /** The canonical URL of the page: without query parameters that do not change what the page shows. */
  address: string;
  /**
   * Whether the page is a search or a filtered list. There are very many such pages, so the cache
   * stores them apart from the others, with their own size limit.
   */
  narrowed: boolean;
}

/** Returns the cache key of a URL; undefined for a page that must be rendered for each request. */
export type FindCacheKey = (url: string) => CacheKey | undefined;

/**
 * Renders the offline page, which is shown when the requested page is neither reachable nor cached.
 * `nonce` is the CSP nonce of the page's inline scripts.
 */
export type RenderOfflinePage = (campus: Campus, nonce: string) => string | Promise<string>;
