import { toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { maxRentalDaysAhead } from '#contract/deals.ts';
import type { Listing } from '#contract/listings.ts';
import { findTakenDays, listDayNotes, TakenHours } from '#web/deals/public.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Calendar } from '#web/ui/calendar.tsx';

/** The free days of an item for rent, month by month. */
export function FreeDays({ listing }: { listing: Listing }) {
  const campus = useCampus();
  const today = toCampusDay(campus, new Date());
  const range = { from: today, to: addDays(today, maxRentalDaysAhead) };
  const until = listing.rented_until;
  const periods = [...(until ? [{ first_day: today, last_day: until }] : []), ...listing.taken_days];
  const { full, partly } = findTakenDays(periods, range, campus);
  return (
    <div className="mt-2 max-w-sm rounded-md border border-line p-2">
      <Calendar
        mode="free-days"
        {...range}
        today={today}
        taken={full}
        notes={listDayNotes(partly, listing, range)}
      />
      <TakenHours partly={partly} />
    </div>
  );
}
