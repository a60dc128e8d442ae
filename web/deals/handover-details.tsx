import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { isMeetingQuestionDue } from '#contract/deal-alerts.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { DealParty } from '#contract/deal-states.ts';
import type { Deal } from '#contract/deals.ts';
import { buildMapUrl } from '#contract/meeting-spots.ts';
import { findDifferingCampusTimeZoneName } from '#web/lib/campus-time-zone.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { useDealTransition } from './deal-actions.tsx';
import { downloadCalendar } from './download-calendar.ts';
import { fetchHeldDeals, listDealsToAgreeWith } from './together.ts';

const AgreeTogetherDialog = lazyDialog(
  async () => (await import('./agree-together-dialog.tsx')).AgreeTogetherDialog,
);

/** A place on the campus, with a link to a maps app. */
export function MapLink({ place }: { place: string }) {
  const campus = useCampus();
  return (
    <a
      href={buildMapUrl(place, campus, navigator.userAgent)}
      target="_blank"
      rel="noreferrer"
      className="underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      <bdi>{place}</bdi>
    </a>
  );
}

/** The times that the other party has suggested, each as a button that agrees to it. */
export function SuggestedTimes({ deal, ownId, now }: { deal: Deal; ownId: string; now: Date }) {
  const campus = useCampus();
  const { pending, tryTransition } = useDealTransition(ownId, deal);
  // The time that was tapped, and the other deals for which it is suggested, too, once they are known.
  const [tapped, setTapped] = useState<{ time: string; others?: readonly Deal[] }>();
  const proposal = deal.handover?.proposal;
  if (!proposal || !deal.transitions.includes('agree_handover')) return null;
  const agree = (time: string, others: readonly Deal[]): void => {
    const also_for = others.map(({ id }) => id);
    void tryTransition({
      transition: 'agree_handover',
      time,
      place: proposal.place,
      ...(others.length > 0 && { also_for }),
    });
  };
  const choose = async (time: string): Promise<void> => {
    if (pending || tapped) return;
    setTapped({ time });
    const held = deal.other ? await fetchHeldDeals(ownId, deal.other.id) : [];
    const others = listDealsToAgreeWith(deal, held, time);
    setTapped(others.length > 0 ? { time, others } : undefined);
    if (others.length === 0) agree(time, []);
  };
  const times = (
    <ul aria-label="Suggested times" className="flex gap-2">
      {proposal.times.map((time) => (
        <li key={time}>
          <OnlineOnlyButton
            size="sm"
            className="whitespace-nowrap"
            // If several times are suggested, all have secondary buttons, because a view has at most
            // one primary button.
            variant={proposal.times.length > 1 ? 'secondary' : 'primary'}
            loading={
              (tapped?.time === time && !tapped.others) ||
              (pending?.transition === 'agree_handover' && pending.time === time)
            }
            disabled={Date.parse(time) <= now.getTime()}
            onClick={() => void choose(time)}
          >
            {formatCampusTime(time, campus)}
          </OnlineOnlyButton>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {times}
      {tapped?.others && (
        <AgreeTogetherDialog
          deal={deal}
          others={tapped.others}
          time={tapped.time}
          onAgree={(others) => agree(tapped.time, others)}
          onClose={() => setTapped(undefined)}
        />
      )}
    </>
  );
}

interface HandoverDetailsProps {
  deal: Deal;
  party: DealParty;
  now: Date;
}

/** The agreed time and place to meet, the times that the person has suggested, and the time zone. */
export function HandoverDetails({ deal, party, now }: HandoverDetailsProps) {
  const campus = useCampus();
  const { handover } = deal;
  if (!handover || deal.state !== 'held') return null;
  const { time, proposal } = handover;
  const timeZoneName = findDifferingCampusTimeZoneName(campus, [
    ...(time ? [time] : []),
    ...(proposal?.times ?? []),
  ]);
  return (
    <>
      {time && (
        <p className="break-words">
          <span>{isMeetingQuestionDue(deal, now) ? 'You wanted to meet ' : 'You meet '}</span>
          <span className="whitespace-nowrap">{formatCampusTime(time, campus)}</span>
          {[handover.place, handover.landmark].filter(Boolean).map((part) => (
            <span key={part}>
              <span>, </span>
              <bdi>{part}</bdi>
            </span>
          ))}
        </p>
      )}
      {proposal && party === proposal.by && (
        <>
          <p dir="auto" className="break-words">
            {[proposal.place, proposal.landmark].filter(Boolean).join(', ')}
          </p>
          <ul aria-label="Times you suggested" className="flex flex-wrap gap-x-4">
            {proposal.times.map((it) => (
              <li key={it} className="whitespace-nowrap">
                {formatCampusTime(it, campus)}
              </li>
            ))}
          </ul>
        </>
      )}
      {timeZoneName && <p className="text-xs">{`Campus time (${timeZoneName})`}</p>}
    </>
  );
}

export function CalendarDownload({ deal, now }: { deal: Deal; now: Date }) {
  if (deal.state !== 'held' || !deal.handover?.time || isMeetingQuestionDue(deal, now)) return null;
  return (
    <Button
      variant="link"
      size="sm"
      className="shrink-0 whitespace-nowrap"
      icon={<CalendarPlus aria-hidden="true" className="size-4" />}
      onClick={() => void downloadCalendar(`/rest/v1/deals/${deal.id}/calendar`)}
    >
      Add to calendar
    </Button>
  );
}
