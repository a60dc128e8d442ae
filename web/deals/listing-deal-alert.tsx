import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { Countdown } from './countdown.tsx';
import { DealActions, type DealActionsProps } from './deal-actions.tsx';
import type { DealAlertBoxProps } from './deal-alert-box.tsx';
import { ReportRentalButton } from './report-rental.tsx';

/** A notice about the buyer's deal on the page of its listing, with buttons to respond and a link to the deal. */
export function ListingDealAlert({
  alert,
  ...actions
}: Omit<DealActionsProps, 'party'> & Pick<DealAlertBoxProps, 'alert'>) {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const { deal, now } = actions;
  return (
    <div {...focusFallback} className="flex flex-col gap-2">
      <div role="status" className="text-sm">
        <p className="break-words font-bold text-base text-gold-text">{alert.title}</p>
        <p className="break-words">
          <span>{`${alert.text} `}</span>
          <Link
            to={links.conversation(deal.conversation_id)}
            className="font-semibold underline decoration-line-strong underline-offset-3 hover:text-ink"
          >
            View your deal
          </Link>
          {deal.deadline_at && (
            <span className="ml-1 text-ink-muted">
              <Countdown until={deal.deadline_at} now={now} />
            </span>
          )}
        </p>
      </div>
      <DealActions {...actions} party="buyer">
        {alert.canReport && <ReportRentalButton deal={deal} />}
      </DealActions>
    </div>
  );
}
