import { CalendarPlus, MapPin } from 'lucide-react';
import { isMeetingQuestionDue } from '#contract/deal-alerts.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import type { Deal } from '#contract/deals.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { buildMapUrl } from '#contract/meeting-spots.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { findDifferingCampusTimeZoneName } from '#web/lib/campus-time-zone.ts';
import { fetchFile, saveDownloadedFile } from '#web/lib/download.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { useDealTransition } from './deal-actions.tsx';

interface HandoverSummaryProps {
  deal: Deal;
  party: DealParty;
  ownId: string;
  now: Date;
}

/**
 * Displays the agreed time and place with links to a maps app and a calendar file, and the suggested
 * times with a button for each.
 */
export function HandoverSummary({ deal, party, ownId, now }: HandoverSummaryProps) {
  const campus = useCampus();
  const { pending, tryTransition } = useDealTransition(ownId, deal);
  const { handover } = deal;
  const proposal = handover?.proposal;
  if (!handover || deal.state !== 'held') return null;
  const timeZoneName = findDifferingCampusTimeZoneName(campus, [
    ...(handover.time ? [handover.time] : []),
    ...(proposal?.times ?? []),
  ]);
  const isOver = isMeetingQuestionDue(deal, now);
  const canAgree = deal.transitions.includes('agree_handover');
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      {handover.time && (
        <p className="flex items-start gap-1.5">
          <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">
            <span>{isOver ? 'You wanted to meet ' : 'You meet '}</span>
            <b className="whitespace-nowrap font-semibold">{formatCampusTime(handover.time, campus)}</b>,{' '}
            <a
              href={buildMapUrl(handover.place, campus, navigator.userAgent)}
              target="_blank"
              rel="noreferrer"
              className="underline decoration-line-strong underline-offset-3 hover:text-ink"
            >
              <bdi>{handover.place}</bdi>
            </a>
          </span>
        </p>
      )}
      <p aria-live="polite" className="font-semibold empty:hidden">
        {describeArrivals(deal, party)}
      </p>
      {proposal && party === proposal.by && (
        <div className="text-ink-muted">
          <p dir="auto" className="break-words">
            {proposal.place}
          </p>
          <ul aria-label="Times you suggested" className="flex flex-wrap gap-x-4">
            {proposal.times.map((time) => (
              <li key={time} className="whitespace-nowrap">
                {formatCampusTime(time, campus)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {proposal && canAgree && (
        <ul aria-label="Suggested times" className="flex flex-wrap gap-2">
          {proposal.times.map((time) => (
            <li key={time}>
              <OnlineOnlyButton
                size="sm"
                // If several times are suggested, all have secondary buttons, because a view has at most
                // one primary button.
                variant={proposal.times.length > 1 ? 'secondary' : 'primary'}
                loading={pending?.transition === 'agree_handover' && pending.time === time}
                disabled={Date.parse(time) <= now.getTime()}
                onClick={() =>
                  !pending &&
                  void tryTransition({ transition: 'agree_handover', time, place: proposal.place })
                }
              >
                {formatCampusTime(time, campus)}
              </OnlineOnlyButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4">
        {handover.time && !isOver && <CalendarDownload deal={deal} />}
        {timeZoneName && <p className="text-ink-muted text-xs">{`Campus time (${timeZoneName})`}</p>}
      </div>
    </div>
  );
}

/** Returns who is at the meeting spot and who is running late, or an empty text. */
const describeArrivals = ({ handover, other }: Deal, party: DealParty): string => {
  const name = isolateDirection(other?.name ?? deletedUserName);
  const own = handover?.arrivals?.[party];
  const theirs = handover?.arrivals?.[getOtherParty(party)];
  return [
    theirs === 'here' && `${name} is here.`,
    theirs === 'late' && `${name} is running 10 minutes late.`,
    own === 'here' && 'You’re here.',
    own === 'late' && 'You’re running 10 minutes late.',
  ]
    .filter(Boolean)
    .join(' ');
};

function CalendarDownload({ deal }: { deal: Deal }) {
  const download = async () => {
    try {
      saveDownloadedFile(
        await fetchFile(`/rest/v1/deals/${deal.id}/calendar`, () => {}, new AbortController().signal),
      );
      toast.success('Calendar file downloaded', 'If the time changes, add it to your calendar again.');
    } catch (reason) {
      toast.error((reason as Error).message);
    }
  };
  return (
    <Button
      variant="link"
      size="sm"
      icon={<CalendarPlus aria-hidden="true" className="size-4" />}
      onClick={() => void download()}
    >
      Add to calendar
    </Button>
  );
}
