import { conditionLabels } from '#contract/categories.ts';
import type { Listing } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { Badge } from '#web/ui/badge.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { Price } from '#web/ui/price.tsx';
import { ListingStateBadge } from './listing-state.tsx';

/** Title, price and condition of a listing. */
export function ListingHeading({ listing }: { listing: Listing }) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  return (
    <div className="space-y-3 md:space-y-4">
      {/* `text-wrap` overrides the default of balanced lines, which would break the title earlier than
          necessary. */}
      <h1
        ref={heading}
        tabIndex={-1}
        dir="auto"
        className="text-wrap break-words font-extrabold text-2xl outline-none"
      >
        {listing.title}
      </h1>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Price amount={listing.price} unit={getListingPriceUnit(listing)} exact className="text-3xl" />
        <Badge>{conditionLabels[listing.condition]}</Badge>
        {listing.is_price_firm && <Badge>Firm price</Badge>}
        <ListingStateBadge listing={listing} />
      </p>
    </div>
  );
}
