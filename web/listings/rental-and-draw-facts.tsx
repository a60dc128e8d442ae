import { CalendarX, Ticket } from 'lucide-react';
import { use, useEffect, useRef, useState } from 'react';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { RenderTimeContext } from '#web/lib/server-rendering.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ListingFact } from './listing-fact.tsx';
import { formatTakenDays } from './taken-days.ts';

const FreeDays = lazyComponent(async () => (await import('./free-days.tsx')).FreeDays);

/** On which days a rental is taken, with a calendar, and when the draw of a free item closes. */
export function RentalAndDrawFacts({ listing, campus }: { listing: Listing; campus: Campus }) {
  const now = use(RenderTimeContext) ?? new Date();
  const [isOpen, setIsOpen] = useState(false);
  const freeDays = useRef<HTMLDetailsElement>(null);
  // It may have been opened before this script was loaded.
  useEffect(() => setIsOpen(freeDays.current?.open ?? false), []);
  const takenDays =
    listing.category === 'rentals' ? formatTakenDays(listing, toCampusDay(campus, now), campus) : '';
  return (
    <>
      {takenDays && <ListingFact icon={<CalendarX aria-hidden="true" />}>{`Taken ${takenDays}`}</ListingFact>}
      {listing.category === 'rentals' && (
        <li>
          <details ref={freeDays} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
            <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-brand-text underline-offset-4 hover:underline">
              Free days
            </summary>
            {isOpen && <FreeDays listing={listing} />}
          </details>
        </li>
      )}
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
