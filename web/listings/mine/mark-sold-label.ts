import type { OwnListing } from '#contract/listings.ts';
import { getSaleOutcome } from '#contract/selling.ts';

const sellLabels = {
  sold: 'Mark as Sold',
  given_away: 'Mark as Given Away',
  rented: 'Mark as Rented',
} as const;

/** Returns the label of the action that marks a listing as sold, given away or rented. */
export const getMarkSoldLabel = ({ category }: Pick<OwnListing, 'category'>): string =>
  sellLabels[getSaleOutcome(category)];
