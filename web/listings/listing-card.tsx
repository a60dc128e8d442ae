import { clsx } from 'clsx';
import { CalendarDays } from 'lucide-react';
import { Link } from 'react-router';
import { conditionLabels } from '#contract/categories.ts';
import type { ListingCard as Listing } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { formatCampusWeekdayTime, formatShortDay } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { Price } from '#web/ui/price.tsx';
import { FavoriteHeart } from './favorite-heart.tsx';
import { ListingAge } from './listing-age.tsx';
import { ListingStateBadge, type ListingStateBadgeProps } from './listing-state.tsx';
import { SellerLine } from './seller-line.tsx';

export interface ListingCardProps {
  /**
   * The listing to display. Listings from public lists have no status, because such lists only contain
   * published ones.
   */
  listing: Listing & Pick<ListingStateBadgeProps['listing'], 'status' | 'unavailable'>;
  /** Loads the photo eagerly, for cards above the fold. */
  priority?: boolean | undefined;
  /** Omits the seller. For a profile page, where all listings are by the same seller. */
  hideSeller?: boolean | undefined;
  /** Marks the listing as new. */
  isNew?: boolean | undefined;
  /** A note displayed after the price, such as the previous price. */
  priceNote?: string | undefined;
}

/**
 * The `sizes` attribute of a card's photo. On wide screens, it is the width of a 4:3 photo that fills the
 * height of the 4:5 frame. On phones, whose pixels are small, it is the column width: if it were a few pixels
 * larger, common phones would load the next larger image.
 */
export const cardPhotoSizes =
  '(min-width: 80rem) 30rem, (min-width: 64rem) calc(41vw - 3rem), (min-width: 48rem) calc(55vw - 2.5rem), calc(50vw - 1.5rem)';

export function ListingCard({ listing, priority, hideSeller, isNew, priceNote }: ListingCardProps) {
  return (
    // The card's layout depends on its own width (container query), not on the screen's.
    <Card interactive className="@container flex flex-col">
      <div className="relative">
        <Photo
          {...getPhotoSources(listing.cover)}
          sizes={cardPhotoSizes}
          alt=""
          priority={priority}
          ratio="4:5"
        />
        {!hideSeller && <SellerLine listing={listing} />}
      </div>
      <ListingStateBadge
        listing={listing}
        className={clsx(
          'absolute left-3 shadow-sm @max-[13rem]:top-[calc(125cqi-5rem)]',
          isNew ? 'top-11' : 'top-3',
        )}
      />
      {isNew && (
        <Badge tone="solid" className="absolute top-3 left-3 shadow-sm">
          New
        </Badge>
      )}
      <FavoriteHeart listing={listing} className="absolute top-2 right-2 z-10" />
      <div className="flex flex-1 flex-col gap-1 p-2 pt-2.5 @[13rem]:p-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-2">
          <Price amount={listing.price} unit={getListingPriceUnit(listing)} className="text-xl" />
          {priceNote && <span className="text-ink-muted text-sm">{priceNote}</span>}
        </p>
        {/* `text-wrap` overrides the default of balanced lines, which would truncate long titles earlier. */}
        <h3
          dir="auto"
          className="line-clamp-2 min-h-[2lh] text-wrap font-semibold text-sm leading-snug tracking-tight @[13rem]:text-base @[13rem]:tracking-normal"
        >
          <Link
            to={links.product(listing.slug)}
            prefetch="intent"
            className="outline-none after:absolute after:inset-0"
          >
            {listing.title}
          </Link>
        </h3>
        <CardFacts listing={listing} />
      </div>
    </Card>
  );
}

/**
 * Returns the part of a location before its first comma, without details such as a room. The
 * listing's page displays the full location.
 */
const shortenLocation = (location: string): string => location.split(',')[0]?.trim() || location;

/** What else decides whether to open the listing, in one line. With very large text, it may wrap. */
function CardFacts({ listing }: { listing: Listing }) {
  const campus = useCampus();
  const { draw } = listing;
  const day = listing.category === 'game-day' && listing.game_date;
  const isFlexible = listing.category === 'rentals' && listing.rental_period === 'flexible';
  return (
    <p className="line-clamp-1 break-all text-ink-muted text-xs @min-[300px]:@max-[13rem]:line-clamp-none max-[19.9rem]:line-clamp-none @[13rem]:text-sm">
      {day && (
        <span>
          <CalendarDays aria-hidden="true" className="mr-1 inline size-4 align-[-0.1875rem]" />
          <span>{`${formatShortDay(day, campus)} · `}</span>
        </span>
      )}
      {draw && <span>{`Draw ${formatCampusWeekdayTime(draw.closes_at, campus)} · `}</span>}
      {isFlexible && (
        <span>
          <span className="sr-only">Rental period: </span>
          <span>flexible</span>
          <span>{' · '}</span>
        </span>
      )}
      <span>{`${conditionLabels[listing.condition]} · `}</span>
      <ListingAge since={listing.created_at} />
      <span>{' · '}</span>
      <bdi>{shortenLocation(listing.location)}</bdi>
    </p>
  );
}
