import type { Campus } from '#contract/campus.ts';
import { isNotablePriceDrop } from '#contract/saved-listings.ts';
import type { NotificationFacts } from './events.ts';
import type { NotificationRow } from './repository.ts';

/**
 * Returns a notification as its email or push must say it now, with the present price of the listing, or undefined if
 * it is no longer true. A question about availability is about the listings without an answer. A sale is no longer true
 * when the listing is for sale again, and matches of a saved search are not when none of the listings is public. An
 * outdated notification stays in the list, but is neither emailed nor pushed.
 */
export const toCurrentNotification = (row: NotificationRow, campus: Campus): NotificationRow | undefined => {
  const { event, count, listing_status: status, price, is_on_hold: isOnHold, is_listed: isListed } = row;
  if (event === 'availability_asked') {
    const questions = row.questions?.filter(({ state }) => state === 'asked') ?? [];
    return questions.length > 0 ? { ...row, questions } : undefined;
  }
  if (event === 'search_matched' || event === 'search_digest') {
    const facts = row.facts as NotificationFacts<typeof event>;
    // The facts contain only the newest matches, so any others may still be public.
    return row.matched_titles === null && count <= facts.listing_ids.length ? undefined : row;
  }
  if (event === 'wanted_found') return row.matched_titles === null ? undefined : row;
  if (event === 'listing_sold') return status === 'published' ? undefined : row;
  if (event !== 'available_again' && event !== 'price_dropped') return row;
  if (!isListed) return undefined;
  if (event === 'available_again') return isOnHold === false ? row : undefined;
  const facts = row.facts as NotificationFacts<'price_dropped'>;
  const isLower = price !== null && isNotablePriceDrop(price, facts.lowest_before, campus);
  return isLower ? { ...row, facts: { ...facts, price } } : undefined;
};
