import { conditionLabels } from '#contract/categories.ts';
import type { Listing } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { Price } from '#web/ui/price.tsx';
import { ListingStateBadge } from './listing-state.tsx';

// A hint, which the page does without if it cannot be loaded.
const LazySoldHere = lazyComponent(async () => (await import('./sold-here.tsx')).SoldHere, {
  failed: () => null,
});

/** Title, price and condition of a listing. */
export function ListingHeading({ listing }: { listing: Listing }) {
  const campus = useCampus();
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
      {listing.status === 'sold' && (
        <p className="text-ink-muted text-sm">
          <LazySoldHere
            money={campus}
            category={listing.category}
            title={listing.title}
            isbn={listing.isbn}
          />
        </p>
      )}
    </div>
  );
}
