import { clsx } from 'clsx';
import { CalendarDays, MapPin, Repeat } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { conditionLabels } from '#contract/categories.ts';
import type { ListingCard as Listing } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { formatShortDay } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { Price } from '#web/ui/price.tsx';
import { FavoriteHeart } from './favorite-heart.tsx';
import { ListingAge } from './listing-age.tsx';
import { ListingStateBadge } from './listing-state.tsx';
import { SellerLine } from './seller-line.tsx';

export interface ListingCardProps {
  /**
   * The listing to display. Listings from public lists have no status, because such lists only contain
   * published ones.
   */
  listing: Listing & { status?: string };
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
 * The `sizes` attribute of a card's photo: the column width of a grid with two, three or four
 * columns, minus gutters and gaps. If the values were a few pixels larger, common phones would load
 * the next larger image.
 */
const cardPhotoSizes =
  '(min-width: 80rem) 18rem, (min-width: 64rem) calc(25vw - 1.875rem), (min-width: 48rem) calc(33.3vw - 1.5rem), calc(50vw - 1.5rem)';

export function ListingCard({ listing, priority, hideSeller, isNew, priceNote }: ListingCardProps) {
  return (
    // The card's layout depends on its own width (container query), not on the screen's.
    <Card interactive className="@container flex flex-col">
      <Photo {...getPhotoSources(listing.cover)} sizes={cardPhotoSizes} alt="" priority={priority} />
      <ListingStateBadge
        listing={listing}
        className={clsx(
          'absolute left-3 shadow-sm @max-[13rem]:top-[calc(75cqi-2.125rem)]',
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
          {/* In wide cards, this line is next to the price; in narrow ones, it is below the price. */}
          <span className="whitespace-nowrap text-ink-muted text-xs @max-[13rem]:w-full">
            <span>{`${conditionLabels[listing.condition]} · `}</span>
            <ListingAge since={listing.created_at} />
          </span>
        </p>
        {/* `text-wrap` overrides the default of balanced lines, which would truncate long titles earlier. */}
        <h3
          dir="auto"
          className="line-clamp-2 text-wrap font-semibold text-sm leading-snug tracking-tight @[13rem]:text-base @[13rem]:tracking-normal"
        >
          <Link
            to={links.product(listing.slug)}
            prefetch="intent"
            className="outline-none after:absolute after:inset-0"
          >
            {listing.title}
          </Link>
        </h3>
        {listing.category === 'rentals' && listing.rental_period === 'flexible' && (
          <IconLine icon={<Repeat aria-hidden="true" />}>
            <span className="@max-[13rem]:sr-only">Rental period: </span>flexible
          </IconLine>
        )}
        {listing.category === 'game-day' && listing.game_date && (
          <IconLine icon={<CalendarDays aria-hidden="true" />}>{formatShortDay(listing.game_date)}</IconLine>
        )}
        <IconLine icon={<MapPin aria-hidden="true" />}>
          <span dir="auto" className="line-clamp-2">
            {shortenLocation(listing.location)}
          </span>
        </IconLine>
        {!hideSeller && (
          <div className="mt-auto pt-2">
            <SellerLine listing={listing} />
          </div>
        )}
      </div>
    </Card>
  );
}

/**
 * Returns the part of a location before its first comma, without details such as a room. The
 * listing's page displays the full location.
 */
const shortenLocation = (location: string): string => location.split(',')[0]?.trim() || location;

function IconLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex min-w-0 items-start gap-1.5 text-ink-muted text-xs @[13rem]:text-sm [&_svg]:mt-px [&_svg]:size-4 [&_svg]:shrink-0 @[13rem]:[&_svg]:mt-1">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  );
}
