import { CalendarClock, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Campus } from '#contract/campus.ts';
import { conditionLabels } from '#contract/categories.ts';
import type { Listing } from '#contract/listings.ts';
import { formatCampusDate } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { Price } from '#web/ui/price.tsx';
import { FavouriteHeart } from './favourite-heart.tsx';
import { GameDatePanel } from './game-date-panel.tsx';

export interface ListingFactsProps {
  listing: Listing;
  campus: Campus;
}

/** Title, price, condition, location and date of a listing. */
export function ListingFacts({ listing, campus }: ListingFactsProps) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  return (
    <div className="space-y-4">
      <div className="flex items-start justify-between gap-3">
        <h1 ref={heading} tabIndex={-1} className="min-w-0 break-words font-extrabold text-2xl outline-none">
          {listing.title}
        </h1>
        <FavouriteHeart title={listing.title} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Price amount={listing.price} className="text-3xl" />
        <Badge>{conditionLabels[listing.condition]}</Badge>
        {listing.category === 'rentals' && <Badge tone="solid">For Rent</Badge>}
      </p>
      <ul className="space-y-1.5 text-ink-muted">
        <Fact icon={<MapPin aria-hidden="true" />}>{listing.location}</Fact>
        <Fact icon={<CalendarClock aria-hidden="true" />}>
          Posted <time dateTime={listing.created_at}>{formatCampusDate(listing.created_at, campus)}</time>
        </Fact>
      </ul>
      {listing.category === 'game-day' && listing.game_date && <GameDatePanel day={listing.game_date} />}
    </div>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 [&_svg]:mt-1 [&_svg]:size-4.5 [&_svg]:shrink-0">
      {icon}
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}
