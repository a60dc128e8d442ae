import { type Category, categories } from '#contract/categories.ts';
import type { ListingCard } from '#contract/listings.ts';
import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { BusMessage } from '#contract/realtime.ts';
import type { App } from '#server/app.ts';

const publishChange = (
  { bus }: App,
  change: { listing?: string; user?: string; lists?: readonly Category[] },
): Promise<void> =>
  bus.publish({
    kind: 'pages_changed',
    listing_ids: change.listing === undefined ? [] : [change.listing],
    user_ids: change.user === undefined ? [] : [change.user],
    categories: [...new Set(change.lists)],
  });

/**
 * Drops the cached pages that show a listing, in every process. Call it after the commit when the listing was published,
 * edited, unpublished or deleted, with its categories before and after the change. A lost message does no lasting harm,
 * because no page is cached for long.
 */
export const invalidateListingPages = (
  app: App,
  listing: string,
  lists: readonly Category[],
): Promise<void> => publishChange(app, { listing, lists });

/** Drops the pages that show lists of categories. Call it after a change of what such pages show besides listings. */
export const invalidateCategoryPages = (app: App, lists: readonly Category[]): Promise<void> =>
  publishChange(app, { lists });

/** Drops the pages that show a person. Call it after a change of the public profile, such as the name or picture. */
export const invalidateProfilePages = (app: App, user: string): Promise<void> => publishChange(app, { user });

/**
 * Drops the pages that show a person's listings, or may show them now. Call it after all of them appeared in lists or
 * disappeared: when the account is deleted or suspended, its suspension is lifted, or its badge was set or removed,
 * which changes the lists of verified sellers.
 */
export const invalidateSellerPages = (app: App, user: string): Promise<void> =>
  // The person's listings may already have been deleted, so their categories may be unknown. Invalidate the lists of all
  // categories instead; this event is rare.
  publishChange(app, { user, lists: categories });

export type PageDataChange = Omit<Extract<BusMessage, { kind: 'pages_changed' }>, 'kind'>;

/** The data that a page was rendered from. When any of it changes, the page must be rendered again. */
export interface PageDependencies {
  listings: Set<string>;
  people: Set<string>;
  /** Categories whose lists of listings the page shows; `everything` if it shows a list of all categories. */
  lists: Set<Category | 'everything'>;
  /** Whether the page depends on the current date. */
  today: boolean;
  /**
   * When an announcement next begins or ends. The page changes at this time without an invalidation. It is
   * undefined if there is no such time.
   */
  until: Date | undefined;
}

/** Wraps the data reads of a page, so that they record what the page depends on. */
export const trackPageDependencies = (
  reads: PublicDataReader,
): { reads: PublicDataReader; dependencies: PageDependencies } => {
  const dependencies: PageDependencies = {
    listings: new Set(),
    people: new Set(),
    lists: new Set(),
    today: false,
    until: undefined,
  };
  // The date decides which listings are in lists, and what cards and pages say about rentals and passed games.
  const recordCards = (cards: readonly ListingCard[]): void => {
    dependencies.today = true;
    for (const { id, user_id } of cards) {
      dependencies.listings.add(id);
      dependencies.people.add(user_id);
    }
  };
  const recording: PublicDataReader = {
    findAnnouncement: async () => {
      const announcement = await reads.findAnnouncement();
      if (announcement.changes_at !== null) dependencies.until = new Date(announcement.changes_at);
      return announcement;
    },
    listListings: async (query) => {
      dependencies.lists.add(query.category ?? 'everything');
      const page = await reads.listListings(query);
      recordCards(page.items);
      return page;
    },
    listSimilarMatches: async (query) => {
      dependencies.lists.add(query.category ?? 'everything');
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
      // The page also shows similar items of the same category. Recording the category covers items
      // that are published later.
      dependencies.lists.add(listing.category);
      return listing;
    },
    listSimilar: async (slug) => {
      const cards = await reads.listSimilar(slug);
      recordCards(cards);
      return cards;
    },
    getCourse: async (code) => {
      dependencies.lists.add('textbooks');
      return reads.getCourse(code);
    },
    getUser: async (id) => {
      dependencies.people.add(id);
      return reads.getUser(id);
    },
    listUserReviews: async (id) => {
      dependencies.people.add(id);
      const page = await reads.listUserReviews(id);
      for (const { author } of page.items) if (author) dependencies.people.add(author.id);
      return page;
    },
  };
  return { reads: recording, dependencies };
};

export const isPageAffected = (
  dependencies: PageDependencies,
  { listing_ids, user_ids, categories }: PageDataChange,
): boolean =>
  listing_ids.some((id) => dependencies.listings.has(id)) ||
  user_ids.some((id) => dependencies.people.has(id)) ||
  categories.some((category) => dependencies.lists.has(category)) ||
  (categories.length > 0 && dependencies.lists.has('everything'));
