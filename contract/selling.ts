import type { Category } from './categories.ts';

/** For how many hours an accepted offer can reserve an item; the seller chooses one. */
export const holdHours = [24, 48] as const;
export const defaultHoldHours = 48;

/** Labels of the periods that the price of a rental can be for. */
export const rentalPeriodLabels = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  flexible: 'Flexible',
} as const;
export type RentalPeriod = keyof typeof rentalPeriodLabels;
export const rentalPeriods = Object.keys(rentalPeriodLabels) as [RentalPeriod, ...RentalPeriod[]];

/** Labels of the ways to choose who gets a free item. */
export const giftModeLabels = {
  first_come: 'First come, first served',
  draw: 'A draw',
} as const;
export type GiftMode = keyof typeof giftModeLabels;
export const giftModes = Object.keys(giftModeLabels) as [GiftMode, ...GiftMode[]];

/** For how many hours people can take part in a draw. */
export const drawHours = { min: 1, max: 48 } as const;
export const defaultDrawHours = 24;

/** For how many days the page of a sold listing still exists. */
export const soldPageDays = 90;

/** For how many days a person can confirm that they bought an item. */
export const saleConfirmationDays = 14;

/** How long the owner is offered Undo after marking a listing as sold, in seconds. */
export const saleUndoSeconds = 10;

/** Maximum number of people among whom a seller chooses who got a listing. */
export const maxInterestedPeople = 50;

/** Maximum number of days from today to the last day of a rental without a deal. */
export const maxRentedDaysAhead = 365;

/** Labels of a listing that was sold, given away or rented permanently. */
export const saleOutcomeLabels = {
  sold: 'Sold',
  given_away: 'Given away',
  rented: 'Rented',
} as const;
export type SaleOutcome = keyof typeof saleOutcomeLabels;
export const saleOutcomes = Object.keys(saleOutcomeLabels) as [SaleOutcome, ...SaleOutcome[]];

/** Returns the outcome of a listing of this category that was sold or given away. */
export const getSaleOutcome = (category: Category | null): SaleOutcome => {
  if (category === 'free') return 'given_away';
  return category === 'rentals' ? 'rented' : 'sold';
};

/** Returns the unit of a rental's price, such as ' / week'; undefined where the period is not fixed. */
export const formatPriceUnit = (period: RentalPeriod): string | undefined =>
  period === 'flexible' ? undefined : ` / ${period}`;

/** Returns the unit of a listing's price; undefined unless it is a rental with a fixed period. */
export const getPriceUnit = ({
  category,
  rental_period: period,
}: {
  category: Category | null;
  rental_period: RentalPeriod;
}): string | undefined => (category === 'rentals' ? formatPriceUnit(period) : undefined);

/** The days on which a rental is rented out: until a day without a deal, and by a deal. */
interface RentedDays {
  rented_until: string | null;
  rental: { first_day: string; last_day: string; is_out: boolean } | null;
}

/** Returns whether a rental is rented out today (YYYY-MM-DD). */
export const isRentedOut = ({ rented_until: until, rental }: RentedDays, today: string): boolean =>
  (until !== null && until >= today) ||
  (rental !== null && (rental.is_out || (rental.first_day <= today && rental.last_day >= today)));

/** Returns the last day of the current rental; undefined when it is not rented out or overdue. */
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
