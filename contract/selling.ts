import type { Category } from './categories.ts';
import { getDealKind } from './deal-kind.ts';
import type { DealKind } from './deal-states.ts';

/** For how many hours an accepted offer can reserve an item. The seller chooses one of these durations. */
export const holdHourOptions = [24, 48] as const;
export const defaultHoldHours = 48;

/** Labels of the periods for which a rental can state its price. */
export const rentalPeriodLabels = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  flexible: 'Flexible',
} as const;
export type RentalPeriod = keyof typeof rentalPeriodLabels;
export const rentalPeriods = Object.keys(rentalPeriodLabels) as [RentalPeriod, ...RentalPeriod[]];

/** Labels of the ways to decide who gets a free item. */
export const giftModeLabels = {
  first_come: 'First come, first served',
  draw: 'A draw',
} as const;
export type GiftMode = keyof typeof giftModeLabels;
export const giftModes = Object.keys(giftModeLabels) as [GiftMode, ...GiftMode[]];

/** Minimum and maximum number of hours for which people can enter the draw for a free item. */
export const giftDrawHours = { min: 1, max: 48 } as const;
export const defaultGiftDrawHours = 24;

/**
 * Why a listing with a public page cannot be had now: its game has passed, its seller did not confirm that it is still
 * available, or its seller is away.
 */
export const unavailableReasons = ['passed', 'unconfirmed', 'away'] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

/** The badges of listings that cannot be had now. */
export const unavailableLabels: Record<UnavailableReason, string> = {
  passed: 'Game passed',
  unconfirmed: 'Not confirmed',
  away: 'Away',
};

/**
 * Returns whether nobody can get a listing with a public page now. A seller who is away still gets messages.
 */
export const isGone = ({
  status,
  unavailable,
}: {
  status: string;
  unavailable?: UnavailableReason | null | undefined;
}): boolean => status === 'sold' || unavailable === 'passed' || unavailable === 'unconfirmed';

/** For how many days after the sale, or after its game, the page of a listing still exists. */
export const soldListingPageDays = 90;

/** For how many days a listing is said to be confirmed available. */
const confirmedAvailableDays = 14;

/** Returns whether a listing was confirmed available lately, so that it is said to be. */
export const isConfirmedLately = (confirmedAt: string | null | undefined, now: Date): confirmedAt is string =>
  typeof confirmedAt === 'string' &&
  now.getTime() - Date.parse(confirmedAt) < confirmedAvailableDays * 24 * 3_600_000;

/** For how many days after a listing was marked as sold, the recipient can confirm that they got the item. */
export const saleConfirmationDays = 14;

/** For how many seconds after an owner marked a listing as sold, the page offers to undo this. */
export const saleUndoSeconds = 10;
/**
 * For how many seconds after an owner marked a listing as sold, its deals stay unchanged and the server accepts that
 * this is undone: the time for which the page offers it, plus a margin for a late request.
 */
export const saleUndoWindowSeconds = saleUndoSeconds + 10;

/** Returns whether the owner can still undo marking a listing as sold without a deal at `now`. */
export const canUndoSale = (
  {
    sold_at: soldAt,
    sale_confirmed_at: confirmedAt,
  }: { sold_at: Date | null; sale_confirmed_at: Date | null },
  now: Date,
): boolean =>
  soldAt !== null && confirmedAt === null && now.getTime() - soldAt.getTime() < saleUndoWindowSeconds * 1000;

/** Maximum number of people among whom the seller can choose the one who got the item. */
export const maxRecipientCandidates = 50;

/** When an owner rents an item out without a deal, the last day can be at most this many days from today. */
export const maxRentedDaysAhead = 365;

/** Labels of the ways in which a listing leaves the site. */
export const saleOutcomeLabels = {
  sold: 'Sold',
  given_away: 'Given away',
  rented: 'Rented',
} as const;
export type SaleOutcome = keyof typeof saleOutcomeLabels;
export const saleOutcomes = Object.keys(saleOutcomeLabels) as [SaleOutcome, ...SaleOutcome[]];

/** How an item leaves the site, by the kind of its deals. */
export const outcomeByDealKind = {
  sale: 'sold',
  gift: 'given_away',
  rental: 'rented',
} as const satisfies Record<DealKind, SaleOutcome>;

/** Returns how a listing of this category leaves the site: sold, given away or rented. */
export const getSaleOutcome = (category: Category | null): SaleOutcome =>
  outcomeByDealKind[getDealKind(category)];

/** Returns the unit of a rental's price, such as ' / week', or undefined for a flexible period. */
export const formatPriceUnit = (period: RentalPeriod): string | undefined =>
  period === 'flexible' ? undefined : ` / ${period}`;

/**
 * Returns the unit of a listing's price, such as ' / week'. Returns undefined unless the listing is a rental
 * with a fixed period.
 */
export const getListingPriceUnit = ({
  category,
  rental_period: period,
}: {
  category: Category | null;
  rental_period: RentalPeriod;
}): string | undefined => (category === 'rentals' ? formatPriceUnit(period) : undefined);

/**
 * The days on which an item is rented out: until `rented_until` if it was rented without a deal, and from
 * `first_day` to `last_day` if it was rented in a deal. `is_out` is true while the renter has the item, even
 * after the last day.
 */
interface RentedDays {
  rented_until: string | null;
  rental: { first_day: string; last_day: string; is_out: boolean } | null;
}

/** Returns whether an item for rent is rented out on the day `today` (YYYY-MM-DD). */
export const isRentedOut = ({ rented_until: until, rental }: RentedDays, today: string): boolean =>
  (until !== null && until >= today) ||
  (rental !== null && (rental.is_out || (rental.first_day <= today && rental.last_day >= today)));

/**
 * Returns the last day of the current rental. Returns undefined when the item is not rented out, or is
 * overdue.
 */
export const findLastRentedDay = (days: RentedDays, today: string): string | undefined => {
  const { rented_until: until, rental } = days;
  if (!isRentedOut(days, today)) return undefined;
  const current = rental && (rental.is_out || rental.first_day <= today) ? rental.last_day : null;
  return (
    [until, current]
      .filter((day) => day !== null && day >= today)
      .toSorted()
      .at(-1) ?? undefined
  );
};
