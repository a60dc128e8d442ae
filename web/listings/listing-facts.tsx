import { CalendarClock, CircleCheck, MapPin } from 'lucide-react';
import { use } from 'react';
import type { Campus } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { isConfirmedLately } from '#contract/selling.ts';
import { formatCampusDate, formatConfirmation } from '#web/lib/format.ts';
import { RenderTimeContext } from '#web/lib/server-rendering.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { CategoryFacts } from './category-facts.ts';
import { GameDatePanel } from './game-date-panel.tsx';
import { ListingFact } from './listing-fact.tsx';

const RentalAndDrawFacts = lazyComponent(
  async () => (await import('./rental-and-draw-facts.tsx')).RentalAndDrawFacts,
  { placeholder: () => <li className="min-h-[1lh]" />, failed: () => null },
);

export interface ListingFactsProps {
  listing: Listing;
  /** The fields of the listing's category. */
  facts: CategoryFacts['shown'] | undefined;
  campus: Campus;
}

export function ListingFacts({ listing, facts, campus }: ListingFactsProps) {
  const now = use(RenderTimeContext) ?? new Date();
  const hasMoreFacts =
    listing.category === 'rentals' || listing.rented_until !== null || listing.draw_closes_at !== null;
  return (
    <div className="space-y-3 md:space-y-4">
      <ul className="space-y-1 text-ink-muted md:space-y-1.5">
        {facts?.map(({ label, text }) => (
          <li key={label} className="break-words">
            <span>{label}</span> <bdi className="text-ink">{text}</bdi>
          </li>
        ))}
        <ListingFact icon={<MapPin aria-hidden="true" />}>
          <bdi>{listing.location}</bdi>
        </ListingFact>
        <ListingFact icon={<CalendarClock aria-hidden="true" />}>
          Posted <time dateTime={listing.created_at}>{formatCampusDate(listing.created_at, campus)}</time>
        </ListingFact>
        {listing.status === 'published' &&
          !listing.unavailable &&
          isConfirmedLately(listing.confirmed_at, now) && (
            <ListingFact icon={<CircleCheck aria-hidden="true" />}>
              <span suppressHydrationWarning>{formatConfirmation(listing.confirmed_at, now)}</span>
            </ListingFact>
          )}
        {listing.status === 'published' && hasMoreFacts && (
          <RentalAndDrawFacts listing={listing} campus={campus} />
        )}
      </ul>
      {listing.category === 'game-day' && listing.game_date && <GameDatePanel day={listing.game_date} />}
    </div>
  );
}
