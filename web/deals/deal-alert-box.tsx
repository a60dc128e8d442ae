import { Flag } from 'lucide-react';
import { useState } from 'react';
import type { DealAlert } from '#contract/deal-alerts.ts';
import type { Deal } from '#contract/deals.ts';
import { ReportDialog } from '#web/forms/public.ts';
import { links } from '#web/lib/links.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';

export interface DealAlertBoxProps {
  alert: DealAlert;
  deal: Deal;
}

/** What needs the person's attention now; an overdue rental can be reported here. */
export function DealAlertBox({ alert, deal }: DealAlertBoxProps) {
  const [isReporting, setIsReporting] = useState(false);
  return (
    <Alert tone="notice" title={alert.title}>
      <p>{alert.text}</p>
      {alert.canReport && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-2"
          icon={<Flag aria-hidden="true" className="size-4" />}
          onClick={() => setIsReporting(true)}
        >
          Report
        </Button>
      )}
      {isReporting && (
        <ReportDialog
          kind="rental"
          subject={`Overdue rental: ${deal.title}`}
          itemLink={`${location.origin}${links.conversation(deal.conversation_id)}`}
          onClose={() => setIsReporting(false)}
        />
      )}
    </Alert>
  );
}
