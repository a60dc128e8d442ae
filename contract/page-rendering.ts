import type { AnnouncementSchedule } from './announcements.ts';
import type { CourseDetail } from './books.ts';
import type { Campus } from './campus.ts';
import type { ListingPage, ListingQuery, SimilarMatchesQuery } from './listing-queries.ts';
import type { Listing, ListingCard } from './listings.ts';
import type { PublicProfile } from './profiles.ts';
import type { ReviewPage } from './reviews.ts';

/**
 * The functions that read data for the rendering of public pages. They return only public data, the same for
 * every visitor.
 */
export interface PublicDataReader {
  /** Returns the announcement that all pages currently show. */
  findAnnouncement(): Promise<AnnouncementSchedule>;
  /** Returns one page of results of a search for published listings. */
  listListings(query: ListingQuery): Promise<ListingPage>;
  /**
   * Lists published listings that match a search only approximately: they contain other forms or spellings of
   * its words, but not the exact text.
   */
  listSimilarMatches(query: SimilarMatchesQuery): Promise<ListingCard[]>;
  /** Lists the newest published listings of all categories. */
  listLatest(limit: number): Promise<ListingCard[]>;
  /**
   * Returns a listing that is published or was sold in the last 90 days. Throws the Problem
   * `listing_not_found`.
   */
  getListing(slug: string): Promise<Listing>;
  /** Lists up to four other listings of the same category. Throws the Problem `listing_not_found`. */
  listSimilar(slug: string): Promise<ListingCard[]>;
  /** Returns a course with its books. Throws the Problem `course_not_found`. */
  getCourse(code: string): Promise<CourseDetail>;
  /** Returns a person's public profile. Throws the Problem `user_not_found`. */
  getUser(id: string): Promise<PublicProfile>;
  /** Returns the first page of a person's public reviews. Throws the Problem `user_not_found`. */
  listUserReviews(id: string): Promise<ReviewPage>;
}

/**
 * The published listings that one sitemap file contains. `total` is the number of all published listings, and
 * `changed_at` the time of the latest change to any of them.
 */
export interface SitemapListings {
  items: { slug: string; updated_at: string }[];
  /** Courses of which books are offered; only with the first listings. */
  courses?: string[];
  total: number;
  changed_at: string | null;
}

/** What the server passes to the page renderer with each request. It does not depend on the visitor. */
export interface PageRenderContext {
  reads: PublicDataReader;
  campus: Campus;
  /** Public origin of the site (scheme and host), without a trailing slash. */
  publicUrl: string;
  /** The CSP nonce for the inline scripts of the page. */
  nonce: string;
  /** The time at which the page is rendered; relative times on the page refer to it. */
  now: Date;
  /** Called with each error that occurs during rendering. */
  onError(error: unknown): void;
}

/**
 * The function that the page build exports to render a page. Returns the response to a request for a page, or
 * for the data of a page.
 */
export type PageRenderFunction = (request: Request, page: PageRenderContext) => Promise<Response>;

/** The key under which the page cache stores a page. */
export interface PageCacheKey {
  /** The canonical URL of the page: without query parameters that do not change what the page shows. */
  address: string;
  /**
   * Whether the page is a search or a filtered list. There are very many such pages, so the cache
   * stores them apart from the others, with their own size limit.
   */
  isFiltered: boolean;
  /** Whether the address stands for all URLs without a page, which show the same page with status 404. */
  isMissing?: boolean;
}

/** Returns the cache key of a URL, or undefined for a page that must be rendered for each request. */
export type PageCacheKeyFinder = (url: string) => PageCacheKey | undefined;

/**
 * Renders the offline page, which is shown when the requested page is neither reachable nor cached.
 * `nonce` is the CSP nonce of the page's inline scripts.
 */
export type OfflinePageRenderFunction = (campus: Campus, nonce: string) => string | Promise<string>;
