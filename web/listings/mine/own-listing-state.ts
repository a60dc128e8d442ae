import { getOwnListingTab } from '#contract/listing-queries.ts';
import {
  formatRequestedChangesMessage,
  formatTakenDownMessage,
  type OwnListing,
} from '#contract/listings.ts';
import {
  findLastRentedDay,
  getSaleOutcome,
  saleConfirmationDays,
  saleOutcomeLabels,
} from '#contract/selling.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatRentedUntil } from '#web/lib/format.ts';

/** The state of one of the person's own listings, as its badge shows it. */
export interface OwnListingState {
  label: string;
  tone: 'positive' | 'neutral' | 'brand' | 'gold';
}

/** Returns the state of an own listing. `today` is the current date on the campus, YYYY-MM-DD. */
export const getOwnListingState = (listing: OwnListing, today: string): OwnListingState => {
  if (listing.hidden_reason !== null) return { label: 'Taken down', tone: 'brand' };
  switch (getOwnListingTab(listing, today)) {
    case 'active':
      return { label: 'Active', tone: 'positive' };
    case 'on_hold':
      return { label: 'On hold', tone: 'gold' };
    case 'sold':
      return { label: saleOutcomeLabels[getSaleOutcome(listing.category)], tone: 'neutral' };
    case 'rented':
      return {
        label: formatRentedUntil(findLastRentedDay(listing, today)),
        tone: 'gold',
      };
    default:
      return listing.status === 'in_review'
        ? { label: 'In review', tone: 'gold' }
        : { label: 'Draft', tone: 'neutral' };
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
}: Pick<OwnListing, 'status' | 'hidden_reason' | 'requested_changes'>): string | undefined => {
  if (hiddenReason !== null) return formatTakenDownMessage(hiddenReason);
  if (status === 'in_review') return 'We’re checking it. Only you can see it.';
  return requestedChanges === null ? undefined : formatRequestedChangesMessage(requestedChanges);
};

/**
 * Returns a text that says who got the item and whether that person has confirmed it, or undefined if the
 * owner named nobody.
 */
export const formatBuyer = ({
  sold_to_name: name,
  sold_at: soldAt,
  sale_confirmed_at: confirmedAt,
}: OwnListing): string | undefined => {
  if (!name || !soldAt) return undefined;
  if (confirmedAt) return `To ${isolateDirection(name)}`;
  const isAsked = Date.now() - Date.parse(soldAt) < saleConfirmationDays * 24 * 3_600_000;
  return isAsked ? `To ${isolateDirection(name)}, not confirmed yet` : undefined;
};
