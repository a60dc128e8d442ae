import { CalendarDays } from 'lucide-react';
import { formatLongDay } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';

export function GameDatePanel({ day }: { day: string }) {
  return (
    <p className="flex items-center gap-3 rounded-lg bg-gold-soft p-4">
      <CalendarDays aria-hidden="true" className="size-6 shrink-0 text-gold-text" />
      <span>
        <span className="block font-semibold text-gold-text text-sm">Game Date</span>
        <time dateTime={day} className="font-bold">
          {formatLongDay(day, useCampus())}
        </time>
      </span>
    </p>
  );
}
