import { clsx } from 'clsx';
import { Info } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { findDealAlert } from '#contract/deal-alerts.ts';
import { type DealEventLine, formatDealTerms } from '#contract/deal-event-lines.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { describeDeal } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextWithTimes } from '#web/ui/text-with-times.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { DealActions } from './deal-actions.tsx';
import { DealDone } from './deal-done.tsx';
import { describeHeadline } from './deal-headline.ts';
import { CalendarDownload, HandoverDetails, MapLink, SuggestedTimes } from './handover-details.tsx';
import { ReportRentalButton } from './report-rental.tsx';
import type { ListingOfDeal } from './transition-dialog-props.ts';
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
  listing: ListingOfDeal | null;
  /** The newest event line of the deal in this conversation; it says why a closed deal was closed. */
  lastStep: DealEventLine | undefined;
  /** Whether the conversation has a newer deal. */
  isEarlier: boolean;
  /** The button that shows the photos of the condition of a rented item. */
  photosButton?: ReactNode;
}

/** The box at the top of a conversation that shows one of its deals. */
export function DealCard({
  deal,
  ownId,
  otherName,
  listingTitle,
  listing,
  lastStep,
  isEarlier,
  photosButton,
}: DealCardProps) {
  const campus = useCampus();
  const now = useNow();
  const detailsId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const focusFallback = useFocusFallback<HTMLElement>();
  const party: DealParty = deal.buyer_id === ownId ? 'buyer' : 'seller';
  const status = describeDeal(deal, party, { otherName, campus, now, lastStep });
  const alert = findDealAlert(deal, party, { otherName, campus, now });
  const { title, place, text, details } = describeHeadline(deal, party, {
    status,
    alert,
    otherName,
    campus,
    now,
  });
  const hasTitle = deal.title !== listingTitle;
  const hasDetails = Boolean(text) || details.length > 0 || isEarlier || hasTitle;
  return (
    <section
      aria-label={isEarlier ? 'Earlier deal' : 'Deal'}
      data-deal
      {...focusFallback}
      className="compact:flex grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 gap-y-1.5 px-4 py-1.5 md:px-5"
    >
      {deal.state === 'completed' ? (
        <DealDone dealId={deal.id} sentence={status.sentence} ownId={ownId} otherName={otherName} />
      ) : (
        <div className="min-w-0 compact:flex-1">
          <p
            aria-live="polite"
            data-shortened
            className={clsx(
              'compact:line-clamp-1 break-words font-bold leading-tight',
              !isOpen && 'line-clamp-2',
            )}
          >
            <TextWithTimes text={title} />
            {place && (
              <>
                <span>{' · '}</span>
                <MapLink place={place} />
              </>
            )}
          </p>
          <div className="mt-0.5 compact:hidden flex items-center gap-1.5 text-ink-muted text-sm empty:hidden">
            {status.turn && (
              <Badge tone={status.turn === party ? 'gold' : 'neutral'}>
                {status.turn === party ? 'Your turn' : 'Their turn'}
              </Badge>
            )}
            {text && (
              <p data-shortened className={clsx('min-w-0 break-words', !isOpen && 'truncate')}>
                <TextWithTimes text={text} />
              </p>
            )}
          </div>
        </div>
      )}
      {hasDetails && (
        <IconButton
          label="About this deal"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          className="-mr-3 compact:hidden text-ink-muted"
          onClick={() => setIsOpen(!isOpen)}
        >
          <Info aria-hidden="true" />
        </IconButton>
      )}
      <DealActions
        deal={deal}
        party={party}
        ownId={ownId}
        otherName={otherName}
        now={now}
        listing={listing}
        isOneLine
        leading={<SuggestedTimes deal={deal} ownId={ownId} now={now} />}
        photosButton={photosButton}
      >
        {alert?.canReport && <ReportRentalButton deal={deal} />}
        <CalendarDownload deal={deal} now={now} />
      </DealActions>
      <div
        id={detailsId}
        hidden={!isOpen}
        className="compact:hidden col-span-2 space-y-1 pb-1 text-ink-muted text-sm"
      >
        {isEarlier && <p>{['Earlier deal', formatDealTerms(deal, campus)].filter(Boolean).join(': ')}</p>}
        {hasTitle && <p dir="auto">{deal.title}</p>}
        {details.map((detail) => (
          <p key={detail}>
            <TextWithTimes text={detail} />
          </p>
        ))}
        <HandoverDetails deal={deal} party={party} now={now} />
      </div>
    </section>
  );
}
