import type { DealParty } from '#contract/deal-states.ts';
import type { DealStatus } from '#contract/deal-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { TextWithTimes } from '#web/ui/text-with-times.tsx';

export interface DealSummaryProps {
  party: DealParty;
  status: Pick<DealStatus, 'sentence' | 'turn'>;
  /** What happens next, and what happens when the deadline passes. */
  details: readonly (string | undefined)[];
}

/** The state of a deal, whose turn it is, and what happens next. */
export function DealSummary({ party, status: { sentence, turn }, details }: DealSummaryProps) {
  const text = details.filter(Boolean).join(' ');
  return (
    <div>
      <div className="flex items-start gap-2">
        <p aria-live="polite" className="mr-auto min-w-0 break-words font-bold">
          <TextWithTimes text={sentence} />
        </p>
        {turn && (
          <Badge tone={turn === party ? 'gold' : 'neutral'}>
            {turn === party ? 'Your turn' : 'Their turn'}
          </Badge>
        )}
      </div>
      {text && (
        <p className="text-ink-muted text-sm">
          <TextWithTimes text={text} />
        </p>
      )}
    </div>
  );
}
