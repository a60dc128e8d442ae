import { CircleCheck } from 'lucide-react';
import { DealReview } from '#web/reviews/public.ts';

export interface DealDoneProps {
  dealId: string;
  /** What came of the deal, as in 'Done. You paid $30.' */
  sentence: string;
  ownId: string;
  otherName: string;
}

/** The end of a completed deal: what came of it, and the stars with which the person rates the other party. */
export function DealDone({ dealId, sentence, ownId, otherName }: DealDoneProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-center gap-2.5">
        <CircleCheck aria-hidden="true" className="size-8 shrink-0 animate-dialog-in text-lawn-text" />
        <span aria-live="polite" className="min-w-0 break-words font-extrabold text-lg leading-snug">
          {sentence}
        </span>
      </p>
      <div className="compact:hidden empty:hidden">
        <DealReview dealId={dealId} ownId={ownId} otherName={otherName} />
      </div>
    </div>
  );
}
