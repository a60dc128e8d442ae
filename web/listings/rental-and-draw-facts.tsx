import { CalendarX, Ticket } from 'lucide-react';
import { use } from 'react';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { RenderTimeContext } from '#web/lib/server-rendering.ts';
import { ListingFact } from './listing-fact.tsx';
import { formatTakenDays } from './taken-days.ts';

/** On which days a rental is taken, and when the draw of a free item closes. */
export function RentalAndDrawFacts({ listing, campus }: { listing: Listing; campus: Campus }) {
  const now = use(RenderTimeContext) ?? new Date();
  const takenDays =
    listing.category === 'rentals' ? formatTakenDays(listing, toCampusDay(campus, now), campus) : '';
  return (
    <>
      {takenDays && <ListingFact icon={<CalendarX aria-hidden="true" />}>{`Taken ${takenDays}`}</ListingFact>}
      {listing.draw_closes_at && (
        <ListingFact icon={<Ticket aria-hidden="true" />}>
          <span>
            {`A draw decides who gets it. ${new Date(listing.draw_closes_at) > now ? 'You can take part until' : 'It closed on'} `}
          </span>
          <time dateTime={listing.draw_closes_at}>
            {formatCampusDateTime(listing.draw_closes_at, campus)}
          </time>
        </ListingFact>
      )}
    </>
  );
}
