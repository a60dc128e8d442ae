import type { Campus } from './campus.ts';
import type { ListingPage, ListingQuery, SimilarMatchesQuery } from './listing-queries.ts';
import type { Listing, ListingCard } from './listings.ts';

/** The read API for rendering public pages. It returns only public data, the same for every visitor. */
export interface PublicReads {
  /** Returns a page of published listings. */
  listListings(query: ListingQuery): Promise<ListingPage>;
  /**
   * Lists published listings that contain other forms or spellings of the words of a search, but not its exact text.
   */
  listSimilarMatches(query: SimilarMatchesQuery): Promise<ListingCard[]>;
  /** Lists the newest published listings of all categories. */
  listLatest(limit: number): Promise<ListingCard[]>;
  /** Returns a published listing; throws the Problem `listing_not_found`. */
  getListing(slug: string): Promise<Listing>;
  /** Lists up to four other listings of the same category; throws the Problem `listing_not_found`. */
  listSimilar(slug: string): Promise<ListingCard[]>;
}

/**
 * A part of the published listings for the site map, with the number of all of them and the time of the latest change
 * to any of them.
 */
export interface ListingAddresses {
  items: { slug: string; updated_at: string }[];
  total: number;
  changed_at: string | null;
}

/** What the server passes to the renderer of a page. Nothing in it depends on the visitor. */
export interface PageContext {
  reads: PublicReads;
  campus: Campus;
  /** Public scheme and host, without a trailing slash. */
  publicUrl: string;
  /** The nonce that marks our own inline scripts. */
  nonce: string;
  /** The time at which the page is rendered. */
  now: Date;
  /** Receives errors that occur during rendering. */
  onError(error: unknown): void;
}

/** Returns the response to a request for a page or its data; the built pages export such a function. */
export type RenderPage = (request: Request, page: PageContext) => Promise<Response>;

/** The key of a page in the page cache. */
export interface CacheKey {
  /** The canonical URL of the page: without query parameters that do not change what the page shows. */
  address: string;
  /** Whether the page is a search or a filtered list. There are very many such pages. */
  narrowed: boolean;
}

/** Returns the cache key of a URL; undefined for a page that must be rendered for each request. */
export type FindCacheKey = (url: string) => CacheKey | undefined;

/** Renders the page shown when a page is neither reachable nor cached; its inline scripts carry the nonce. */
export type RenderOfflinePage = (campus: Campus, nonce: string) => string | Promise<string>;
