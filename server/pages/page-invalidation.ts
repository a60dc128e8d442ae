import { type Category, categories } from '#contract/categories.ts';
import type { Bus } from '#server/platform/bus/bus.ts';

/**
 * Tells every process, after the fact is committed, that public pages show something else now. Losing one of these
 * does no lasting harm: no page is kept for long.
 */
export interface PageInvalidation {
  /** A listing was published, edited, withdrawn or deleted; with its categories, before and after. */
  listingChanged(listingId: string, inCategories: readonly Category[]): Promise<void>;
  /** A person's name, picture or badge changed. */
  profileChanged(userId: string): Promise<void>;
  /** A person is gone, with all their listings. */
  sellerChanged(userId: string): Promise<void>;
}

/** The news as they go over the bus. */
export const createPageInvalidation = (bus: Pick<Bus, 'publish'>): PageInvalidation => {
  const tell = (change: { listing?: string; user?: string; lists?: readonly Category[] }): Promise<void> =>
    bus.publish({
      kind: 'pages_changed',
      listing_ids: change.listing === undefined ? [] : [change.listing],
      user_ids: change.user === undefined ? [] : [change.user],
      categories: [...new Set(change.lists)],
    });
  return {
    listingChanged: (listing, lists) => tell({ listing, lists }),
    profileChanged: (user) => tell({ user }),
    // Which lists they were in is no longer known; it happens rarely enough to make all of them anew.
    sellerChanged: (user) => tell({ user, lists: categories }),
  };
};
