import type { Category } from '#contract/categories.ts';
import type { ListingCard } from '#contract/listings.ts';
import type { PublicReads } from '#contract/reads.ts';
import type { Announcement } from '#contract/realtime.ts';

export type PagesChange = Omit<Extract<Announcement, { kind: 'pages_changed' }>, 'kind'>;

/** What a page was rendered from. When any of it changes, the page must be rendered again. */
export interface PageDependencies {
  listings: Set<string>;
  people: Set<string>;
  /** The lists whose first page it shows: of a category, or of everything. */
  lists: Set<Category | 'everything'>;
  /** Whether it depends on the current date. */
  today: boolean;
}

/** Wraps the reads of a page so that they record its dependencies. */
export const trackDependencies = (
  reads: PublicReads,
): { reads: PublicReads; dependencies: PageDependencies } => {
  const dependencies: PageDependencies = {
    listings: new Set(),
    people: new Set(),
    lists: new Set(),
    today: false,
  };
  const recordCards = (cards: readonly ListingCard[]): void => {
    for (const { id, user_id } of cards) {
      dependencies.listings.add(id);
      dependencies.people.add(user_id);
    }
  };
  const recording: PublicReads = {
    listListings: async (query) => {
      dependencies.lists.add(query.category ?? 'everything');
      if (query.game_date) dependencies.today = true;
      const page = await reads.listListings(query);
      recordCards(page.items);
      return page;
    },
    listSimilarMatches: async (query) => {
      dependencies.lists.add(query.category ?? 'everything');
      if (query.game_date) dependencies.today = true;
      const cards = await reads.listSimilarMatches(query);
      recordCards(cards);
      return cards;
    },
    listLatest: async (limit) => {
      dependencies.lists.add('everything');
      const cards = await reads.listLatest(limit);
      recordCards(cards);
      return cards;
    },
    getListing: async (slug) => {
      const listing = await reads.getListing(slug);
      recordCards([listing]);
      // Its similar items come from its category, which also covers a category that is still empty.
      dependencies.lists.add(listing.category);
      return listing;
    },
    listSimilar: async (slug) => {
      const cards = await reads.listSimilar(slug);
      recordCards(cards);
      return cards;
    },
  };
  return { reads: recording, dependencies };
};

/** Returns whether a change may affect a page with these dependencies. */
export const isAffected = (
  dependencies: PageDependencies,
  { listing_ids, user_ids, categories }: PagesChange,
): boolean =>
  listing_ids.some((id) => dependencies.listings.has(id)) ||
  user_ids.some((id) => dependencies.people.has(id)) ||
  categories.some((category) => dependencies.lists.has(category)) ||
  (categories.length > 0 && dependencies.lists.has('everything'));
