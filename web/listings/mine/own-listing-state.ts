import { type CampusLocale, type CampusTimes, toCampusDay } from '#contract/campus.ts';
import { getDateFormat } from '#contract/date-format.ts';
import { addDays } from '#contract/days.ts';
import { getOwnListingTab } from '#contract/listing-queries.ts';
import {
  formatRequestedChangesMessage,
  formatTakenDownMessage,
  type OwnListing,
} from '#contract/listings.ts';
import { formatRentalEnd, formatRentalPeriod } from '#contract/rental-times.ts';
import {
  findLastRentedDay,
  getSaleOutcome,
  isConfirmedLately,
  saleConfirmationDays,
  saleOutcomeLabels,
  unavailableLabels,
} from '#contract/selling.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import {
  formatAge,
  formatConfirmation,
  formatDayRange,
  formatMonthDay,
  formatRentedUntil,
} from '#web/lib/format.ts';

/** The state of one of the person's own listings, as its badge shows it. */
export interface OwnListingState {
  label: string;
  tone: 'positive' | 'neutral' | 'brand' | 'gold';
}

const getDraftLabel = ({ ended_at: endedAt, paused_at: pausedAt }: OwnListing): string => {
  if (endedAt) return unavailableLabels.passed;
  return pausedAt ? 'Paused' : 'Draft';
};

/** Returns the state of an own listing. `today` is the current date on the campus, YYYY-MM-DD. */
export const getOwnListingState = (
  listing: OwnListing,
  today: string,
  campus: CampusLocale,
): OwnListingState => {
  if (listing.hidden_reason !== null) return { label: 'Taken down', tone: 'brand' };
  if (listing.awaits_membership) return { label: 'Hidden', tone: 'neutral' };
  switch (getOwnListingTab(listing, today)) {
    case 'active':
      return { label: 'Active', tone: 'positive' };
    case 'on_hold':
      return { label: 'On hold', tone: 'gold' };
    case 'sold':
      return { label: saleOutcomeLabels[getSaleOutcome(listing.category)], tone: 'neutral' };
    case 'rented':
      return {
        label: formatRentedUntil(findLastRentedDay(listing, today), campus),
        tone: 'gold',
      };
    default:
      return listing.status === 'in_review'
        ? { label: 'In review', tone: 'gold' }
        : { label: getDraftLabel(listing), tone: 'neutral' };
  }
};

/**
 * Returns a note for the owner that explains why nobody else can see the listing, or undefined if there is
 * nothing to explain.
 */
export const getOwnListingNote = ({
  status,
  hidden_reason: hiddenReason,
  requested_changes: requestedChanges,
  paused_at: pausedAt,
  awaits_membership: awaitsMembership,
}: Pick<OwnListing, 'status' | 'hidden_reason' | 'requested_changes' | 'paused_at' | 'awaits_membership'>):
  | string
  | undefined => {
  if (hiddenReason !== null) return formatTakenDownMessage(hiddenReason);
  if (awaitsMembership) return 'Hidden until your membership is confirmed.';
  if (status === 'in_review') return 'We’re checking it. Only you can see it.';
  if (requestedChanges !== null) return formatRequestedChangesMessage(requestedChanges);
  return pausedAt ? 'You haven’t confirmed that it’s still available, so it’s not in the lists.' : undefined;
};

/**
 * Returns a text that says who got the item and whether that person has confirmed it, or undefined if the
 * owner named nobody.
 */
const formatBuyer = (
  { sold_to_name: name, sold_at: soldAt, sale_confirmed_at: confirmedAt }: OwnListing,
  { now }: DescriptionTime,
): string | undefined => {
  if (!name || !soldAt) return undefined;
  if (confirmedAt) return `To ${isolateDirection(name)}`;
  const isAsked = now.getTime() - Date.parse(soldAt) < saleConfirmationDays * 24 * 3_600_000;
  return isAsked ? `To ${isolateDirection(name)}, not confirmed yet` : undefined;
};

export interface DescriptionTime {
  /** The current date on the campus (YYYY-MM-DD). */
  today: string;
  now: Date;
  campus: CampusTimes;
}

