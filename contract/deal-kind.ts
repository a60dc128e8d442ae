import type { DealKind } from './deal-states.ts';

/** Returns the kind of the deals about listings of a category. */
export const getDealKind = (category: string | null): DealKind => {
  if (category === 'free') return 'gift';
  return category === 'rentals' ? 'rental' : 'sale';
};
