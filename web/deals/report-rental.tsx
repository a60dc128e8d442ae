import { Flag } from 'lucide-react';
import { useState } from 'react';
import type { Deal } from '#contract/deals.ts';
import { ReportDialog } from '#web/forms/public.ts';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';

export function ReportRentalButton({ deal }: { deal: Deal }) {
  const [isReporting, setIsReporting] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => setIsReporting(true)}
      >
        Report
      </Button>
      {isReporting && (
        <ReportDialog
          kind="rental"
          subject={`Overdue rental: ${deal.title}`}
          itemLink={`${location.origin}${links.conversation(deal.conversation_id)}`}
          onClose={() => setIsReporting(false)}
        />
      )}
    </>
  );
}
