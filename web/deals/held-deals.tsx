import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { CampusTimes } from '#contract/campus.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { Deal } from '#contract/deals.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { formatRentalStart } from '#contract/rental-times.ts';
import { request } from '#web/lib/api.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { dealsQueryKey } from './refresh-deals.ts';

/** The query that loads the person's latest deals whose item is on hold, as buyer or seller. */
export const heldDealsQuery = (ownId: string) =>
  queryOptions({
    queryKey: [...dealsQueryKey(ownId), 'held'],
    queryFn: ({ signal }) => request(calls.listDeals, { query: { state: 'held' }, signal }),
  });

const describeHold = (deal: Deal, campus: CampusTimes): string => {
  const { handover, deadline_at: deadline } = deal;
  if (handover?.time) return `Meet ${formatCampusTime(handover.time, campus)}`;
  if (deal.first_day) return `On hold for ${formatRentalStart(deal, campus)}`;
  return deadline ? `On hold until ${formatCampusTime(deadline, campus)}` : 'On hold';
};

/** Names deals whose item is on hold: the item, the other party, and when they meet or how long the hold lasts. */
export function HeldDeals({ deals, hasMore }: { deals: readonly Deal[]; hasMore: boolean }) {
  const campus = useCampus();
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {deals.map((deal) => (
        <li key={deal.id} className="px-3 py-2 text-sm">
          <p dir="auto" className="break-words font-semibold">
            {deal.title}
          </p>
          <p className="break-words text-ink-muted">
            <bdi>{deal.other?.name ?? deletedUserName}</bdi>
            <span>{` · ${describeHold(deal, campus)}`}</span>
          </p>
        </li>
      ))}
      {hasMore && <li className="px-3 py-2 text-ink-muted text-sm">And more</li>}
    </ul>
  );
}
