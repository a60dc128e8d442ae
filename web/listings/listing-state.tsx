import { use } from 'react';
import { toCampusDay } from '#contract/campus.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import {
  findLastRentedDay,
  getSaleOutcome,
  isRentedOut,
  saleOutcomeLabels,
  unavailableLabels,
} from '#contract/selling.ts';
import { formatRentedUntil } from '#web/lib/format.ts';
import { RenderTimeContext } from '#web/lib/server-rendering.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';

export interface ListingStateBadgeProps {
  listing: Pick<ListingCard, 'category' | 'is_on_hold' | 'rented_until' | 'rental'> &
    Partial<Pick<Listing, 'unavailable'>> & { status?: string };
  className?: string;
}

/**
 * A badge that says why a listing is not available now, or that it is for rent. Renders nothing for other
 * listings.
 */
export function ListingStateBadge({ listing, className }: ListingStateBadgeProps) {
  const now = use(RenderTimeContext) ?? new Date();
  const campus = useCampus();
  const { category } = listing;
  const today = toCampusDay(campus, now);
  const isRented = isRentedOut(listing, today);
  const { unavailable } = listing;
  if (listing.status === 'sold' || unavailable) {
    return (
      <Badge tone="gold" className={className}>
        {unavailable ? unavailableLabels[unavailable] : saleOutcomeLabels[getSaleOutcome(category)]}
      </Badge>
    );
  }
  if (isRented || listing.is_on_hold) {
    return (
      <Badge tone="gold" className={className}>
        {isRented ? formatRentedUntil(findLastRentedDay(listing, today), campus) : 'On hold'}
      </Badge>
    );
  }
  if (category !== 'rentals') return null;
  return (
    <Badge tone="solid" className={className}>
      For Rent
    </Badge>
  );
}
