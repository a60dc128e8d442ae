import type { Campus } from './campus.ts';
import type { Listing, ListingCard, ListingPage, ListingQuery } from './listings.ts';

/** What a public page may read while it is rendered: public rows only, the same for every reader. */
export interface PublicReads {
  /** Published listings, a page at a time. */
  listListings(query: ListingQuery): Promise<ListingPage>;
  /** The newest published listings of all categories. */
  listLatest(limit: number): Promise<ListingCard[]>;
  /** One published listing; throws the Problem `listing_not_found`. */
  getListing(slug: string): Promise<Listing>;
  /** Up to four others of the same category; throws the Problem `listing_not_found`. */
  listSimilar(slug: string): Promise<ListingCard[]>;
}

/** The addresses of some published listings, how many there are in all, and when one of all was last changed. */
export interface ListingAddresses {
  items: { slug: string; updated_at: string }[];
  total: number;
  changed_at: string | null;
}

/** What the server hands to the rendering of one page. Nothing in it depends on who reads the page. */
export interface PageContext {
  reads: PublicReads;
  campus: Campus;
  /** Scheme and host that visitors use, without a slash at the end. */
  publicUrl: string;
  /** Marks our own inline scripts, so that they can be told from anything else in the page. */
  nonce: string;
  /** Receives what went wrong while the page was made. */
  onError(error: unknown): void;
}

/** Answers a request for a page, or for the data of one: what the built pages offer the server. */
export type RenderPage = (request: Request, page: PageContext) => Promise<Response>;

/** Where a page is kept once it is made. */
export interface CacheKey {
  /** The one address of what many addresses show: what the page does not look at is left out of it. */
  address: string;
  /** Whether it is one of the very many that a choice or a text makes out of one page. */
  narrowed: boolean;
}

/** The kept address of a path with its query; undefined for a page that is made anew for everyone who asks. */
export type FindCacheKey = (url: string) => CacheKey | undefined;

/** Renders what stands in for a page that cannot be fetched and was never kept; its scripts carry the nonce. */
export type RenderOfflinePage = (campus: Campus, nonce: string) => string | Promise<string>;
