import type { DealKind } from './deal-states.ts';
import type { SaleOutcome } from './selling.ts';

/** Returns the kind (sale, gift or rental) of deals about listings of this category. */
export const getDealKind = (category: string | null): DealKind => {
  if (category === 'free') return 'gift';
  return category === 'rentals' ? 'rental' : 'sale';
};

/** How an item leaves the site, by the kind of its deals. */
export const outcomeByDealKind = {
  sale: 'sold',
  gift: 'given_away',
  rental: 'rented',
} as const satisfies Record<DealKind, SaleOutcome>;