/** Weekdays are clear for this many days from today. */
const weekdayRange = 6;

const formatTimeOfDay = (instant: Date, { timezone: timeZone, locale }: CampusTimes): string =>
  getDateFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' })
    .format(instant)
    .replaceAll('\u202F', ' ')
    .replace(/:00(?=\s[AP]M)/i, '');

/** Formats a coming day for a row, as in 'today', 'Tue' or 'Dec 12'. */
const formatNearDay = (day: string, today: string, campus: CampusTimes): string => {
  if (day === today) return 'today';
  if (day < today || day > addDays(today, weekdayRange)) return formatMonthDay(day, campus);
  return getDateFormat(campus.locale, { timeZone: 'UTC', weekday: 'short' }).format(
    new Date(`${day}T00:00Z`),
  );
};

const describeInterest = ({ waiting_offers: offers, save_count: saves }: OwnListing): string[] => [
  ...(offers > 0 ? [offers === 1 ? '1 offer' : `${offers} offers`] : []),
  ...(saves > 0 ? [`${saves} saved`] : []),
];

const describeHold = ({ hold }: OwnListing, { today, campus }: DescriptionTime): string[] => {
  const name = hold?.name ? ` for ${isolateDirection(hold.name)}` : '';
  if (hold?.is_handed_over) return [`Handed over, not confirmed yet`];
  const toDay = (instant: string) => formatNearDay(toCampusDay(campus, new Date(instant)), today, campus);
  if (hold?.meets_at) {
    const time = formatTimeOfDay(new Date(hold.meets_at), campus);
    return [`Meet ${toDay(hold.meets_at)} ${time}`, `On hold${name}`];
  }
  return [`On hold${name}${hold?.until ? ` until ${toDay(hold.until)}` : ''}`];
};

const formatPeriod = (rental: NonNullable<OwnListing['rental']>, campus: CampusTimes): string =>
  rental.pickup_time || rental.return_time
    ? formatRentalPeriod(rental, campus)
    : formatDayRange(rental.first_day, rental.last_day, campus);

const describeRental = (listing: OwnListing, { today, campus }: DescriptionTime): string => {
  const { rental, rented_until: until } = listing;
  if (rental?.is_out && rental.last_day < today) return `Out, due back ${formatRentalEnd(rental, campus)}`;
  if (rental && (rental.is_out || rental.first_day <= today)) return `Out ${formatPeriod(rental, campus)}`;
  return until === null
    ? saleOutcomeLabels.rented
    : formatRentedUntil(findLastRentedDay(listing, today), campus);
};

/**
 * Returns what matters about an own listing, in the order of its row in My Listings: what happens next, then who is
 * interested. It has at least one part.
 */
export const describeOwnListing = (listing: OwnListing, time: DescriptionTime): string[] => {
  const { category, hidden_reason: hiddenReason, published_at: publishedAt, rental, hold } = listing;
  if (hiddenReason !== null) return ['Taken down'];
  const interest = describeInterest(listing);
  switch (getOwnListingTab(listing, time.today)) {
    case 'on_hold':
      return [...describeHold(listing, time), ...interest];
    case 'rented':
      return [describeRental(listing, time), ...interest];
    case 'sold':
      return [saleOutcomeLabels[getSaleOutcome(category)], formatBuyer(listing, time)].filter(
        (it) => it !== undefined,
      );
    case 'active': {
      const booked = rental ? [`Booked ${formatPeriod(rental, time.campus)}`] : [];
      const meeting = hold?.meets_at ? describeHold(listing, time).slice(0, 1) : [];
      const confirmed = isConfirmedLately(listing.confirmed_at, time.now)
        ? [formatConfirmation(listing.confirmed_at, time.now)]
        : [];
      const parts = [...booked, ...meeting, ...interest, ...confirmed];
      return parts.length > 0 ? parts : [`${formatAge(publishedAt ?? listing.created_at, time.now)} ago`];
    }
    default:
      return [listing.status === 'in_review' ? 'In review' : getDraftLabel(listing), ...interest];
  }
};
