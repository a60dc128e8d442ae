import { CalendarClock, CalendarX, CircleCheck, MapPin, Ticket } from 'lucide-react';
import { type ReactNode, use } from 'react';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { isConfirmedLately } from '#contract/selling.ts';
import { formatCampusDate, formatCampusDateTime, formatConfirmation } from '#web/lib/format.ts';
import { RenderTimeContext } from '#web/lib/server-rendering.ts';
import { GameDatePanel } from './game-date-panel.tsx';
import { formatTakenDays } from './taken-days.ts';

export interface ListingFactsProps {
  listing: Listing;
  campus: Campus;
}

export function ListingFacts({ listing, campus }: ListingFactsProps) {
  const now = use(RenderTimeContext) ?? new Date();
  const isForRent = listing.category === 'rentals' && listing.status === 'published';
  const takenDays = isForRent ? formatTakenDays(listing, toCampusDay(campus, now)) : '';
  return (
    <div className="space-y-3 md:space-y-4">
      <ul className="space-y-1 text-ink-muted md:space-y-1.5">
        <Fact icon={<MapPin aria-hidden="true" />}>
          <bdi>{listing.location}</bdi>
        </Fact>
        <Fact icon={<CalendarClock aria-hidden="true" />}>
          Posted <time dateTime={listing.created_at}>{formatCampusDate(listing.created_at, campus)}</time>
        </Fact>
        {listing.status === 'published' &&
          !listing.unavailable &&
          isConfirmedLately(listing.confirmed_at, now) && (
            <Fact icon={<CircleCheck aria-hidden="true" />}>
              <span suppressHydrationWarning>{formatConfirmation(listing.confirmed_at, now)}</span>
            </Fact>
          )}
        {takenDays && <Fact icon={<CalendarX aria-hidden="true" />}>{`Taken ${takenDays}`}</Fact>}
        {listing.draw_closes_at && listing.status === 'published' && (
          <Fact icon={<Ticket aria-hidden="true" />}>
            <span>
              {`A draw decides who gets it. ${new Date(listing.draw_closes_at) > now ? 'You can take part until' : 'It closed on'} `}
            </span>
            <time dateTime={listing.draw_closes_at}>
              {formatCampusDateTime(listing.draw_closes_at, campus)}
            </time>
          </Fact>
        )}
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
