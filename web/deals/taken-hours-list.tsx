import { addDays } from '#contract/days.ts';
import { isHandoutDay, type RentalRules } from '#contract/rental-rules.ts';
import { formatMonthDay } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';

/** Maximum number of days whose taken hours are listed below a calendar. */
const maxListedDays = 4;

/** Returns the notes of a calendar: the hours that are taken, and the days on which the owner does not hand the item out. */
export const listDayNotes = (
  partly: ReadonlyMap<string, string>,
  rules: RentalRules,
  { from, to }: { from: string; to: string },
): Map<string, string> => {
  const notes = new Map(partly);
  if (!rules.handout_days) return notes;
  for (let day = from; day <= to; day = addDays(day, 1))
    if (!isHandoutDay(rules, day))
      notes.set(day, [notes.get(day), 'no pick-up or return'].filter(Boolean).join(', '));
  return notes;
};

/** The next days that are partly taken, with the hours. */
export function TakenHours({ partly }: { partly: ReadonlyMap<string, string> }) {
  const campus = useCampus();
  if (partly.size === 0) return null;
  return (
    <ul className="mt-2 text-center text-ink-muted text-sm">
      {[...partly].slice(0, maxListedDays).map(([day, hours]) => (
        <li key={day}>{`${formatMonthDay(day, campus)}: ${hours}`}</li>
      ))}
    </ul>
  );
}
