import type { Campus } from './campus.ts';
import type { Listing, ListingCard, ListingPage, ListingQuery, SimilarMatchesQuery } from './listings.ts';

/** The read API for rendering public pages: public rows only, the same for every visitor. */
export interface PublicReads {
  /** Published listings, a page at a time. */
  listListings(query: ListingQuery): Promise<ListingPage>;
  /** Published listings with other forms or spellings of the words of a search, but without its text. */
  listSimilarMatches(query: SimilarMatchesQuery): Promise<ListingCard[]>;
  /** The newest published listings of all categories. */
  listLatest(limit: number): Promise<ListingCard[]>;
  /** One published listing; throws the Problem `listing_not_found`. */
  getListing(slug: string): Promise<Listing>;
  /** Up to four others of the same category; throws the Problem `listing_not_found`. */
  listSimilar(slug: string): Promise<ListingCard[]>;
}

/** A page of the URLs of published listings, with the total and the time of the last change of any of them. */
export interface ListingAddresses {
  items: { slug: string; updated_at: string }[];
  total: number;
  changed_at: string | null;
}

/** The server's input for rendering a page. Nothing in it depends on the visitor. */
export interface PageContext {
  reads: PublicReads;
  campus: Campus;
  /** Public scheme and host, without a trailing slash. */
  publicUrl: string;
  /** The nonce that identifies our own inline scripts. */
  nonce: string;
  /** Called with errors during rendering. */
  onError(error: unknown): void;
}

/** Responds to a request for a page or its data; exported by the built pages. */
export type RenderPage = (request: Request, page: PageContext) => Promise<Response>;

/** The key of a page in the page cache. */
export interface CacheKey {
  /** The canonical URL of all URLs that show the same page, without parameters that the page ignores. */
  address: string;
  /** Whether it is a filtered page or a search, of which there are many. */
  narrowed: boolean;
}

/** Returns the cache key of a URL; undefined for a page that is rendered for every request. */
export type FindCacheKey = (url: string) => CacheKey | undefined;

/** Renders the fallback for a page that can neither be fetched nor read from a cache; its scripts carry the nonce. */
export type RenderOfflinePage = (campus: Campus, nonce: string) => string | Promise<string>;
