import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { ActionBar } from '#web/ui/action-bar.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { Countdown } from './countdown.tsx';
import { DealActions, type DealActionsProps } from './deal-actions.tsx';
import type { DealAlertBoxProps } from './deal-alert-box.tsx';
import { ReportRentalButton } from './report-rental.tsx';

export interface ListingDealAlertProps
  extends Omit<DealActionsProps, 'party'>,
    Pick<DealAlertBoxProps, 'alert'> {
  /** The deal's state, which is displayed until the script of this component is loaded. */
  state: ReactNode;
}

/**
 * The action bar of a listing whose deal needs the buyer: a notice about the deal, buttons to respond, and a link to the
 * deal.
 */
export function ListingDealAlert({ alert, state: _, ...actions }: ListingDealAlertProps) {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const { deal, now } = actions;
  return (
    <ActionBar>
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
    </ActionBar>
  );
}
