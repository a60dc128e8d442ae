import type { DealAlert } from '#contract/deal-alerts.ts';
import type { Deal } from '#contract/deals.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ReportRentalButton } from './report-rental.tsx';

export interface DealAlertBoxProps {
  alert: DealAlert;
  deal: Deal;
}

/**
 * A box with an alert about a deal that needs the person's attention now. An overdue rental can be
 * reported from here.
 */
export function DealAlertBox({ alert, deal }: DealAlertBoxProps) {
  return (
    <Alert tone="notice" title={alert.title}>
      <p className={alert.canReport ? 'mb-2' : undefined}>{alert.text}</p>
      {alert.canReport && <ReportRentalButton deal={deal} />}
    </Alert>
  );
}
