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
