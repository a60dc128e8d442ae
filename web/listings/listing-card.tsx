import { CalendarDays, MapPin, Repeat } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { conditionLabels } from '#contract/categories.ts';
import type { ListingCard as Listing } from '#contract/listings.ts';
import { formatShortDay } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { photoSources } from '#web/lib/photo-sources.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { Price } from '#web/ui/price.tsx';
import { FavouriteHeart } from './favourite-heart.tsx';
import { ListingAge } from './listing-age.tsx';
import { SellerLine } from './seller-line.tsx';

export interface ListingCardProps {
  listing: Listing;
  /** Loads the photo eagerly, for cards above the fold. */
  priority?: boolean | undefined;
}

/**
 * The width of a card's photo: two, three or four columns (as in the card grid), less gutters and gaps. A few more pixels
 * would make a common phone load the next larger size.
 */
const cardSizes =
  '(min-width: 80rem) 18rem, (min-width: 64rem) calc(25vw - 1.875rem), (min-width: 48rem) calc(33.3vw - 1.5rem), calc(50vw - 1.5rem)';

export function ListingCard({ listing, priority }: ListingCardProps) {
  const rental = listing.category === 'rentals';
  return (
    // A narrow card looks the same on a phone and in four columns on a tablet.
    <Card interactive className="@container flex flex-col">
      <Photo {...photoSources(listing.cover)} sizes={cardSizes} alt="" priority={priority} />
      {rental && (
        <Badge tone="solid" className="absolute top-3 left-3 shadow-sm">
          For Rent
        </Badge>
      )}
      <FavouriteHeart title={listing.title} className="absolute top-2 right-2 z-10" />
      <div className="flex flex-1 flex-col gap-1 p-2 pt-2.5 @[13rem]:p-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-2">
          <Price amount={listing.price} className="text-xl" />
          {/* Beside the price where there is room, otherwise always below it, so that cards in a row look alike. */}
          <span className="whitespace-nowrap text-ink-muted text-xs @max-[13rem]:w-full">
            {conditionLabels[listing.condition]} · <ListingAge since={listing.created_at} />
          </span>
        </p>
        {/* Balanced lines would leave room at the end of both and cut the title early. */}
        <h3 className="line-clamp-2 text-wrap font-semibold text-sm leading-snug tracking-tight @[13rem]:text-base @[13rem]:tracking-normal">
          <Link
            to={links.product(listing.slug)}
            prefetch="intent"
            className="outline-none after:absolute after:inset-0"
          >
            {listing.title}
          </Link>
        </h3>
        {rental && (
          <IconLine icon={<Repeat aria-hidden="true" />}>
            <span className="@max-[13rem]:sr-only">Rental period: </span>flexible
          </IconLine>
        )}
        {listing.category === 'game-day' && listing.game_date && (
          <IconLine icon={<CalendarDays aria-hidden="true" />}>{formatShortDay(listing.game_date)}</IconLine>
        )}
        <IconLine icon={<MapPin aria-hidden="true" />}>
          <span className="line-clamp-2">{shortLocation(listing.location)}</span>
        </IconLine>
        <div className="mt-auto pt-2">
          <SellerLine seller={listing.seller} />
        </div>
      </div>
    </Card>
  );
}

/** Returns a location without what follows its first comma, such as a room; the listing's page shows all of it. */
const shortLocation = (location: string): string => location.split(',')[0]?.trim() || location;

function IconLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex min-w-0 items-start gap-1.5 text-ink-muted text-xs @[13rem]:text-sm [&_svg]:mt-px [&_svg]:size-4 [&_svg]:shrink-0 @[13rem]:[&_svg]:mt-1">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  );
}
