import { CalendarPlus } from 'lucide-react';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import { findDifferingCampusTimeZoneName } from '#web/lib/campus-time-zone.ts';
import { groupBy } from '#web/lib/group-by.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { downloadCalendar } from './download-calendar.ts';
import { HandoverLink } from './handover-link.tsx';
import { formatCampusTimeOfDay, formatHandoverDay } from './handover-times.ts';
import { useHandovers } from './use-handovers.ts';

/** The person's coming handovers by day, with a calendar file of all of them. */
export function HandoversScreen({ ownId }: { ownId: string }) {
  const campus = useCampus();
  const { handovers, isError, reload, now } = useHandovers(ownId);
  if (!handovers)
    return <LoadingOrFailed what="handovers" isError={isError} onRetry={reload} className="h-40" />;
  if (handovers.length === 0) {
    return (
      <EmptyState
        illustration={<NothingFoundIllustration />}
        title="No handovers ahead"
        text="When you agree on a time to meet, it’s listed here."
        action={
          <Button asChild>
            <Link to={links.messages}>Open Messages</Link>
          </Button>
        }
      />
    );
  }
  const days = groupBy(handovers, ({ time }) => formatHandoverDay(time, campus, now));
  const timeZoneName = findDifferingCampusTimeZoneName(
    campus,
    handovers.map(({ time }) => time),
  );
  return (
    <div className="flex flex-col gap-6">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="mb-2 font-bold text-lg">{day}</h2>
          <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
            {ofDay.map((handover) => (
              <li key={handover.deals[0].id} className="flex">
                <HandoverLink handover={handover} time={formatCampusTimeOfDay(handover.time, campus)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <OnlineOnlyButton
          variant="secondary"
          icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          onClick={() => void downloadCalendar(calls.downloadHandoversCalendar.path)}
        >
          {handovers.length > 1 ? 'Add all to calendar' : 'Add to calendar'}
        </OnlineOnlyButton>
        {timeZoneName && <p className="text-ink-muted text-sm">{`Campus time (${timeZoneName})`}</p>}
      </div>
    </div>
  );
}
