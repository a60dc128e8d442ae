import { findDealAlert } from '#contract/deal-alerts.ts';
import { type DealEventLine, formatDealTerms } from '#contract/deal-event-lines.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { describeDeal } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { DealReview } from '#web/reviews/public.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { DealActions } from './deal-actions.tsx';
import { DealAlertBox } from './deal-alert-box.tsx';
import { DealSummary } from './deal-summary.tsx';
import { HandoverSummary } from './handover-summary.tsx';
import { useNow } from './use-now.ts';

export interface DealCardProps {
  deal: Deal;
  ownId: string;
  otherName: string;
  /**
   * The current title of the listing, displayed above the deal. A deal that was made under a different
   * title also shows that title.
   */
  listingTitle: string;
  /** The newest event line of the deal in this conversation; it says why a closed deal was closed. */
  lastStep: DealEventLine | undefined;
  /** Whether the conversation has a newer deal. */
  isEarlier: boolean;
}

/** The box at the top of a conversation that shows one of its deals. */
export function DealCard({ deal, ownId, otherName, listingTitle, lastStep, isEarlier }: DealCardProps) {
  const campus = useCampus();
  const now = useNow();
  const focusFallback = useFocusFallback<HTMLElement>();
  const party: DealParty = deal.buyer_id === ownId ? 'buyer' : 'seller';
  const status = describeDeal(deal, party, { otherName, campus, now, lastStep });
  const alert = findDealAlert(deal, party, { otherName, campus, now });
  return (
    <section
      aria-label={isEarlier ? 'Earlier deal' : 'Deal'}
      data-deal
      {...focusFallback}
      className="flex flex-col gap-2 px-4 py-2.5 md:px-5"
    >
      <div>
        {isEarlier && (
          <p className="text-ink-muted text-sm">
            {['Earlier deal', formatDealTerms(deal)].filter(Boolean).join(': ')}
          </p>
        )}
        {deal.title !== listingTitle && (
          <p dir="auto" className="truncate text-ink-muted text-sm">
            {deal.title}
          </p>
        )}
        <DealSummary
          deal={deal}
          party={party}
          status={status}
          details={[status.next === alert?.text ? undefined : status.next, status.otherwise]}
          now={now}
        />
      </div>
      {deal.state === 'completed' && <DealReview dealId={deal.id} ownId={ownId} otherName={otherName} />}
      <HandoverSummary deal={deal} party={party} ownId={ownId} now={now} />
      {alert && <DealAlertBox alert={alert} deal={deal} />}
      <DealActions deal={deal} party={party} ownId={ownId} otherName={otherName} now={now} />
    </section>
  );
}
