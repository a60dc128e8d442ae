import type { Campus } from './campus.ts';
import type { Listing, ListingCard, ListingPage, ListingQuery } from './listings.ts';

/** What a public page may read while it is rendered: public rows only, the same for every reader. */
export interface PublicReads {
  /** Published listings, a page at a time. */
  listListings(query: ListingQuery): Promise<ListingPage>;
  /** One published listing; throws the Problem `listing_not_found`. */
  getListing(slug: string): Promise<Listing>;
  /** Up to four others of the same category; throws the Problem `listing_not_found`. */
  listSimilar(slug: string): Promise<ListingCard[]>;
}

/** The addresses of some published listings, and how many there are in all. */
export interface ListingAddresses {
  items: { slug: string; updated_at: string }[];
  total: number;
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
