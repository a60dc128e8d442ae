import { type Category, categories } from '#contract/categories.ts';
import type { Bus } from '#server/platform/bus/bus.ts';

/**
 * Invalidates cached public pages in every process, after a change is committed. A lost invalidation does no lasting
 * harm, because no page is cached for long.
 */
export interface PageInvalidation {
  /** A listing was published, edited, unpublished or deleted; with its categories before and after. */
  listingChanged(listingId: string, inCategories: readonly Category[]): Promise<void>;
  /** A person's name, picture or badge changed. */
  profileChanged(userId: string): Promise<void>;
  /** All listings of a person appeared or disappeared: account deleted, suspended, or suspension lifted. */
  sellerChanged(userId: string): Promise<void>;
}

/** Creates page invalidation over the bus. */
export const createPageInvalidation = (bus: Pick<Bus, 'publish'>): PageInvalidation => {
  const publish = (change: { listing?: string; user?: string; lists?: readonly Category[] }): Promise<void> =>
    bus.publish({
      kind: 'pages_changed',
      listing_ids: change.listing === undefined ? [] : [change.listing],
      user_ids: change.user === undefined ? [] : [change.user],
      categories: [...new Set(change.lists)],
    });
  return {
    listingChanged: (listing, lists) => publish({ listing, lists }),
    profileChanged: (user) => publish({ user }),
    // The affected lists are no longer known; this is rare enough to invalidate all of them.
    sellerChanged: (user) => publish({ user, lists: categories }),
  };
};
