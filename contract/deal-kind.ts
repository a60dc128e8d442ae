import type { DealKind } from './deal-states.ts';

/** Returns the kind (sale, gift or rental) of deals about listings of this category. */
export const getDealKind = (category: string | null): DealKind => {
  if (category === 'free') return 'gift';
  return category === 'rentals' ? 'rental' : 'sale';
};
