import { type CampusTimeZone, toCampusDay } from '#contract/campus.ts';
import type { DealWithContext } from './repository.ts';

// In this file, days are strings in the format YYYY-MM-DD, and `today` is the current date on the campus.

/** Returns whether the last day of a rental has passed. Returns false for deals that are not rentals. */
export const isRentalPeriodOver = (
  { last_day: last }: Pick<DealWithContext, 'last_day'>,
  today: string,
): boolean => last !== null && last < today;

/** Returns whether the owner has rented the item out without a deal, at least until the first day of this rental. */
export const isRentedWithoutDeal = (
  { first_day: first, rented_until: until }: Pick<DealWithContext, 'first_day' | 'rented_until'>,
  today: string,
): boolean => first !== null && until !== null && first <= until && until >= today;

/**
 * Returns whether a rental is out after its last day, or came back after it. While the owner has not confirmed the return,
 * the time of the latest transition is that of the return, or late itself.
 */
export const isReturnLate = (
  { state, last_day: last, changed_at: changedAt }: Pick<DealWithContext, 'state' | 'last_day' | 'changed_at'>,
  { now, campus }: { now: Date; campus: CampusTimeZone },
): boolean => last !== null && toCampusDay(campus, state === 'back' ? changedAt : now) > last;
