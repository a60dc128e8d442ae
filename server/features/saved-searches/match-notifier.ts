import type { Notifier } from '#server/features/notifications/public.ts';
import type { MatchNotifier } from './matching.ts';

/** Number of matching listings whose titles a notification contains. */
const maxNamedListings = 3;

/** Returns the function that notifies people about new matches of their saved searches. */
export const createMatchNotifier =
  (notify: Notifier): MatchNotifier =>
  async (tx, matches) => {
    const toItem = ({ searchId, userId, listingIds }: (typeof matches)[number]) => ({
      subjectId: searchId,
      facts: { listing_ids: listingIds.slice(0, maxNamedListings) },
      userIds: [userId],
      count: listingIds.length,
    });
    const { instant = [], daily = [] } = Object.groupBy(matches, ({ alert }) => alert);
    await notify(tx, 'search_matched', instant.map(toItem));
    await notify(tx, 'search_digest', daily.map(toItem));
  };
