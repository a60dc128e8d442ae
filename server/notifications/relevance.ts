import type { NotificationFacts } from './events.ts';
import type { NotificationRow } from './repository.ts';

/**
 * Returns whether the listing still is as the notification says. An outdated notification stays in the list, but is
 * neither emailed nor pushed.
 */
export const isStillTrue = ({ event, facts, ...listing }: NotificationRow): boolean => {
  if (event !== 'available_again' && event !== 'price_dropped') return true;
  const { listing_status: status, price, is_on_hold: isOnHold } = listing;
  if (status !== 'published') return false;
  return event === 'available_again'
    ? isOnHold === false
    : price !== null && price <= (facts as NotificationFacts<'price_dropped'>).price;
};
